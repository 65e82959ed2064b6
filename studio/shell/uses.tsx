/**
 * @module Where a document or a file is used: documents that link to it, by attributes of their own, in components, and
 * in dynamic zones, which no filter reaches.
 */
import { useQuery } from '@tanstack/react-query';
import pLimit from 'p-limit';
import type { Query } from '../api/query-string.ts';
import { type ResponseBody, request } from '../api/request.ts';
import { ApiError } from '../api/send.ts';
import type { Attributes } from '../model/attribute.ts';
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
/** Documents of a request, and requests for the zones of a type. */
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

/** Returns the tree of attributes that lead to a type: the names of components, and at the ends those of links. */
function linksTo(model: Model, attributes: Attributes, uid: string, levels = MOST_LEVELS): Values {
  const found = Object.entries(attributes).flatMap(([name, attribute]): [string, unknown][] => {
    const { type, component = '', mappedBy, relation = '' } = attribute;
    if (type === 'component' && levels > 0) {
      const inner = linksTo(model, model.components.get(component)?.attributes ?? {}, uid, levels - 1);
      return Object.keys(inner).length > 0 ? [[name, inner]] : [];
    }
    const isOwner = mappedBy === undefined && !relation.startsWith('morph');
    return type !== 'component' && isOwner && targetOf(model, attribute) === uid ? [[name, true]] : [];
  });
  return Object.fromEntries(found);
}

/** Returns a filter for each link. */
const filtersOf = (links: Values, documentId: string): readonly Query[] =>
  Object.entries(links).flatMap(([name, inner]) =>
    inner === true
      ? [{ [name]: { documentId: { $eq: documentId } } }]
      : filtersOf(inner as Values, documentId).map((filter) => ({ [name]: filter })),
  );

const populateOf = (links: Values): Query =>
  Object.fromEntries(
    Object.entries(links).map(([name, inner]) => [
      name,
      inner === true ? { fields: ['documentId'] } : { populate: populateOf(inner as Values) },
    ]),
  );

/** Returns `populate` for the zones of a type that may lead to another one. */
function zonesTo(model: Model, type: ContentType, uid: string): Readonly<Record<string, Query>> {
  const zones = shownAttributes(type).map(([name, { components = [] }]) => {
    const parts = components.map((each) => {
      const links = linksTo(model, model.components.get(each)?.attributes ?? {}, uid);
      return [each, { populate: populateOf(links) }] as const;
    });
    return [name, Object.fromEntries(parts.filter(([, { populate }]) => Object.keys(populate).length > 0))] as const;
  });
  return Object.fromEntries(zones.filter(([, on]) => Object.keys(on).length > 0).map(([name, on]) => [name, { on }]));
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
async function usesIn(model: Model, type: ContentType, status: string, { uid, documentId }: UsesProps) {
  const links = linksTo(model, Object.fromEntries(shownAttributes(type)), uid);
  const zones = zonesTo(model, type, uid);
  const filters = filtersOf(links, documentId);
  const version = type.hasDrafts ? { status } : {};
  const isUse = (document: Document) => leadsTo(Object.values(document), documentId);
  if (type.kind === 'singleType') {
    const populate = { ...populateOf(links), ...zones };
    const locales = type.isLocalized ? Object.keys(model.locales).map((locale) => ({ locale })) : [{}];
    const reads = Object.keys(populate).length === 0 ? [] : locales;
    const found = reads.map((locale) => readUses(type, { ...version, ...locale, populate }).catch(noneIfMissing));
    return { found: (await Promise.all(found)).flatMap(({ documents }) => documents).filter(isUse), isPartial: false };
  }
  const every = { ...version, ...(type.isLocalized && { locale: '*' }), sort: 'id:desc' };
  const none = { documents: [], pageCount: 1 };
  const direct =
    filters.length === 0 ? none : await readUses(type, { ...every, filters: { $or: filters }, ...pageAt(1) });
  const found = [...direct.documents];
  let pageCount = Object.keys(zones).length === 0 ? 0 : 1;
  for (let page = 1; page <= Math.min(pageCount, MOST_PAGES); page++) {
    const next = await readUses(type, { ...every, populate: zones, ...pageAt(page) });
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
  const result = useQuery({ queryKey: ['uses', target], queryFn: () => readAllUses(model, target), staleTime: 0 });
  return (
    <Result of={result}>
      {({ uses, isPartial }) => (
        <section className="stack" aria-label={text('Uses')}>
          <p>
            {uses.length === 0
              ? text('No document that you may see uses it.')
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
