/**
 * @module What a user may choose for a list, as it is stored: old, foreign and hostile values are ignored.
 */
import { attempt, isQuery, type Query, readQuery, textList } from '../api/query-string.ts';
import { type ContentType, editedStatus, type Model } from '../model/model.ts';
import { attributeAt } from '../model/readable.ts';
import { type FilterPart, readFilters } from './filters.ts';

/** Parameters that choose documents, which a filter with a name has. */
export const NARROWING = ['filters', '_q', 'publicationFilter', 'status', 'locale'];
/** A patch that removes them. */
export const NO_FILTERS: Query = Object.fromEntries(NARROWING.map((name) => [name, undefined]));

/** Parameters that are kept for the next visit. */
export const KEPT = ['fields', 'filters', 'sort', 'pagination'];

/** Returns the parameters of a query that have these names. */
export const pick = (query: Query, names: readonly string[]): Query =>
  Object.fromEntries(Object.entries(query).filter(([name]) => names.includes(name)));

export interface Choices {
  /** A query string. */
  readonly view: string;
  /** Query strings by their names. */
  readonly saved: Readonly<Record<string, string>>;
}

const isString = (entry: readonly [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';

/** Reads what was stored. */
export function readChoices(stored: string | null): Choices {
  const { view, saved }: Query = attempt(() => ({ ...JSON.parse(stored ?? '{}') }), {});
  return {
    view: typeof view === 'string' ? view : '',
    saved: isQuery(saved) ? Object.fromEntries(Object.entries(saved).filter(isString)) : {},
  };
}

/** Whether filters choose by the time of publication, which no draft has. */
export const hasPublicationTime = (type: ContentType, filters: unknown): boolean =>
  editedStatus(type) === 'draft' &&
  readFilters(filters).parts.some((part) => part.kind === 'condition' && part.path[0] === 'publishedAt');

/** Returns what of a kept view the content type still has. */
export function fittingView(model: Model, type: ContentType, view: string): Query {
  const { fields, filters, sort, pagination } = readQuery(view);
  const isThere = (path: readonly string[]) => attributeAt(model, type.uid, path) !== undefined;
  const fits = (part: FilterPart): boolean =>
    part.kind === 'group' ? part.parts.every(fits) : part.kind === 'condition' && isThere(part.path);
  const isSortable = textList(sort).every((entry) => isThere(entry.split(':')[0]?.split('.') ?? []));
  return {
    fields,
    filters: fits(readFilters(filters)) ? filters : undefined,
    sort: isSortable ? sort : undefined,
    pagination,
    ...(hasPublicationTime(type, filters) && { status: 'published' }),
  };
}
