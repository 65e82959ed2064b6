/**
 * @module The history of documents: their former versions, who made them, and their restoration.
 */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Query } from '../api/query-string.ts';
import { type Reply, type ResponseBody, request } from '../api/request.ts';
import { labelOf } from '../model/attribute.ts';
import { type ContentType, type Document, editedStatus, type Model } from '../model/model.ts';
import { type Text, text } from '../texts/text.ts';
import { type Place, pathOf } from './place.ts';
import { mergePopulates } from './populate.ts';
import { precondition, readParts } from './version.ts';

/** A version of a document, without its values. */
export interface Revision {
  readonly revision: string;
  readonly documentId: string;
  readonly locale: string | null;
  readonly version: 'draft' | 'published';
  readonly operation: string;
  /** ISO time */
  readonly at: string;
  readonly by: { readonly kind: string; readonly name: string | null };
  /** Can it be shown and restored? */
  readonly hasValues: boolean;
}

const OPERATIONS: Readonly<Record<string, Text>> = {
  create: 'Created',
  update: 'Changed',
  publish: 'Published',
  unpublish: 'Unpublished',
  discardDraft: 'Draft discarded',
  restore: 'Restored',
  delete: 'Deleted',
  before: 'Before its history began',
};

export function operationText({ operation }: Revision): string {
  const known = OPERATIONS[operation];
  return known ? text(known) : labelOf(operation);
}

const MAKERS: Readonly<Record<string, Text>> = {
  user: 'A user who is gone',
  token: 'An API token',
  public: 'A visitor who is not signed in',
  schedule: 'The schedule',
  code: 'Code of the project',
};

/** Returns who made a version. */
export function makerText({ by: { kind, name } }: Revision): string {
  if (kind === 'token' && name !== null) return text('API token {name}', { name });
  if (kind === 'schedule' && name !== null) return text('Schedule of {name}', { name });
  return name ?? text(MAKERS[kind] ?? 'Unknown');
}

interface RevisionPage<T extends Revision> {
  readonly data: readonly T[];
  readonly meta: { readonly pagination: { readonly next: string | null } };
}

/** Reads a page of versions, the newest first. @param after the cursor, empty for the first page */
export async function readRevisions<T extends Revision>(
  path: string,
  query: Query,
  after: string,
  signal: AbortSignal,
): Promise<RevisionPage<T>> {
  const pagination = { ...(query.pagination as Query | undefined), ...(after !== '' && { after }) };
  return (await request<RevisionPage<T>>(path, { query: { ...query, pagination }, signal })).body;
}

/** Returns the cursor of the next page. */
export const nextPage = ({ meta }: RevisionPage<Revision>): string | undefined => meta.pagination.next ?? undefined;

/** The history of a document, in all its locales. It is read again after each write. */
export const historyAt = (place: Place) => {
  const path = `${pathOf(place)}/history`;
  return infiniteQueryOptions({
    queryKey: [place.type.path, path],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => readRevisions(path, { pagination: { limit: 25 } }, pageParam, signal),
    getNextPageParam: nextPage,
  });
};

/** A link to a target that is gone. */
interface MissingTarget {
  /** `author`, `sections.0.author` */
  readonly path: string;
  readonly documentId: string;
}

export interface FormerVersion {
  readonly document: Document;
  readonly entry: Revision;
  readonly missing: readonly MissingTarget[];
}

interface FormerBody {
  readonly data: Document;
  readonly meta: { readonly history: Revision; readonly missing: readonly MissingTarget[] };
}

/** A former version with its values, by the rights of today. */
export const formerVersionAt = (model: Model, place: Place, revision: string) =>
  queryOptions({
    queryKey: [place.type.path, 'former', pathOf(place), revision],
    queryFn: async ({ signal }): Promise<FormerVersion> => {
      const path = `${pathOf(place)}/history/${encodeURIComponent(revision)}`;
      const [first, ...rest] = await readParts<FormerBody>(model, place.type, path, {}, signal);
      const bodies = [first, ...rest].map(({ body }) => body);
      const missing = bodies.flatMap(({ meta }) => meta.missing);
      return {
        document: mergePopulates(bodies.map(({ data }) => data)) as Document,
        entry: first.body.meta.history,
        missing: [...new Map(missing.map((each) => [JSON.stringify(each), each])).values()],
      };
    },
  });

/** Returns the newest entry of the version that is edited; undefined where the caller may not see it. */
export async function lastRevision(place: Place): Promise<Revision | undefined> {
  const { type, locale = null } = place;
  if (!type.actions.has('history')) return undefined;
  const { body } = await request<RevisionPage<Revision>>(`${pathOf(place)}/history`);
  return body.data.find((entry) => entry.locale === locale && entry.version === editedStatus(type));
}

/** @param isGone the document is deleted */
export const mayRestore = ({ actions }: ContentType, isGone: boolean): boolean =>
  actions.has('restore') && actions.has(isGone ? 'create' : 'update');

interface Restored extends ResponseBody<Document> {
  /** `changed`: attributes that the schema has lost or retyped. */
  readonly meta: ResponseBody<Document>['meta'] & {
    readonly missing: readonly MissingTarget[];
    readonly changed: readonly string[];
  };
}

/** @param etag what was read, null for a deleted document: rejected with 412 if the document was changed since */
export const restoreRevision = (place: Place, revision: string, etag: string | null): Promise<Reply<Restored>> =>
  request(`${pathOf(place)}/actions/restore`, {
    method: 'POST',
    body: { data: { revision } },
    headers: precondition(etag),
  });

/** Says what was restored, and what was not. */
export function restoredText({ meta: { missing, changed } }: Restored): string {
  const left = [...new Set([...missing.map(({ path }) => path), ...changed])];
  return left.length === 0 ? text('Restored') : text('Restored, but for {names}', { names: left.join(', ') });
}
