/**
 * @module Where a document or a file is used: documents that link to it, by attributes of their own, in components, and
 * where no filter reaches: in dynamic zones, and by relations to documents of any type.
 */
import { useQuery } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { useId } from 'react';
import type { Query } from '../api/query-string.ts';
import { type ResponseBody, request } from '../api/request.ts';
import { ApiError } from '../api/send.ts';
import { type Attribute, type Attributes, isPolymorphic } from '../model/attribute.ts';
import { type ContentType, type Document, editedStatus, type Model, ownTypes, type Values } from '../model/model.ts';
import { shownAttributes, targetOf } from '../model/readable.ts';
import { text } from '../texts/text.ts';
import { Result } from '../ui/states.tsx';
import { DocumentLine } from './document-link.tsx';
import { useModel } from './model.ts';

export interface UsesProps {
  /** Of the content type, or of files. */
  readonly uid: string;
  readonly documentId: string;
}

interface Use {
  /** Of its content type. */
  readonly uid: string;
  readonly document: Document;
}

/** Components in components. */
const MOST_LEVELS = 4;
/** Documents of a request, and requests for what no filter reaches in a type. */
const PAGE_SIZE = 100;
const MOST_PAGES = 10;
const MOST_SHOWN = 10;

const inTurn = pLimit(6);

const pageAt = (page: number): Query => ({ pagination: { page, pageSize: PAGE_SIZE } });

/** @throws the error, unless there is no such version */
function noneIfMissing(error: unknown) {
  if (error instanceof ApiError && error.status === 404) return { documents: [], pageCount: 1 };
  throw error;
}

const attributesOf = (model: Model, component: string | undefined): Attributes =>
  model.components.get(component ?? '')?.attributes ?? {};

/** Whether an attribute has links to a type, which a filter finds. */
const isLinkTo = (model: Model, attribute: Attribute, uid: string): boolean =>
  attribute.type !== 'component' &&
  attribute.mappedBy === undefined &&
  !attribute.relation?.startsWith('morph') &&
  targetOf(model, attribute) === uid;

/** Returns a filter for each link, of components as well. */
const filtersTo = (
  model: Model,
  attributes: Attributes,
  { uid, documentId }: UsesProps,
  levels = MOST_LEVELS,
): readonly Query[] =>
  Object.entries(attributes).flatMap(([name, attribute]) => {
    if (isLinkTo(model, attribute, uid)) return [{ [name]: { documentId: { $eq: documentId } } }];
    if (attribute.type !== 'component' || levels === 0) return [];
    const inner = filtersTo(model, attributesOf(model, attribute.component), { uid, documentId }, levels - 1);
    return inner.map((filter) => ({ [name]: filter }));
  });

const isEmpty = (query: Query): boolean => Object.keys(query).length === 0;

/**
 * Returns the `populate` that brings the links to a type.
 * @param isRest whether those that a filter finds are left out: zones and relations to documents of any type are the rest
 */
function populateTo(model: Model, attributes: Attributes, uid: string, isRest: boolean, levels = MOST_LEVELS): Query {
  const within = (component: string, isInnerRest: boolean): Query =>
    levels === 0 ? {} : populateTo(model, attributesOf(model, component), uid, isInnerRest, levels - 1);
  const partOf = (attribute: Attribute): unknown => {
    const { type, component = '', components = [] } = attribute;
    if (isPolymorphic(attribute)) return true;
    if (isLinkTo(model, attribute, uid)) return isRest ? undefined : { fields: ['documentId'] };
    if (type === 'component') {
      const populate = within(component, isRest);
      return isEmpty(populate) ? undefined : { populate };
    }
    const parts = components.map((each) => [each, { populate: within(each, false) }] as const);
    const on = Object.fromEntries(parts.filter(([, { populate }]) => !isEmpty(populate)));
    return isEmpty(on) ? undefined : { on };
  };
  const values = Object.entries(attributes).map(([name, attribute]) => [name, partOf(attribute)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

const leadsTo = (value: unknown, documentId: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ((value as Values).documentId === documentId || Object.values(value).some((inner) => leadsTo(inner, documentId)));

/** Reads documents of a type with these parameters; none where the single type is empty. */
async function readUses(type: ContentType, query: Query) {
  const fields = [type.titleAttribute, 'locale'].filter((name) => type.shown.has(name));
  const { body } = await request<ResponseBody<Document | readonly Document[] | null>>(type.path, {
    query: { fields, ...query },
  });
  return { documents: [body.data ?? []].flat() as Document[], pageCount: body.meta.pagination?.pageCount ?? 1 };
}

/** Returns the uses in one version of the documents of a type, and whether there may be more. */
async function usesIn(model: Model, type: ContentType, status: string, target: UsesProps) {
  const { uid, documentId } = target;
  const attributes = Object.fromEntries(shownAttributes(type));
  const rest = populateTo(model, attributes, uid, true);
  const filters = filtersTo(model, attributes, target);
  const version = type.hasDrafts ? { status } : {};
  const isUse = (document: Document) => leadsTo(Object.values(document), documentId);
  if (type.kind === 'singleType') {
    const populate = populateTo(model, attributes, uid, false);
    const locales = type.isLocalized ? Object.keys(model.locales).map((locale) => ({ locale })) : [{}];
    const reads = isEmpty(populate) ? [] : locales;
    const found = reads.map((locale) => readUses(type, { ...version, ...locale, populate }).catch(noneIfMissing));
    return { found: (await Promise.all(found)).flatMap(({ documents }) => documents).filter(isUse), isPartial: false };
  }
  const every = { ...version, ...(type.isLocalized && { locale: '*' }), sort: 'id:desc' };
  const none = { documents: [], pageCount: 1 };
  const direct =
    filters.length === 0 ? none : await readUses(type, { ...every, filters: { $or: filters }, ...pageAt(1) });
  const found = [...direct.documents];
  let pageCount = isEmpty(rest) ? 0 : 1;
  for (let page = 1; page <= Math.min(pageCount, MOST_PAGES); page++) {
    const next = await readUses(type, { ...every, populate: rest, ...pageAt(page) });
    found.push(...next.documents.filter(isUse));
    pageCount = next.pageCount;
  }
  return { found, isPartial: direct.pageCount > 1 || pageCount > MOST_PAGES };
}

/** Reads the uses that the caller may find, each once, whatever versions and attributes have it. */
async function readAllUses(model: Model, target: UsesProps) {
  const reads = ownTypes(model)
    .filter((type) => type.actions.has('find'))
    .flatMap((type) =>
      [...new Set(['published', editedStatus(type)])].map(async (status) => ({
        type,
        ...(await inTurn(() => usesIn(model, type, status, target))),
      })),
    );
  const uses = new Map<string, Use>();
  const results = await Promise.all(reads);
  for (const { type, found } of results)
    for (const document of found)
      uses.set(`${type.uid} ${document.documentId} ${document.locale}`, { uid: type.uid, document });
  return { uses: [...uses.values()], isPartial: results.some(({ isPartial }) => isPartial) };
}

export function Uses(target: UsesProps) {
  const model = useModel();
  const id = useId();
  // A question before a deletion does not show what was so a while ago, as in the panel below it.
  const result = useQuery({ queryKey: ['uses', id, target], queryFn: () => readAllUses(model, target), gcTime: 0 });
  return (
    <Result of={result}>
      {({ uses, isPartial }) => (
        <section className="stack" aria-label={text('Uses')}>
          <p>
            {uses.length === 0
              ? text('No documents that you can see link to it.')
              : text('Used by {count} document: | Used by {count} documents:', { count: uses.length })}
          </p>
          <ul className="plain">
            {uses.slice(0, MOST_SHOWN).map(({ uid, document }) => (
              <li key={`${uid} ${document.documentId} ${document.locale}`}>
                <DocumentLine uid={uid} document={document} />
              </li>
            ))}
            {uses.length > MOST_SHOWN && <li>{text('… and {count} more', { count: uses.length - MOST_SHOWN })}</li>}
          </ul>
          {isPartial && (
            <p className="muted">
              {text('There may be more: of large types only the newest documents were searched.')}
            </p>
          )}
        </section>
      )}
    </Result>
  );
}
