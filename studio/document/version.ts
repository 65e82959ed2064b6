/**
 * @module Reads one version of a document as a whole, and writes it.
 */
import { queryOptions } from '@tanstack/react-query';
import type { Query } from '../api/query-string.ts';
import { type Reply, type ResponseBody, request } from '../api/request.ts';
import { ApiError } from '../api/send.ts';
import { session } from '../api/session.ts';
import {
  type ContentType,
  type Document,
  editedStatus,
  type Model,
  type Values,
  versionQuery,
} from '../model/model.ts';
import { readAttributes, readsPrivate, shownAttributes } from '../model/readable.ts';
import { type State, stateOf } from '../shell/document-link.tsx';
import { isNewAt, type Place, pathOf } from './place.ts';
import { mergePopulates, populates } from './populate.ts';

/** Of a form in a layer over another one. */
export interface LayerPlace {
  /** Of the forms below, that of the screen first. */
  readonly below: readonly Place[];
  /** Called with a document that was saved or published. @param isDone nothing was typed since: the layer closes */
  readonly onSaved: (document: Document, isDone: boolean) => void;
}

export interface ReadVersion {
  readonly document: Document;
  readonly etag: string;
}

/** Returns the part of a tag that changes with each write of this version; the rest changes with other documents, too. */
export const revisionOf = (etag: string | null | undefined): string | undefined =>
  etag?.replaceAll('"', '').split('.').at(-1);

/** Returns what is known of the other locales of a version. It changes with each of them. */
const otherLocalesOf = (version: ReadVersion | null): string =>
  JSON.stringify(
    ((version?.document.localizations ?? []) as readonly Document[])
      .map(({ locale, updatedAt }) => `${locale} ${updatedAt}`)
      .sort(),
  );

interface ReadVersions {
  readonly edited: ReadVersion | null;
  readonly published: ReadVersion | null;
}

/** Whether two reads of a document are of the same versions in all its locales. @param etag of the second one, or its last write */
export const areSame = (stored: ReadVersions, read: ReadVersions, etag: string | null): boolean =>
  revisionOf(stored.edited?.etag) === revisionOf(etag) &&
  revisionOf(stored.published?.etag) === revisionOf(read.published?.etag) &&
  otherLocalesOf(stored.edited) === otherLocalesOf(read.edited);

/** The path of the description that stands for `pathOf`. */
const templateOf = (type: ContentType): string =>
  type.kind === 'singleType' ? type.path : `${type.path}/{documentId}`;

/** Returns the model as responses show it without `private=true`. */
const withoutPrivate = (model: Model): Model => ({
  ...model,
  components: new Map(
    [...model.components].map(([uid, component]) => {
      const shown = Object.entries(component.attributes).filter(([, attribute]) => !attribute.private);
      return [uid, { ...component, attributes: Object.fromEntries(shown) }];
    }),
  ),
});

/** Whether parts are of several revisions. Who may not know of them gets tags without. */
const areMixed = (parts: readonly Reply<unknown>[]): boolean =>
  new Set(parts.flatMap(({ etag }) => (etag?.includes('.') ? revisionOf(etag) : []))).size > 1;

/** Reads of a document that others write meanwhile. */
const MOST_TRIES = 5;

/**
 * Reads a document whole, in as many requests as its `populate` takes.
 * @param query with `private`, private attributes are read as well
 * @throws ApiError
 */
export async function readParts<T>(
  model: Model,
  type: ContentType,
  path: string,
  query: Query,
  signal?: AbortSignal,
): Promise<readonly [Reply<T>, ...(readonly Reply<T>[])]> {
  const fields = ['locale', 'updatedAt'].filter((name) => type.shown.has(name));
  const others = type.shown.has('localizations') ? { localizations: { fields } } : {};
  const [first = {}, ...rest] = query.private
    ? populates(model, Object.fromEntries(readAttributes(type)))
    : populates(withoutPrivate(model), Object.fromEntries(shownAttributes(type)));
  const read = (populate: object) => request<T>(path, { query: { ...query, populate }, ...(signal && { signal }) });
  const readAll = () => Promise.all([read({ ...first, ...others }), ...rest.map(read)]);
  let parts = await readAll();
  // Parts of two revisions make a document that never was.
  for (let tries = 1; tries < MOST_TRIES && areMixed(parts); tries++) parts = await readAll();
  return parts as [Reply<T>, ...Reply<T>[]];
}

/** Returns null where there is no such version. @throws ApiError */
async function readVersion(
  model: Model,
  place: Place,
  status: 'draft' | 'published',
  signal?: AbortSignal,
): Promise<ReadVersion | null> {
  const { type, locale } = place;
  const query = { ...versionQuery(type, status, locale), ...(readsPrivate(model, type) && { private: true }) };
  try {
    const [first, ...rest] = await readParts<ResponseBody<Document>>(model, type, pathOf(place), query, signal);
    const parts = [first, ...rest].map(({ body }) => body.data);
    return { document: mergePopulates(parts) as Document, etag: first.etag ?? '*' };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** Returns the codes of the locales that documents are in; none of those of a type that is not localized. */
const codesOf = (documents: readonly Values[]): readonly string[] =>
  documents.flatMap(({ locale }) => (typeof locale === 'string' ? locale : []));

/** Returns the codes of the locales that the document is in. */
export const localesOf = (document: Document): readonly string[] =>
  codesOf([document, ...((document.localizations ?? []) as readonly Values[])]);

/** Returns the locales of a document that is not in that of the place; those of the project for a single type. */
async function readLocales(model: Model, { type, documentId, locale }: Place): Promise<readonly string[]> {
  if (!type.isLocalized) return [];
  if (documentId === undefined) return Object.keys(model.locales).filter((code) => code !== locale);
  if (!type.actions.has('find') || !type.shown.has('locale')) return [];
  const query = {
    filters: { documentId: { $eq: documentId } },
    fields: ['locale'],
    locale: '*',
    ...(type.hasDrafts && { status: editedStatus(type) }),
    pagination: { limit: 100, withCount: false },
  };
  const { body } = await request<ResponseBody<readonly Document[]>>(type.path, { query });
  return codesOf(body.data);
}

/**
 * Reads the version that is edited, and as far as the caller may, the published one and the locales that there are.
 * Where this locale has no version, `other` is that of another one, which has the values that all locales share.
 */
export const versionsAt = (model: Model, place: Place) =>
  queryOptions({
    queryKey: ['document', pathOf(place), place.locale],
    queryFn: async ({ signal }) => {
      const status = editedStatus(place.type);
      const readIn = (code: string) => readVersion(model, { ...place, locale: code }, status, signal);
      const [edited, published] = await Promise.all([
        readVersion(model, place, status, signal),
        status === 'draft' ? readVersion(model, place, 'published', signal) : null,
      ]);
      if (edited) return { edited, published, locales: localesOf(edited.document), other: null };
      const codes = await readLocales(model, place);
      const isSingle = place.documentId === undefined;
      for (const code of codes) {
        const other = await readIn(code);
        if (other) return { edited, published, locales: isSingle ? localesOf(other.document) : codes, other };
      }
      return { edited, published, locales: isSingle ? [] : codes, other: null };
    },
    refetchOnWindowFocus: true,
    staleTime: 1000,
  });

export type VersionAction = 'publish' | 'unpublish' | 'discard-draft';

/** The response to a write. */
export type Written = Reply<ResponseBody<Document>>;

/** Whether a version is what a write responded with, and no later one. A publication keeps the time of the draft. */
export const isWritten = ({ document, etag }: ReadVersion, { body, etag: written }: Written): boolean =>
  revisionOf(etag) === revisionOf(written) ||
  (document.updatedAt !== undefined && document.updatedAt === body.data.updatedAt);

/** Returns the precondition of a write. @param etag what was read; null: there was no version, and there must be none */
export const precondition = (etag: string | null): Readonly<Record<string, string>> =>
  etag === null ? { 'if-none-match': '*' } : { 'if-match': etag };

/** The new document that was sent last. Its response may be lost: sent again with the same key, it is created once. */
let attempt = { sent: '', key: '' };

/**
 * Writes values to the draft, or to the document of a type without drafts.
 * @param etag as for `precondition`: the write is rejected with 412 if the document was changed since
 * @param isPublished publishes, whatever the server does without `status`
 */
export async function save(place: Place, data: Values, etag: string | null, isPublished: boolean): Promise<Written> {
  const { type, locale } = place;
  const query = {
    ...(type.hasDrafts && { status: isPublished ? 'published' : 'draft' }),
    ...(locale && { locale }),
  };
  const path = pathOf(place);
  if (!isNewAt(place)) return request(path, { method: 'PUT', query, body: { data }, headers: precondition(etag) });
  const sent = JSON.stringify([path, query, data]);
  if (attempt.sent !== sent) attempt = { sent, key: `${Date.now()}-${Math.random()}` };
  // Who is not signed in has no keys.
  const headers = session()?.token ? { 'idempotency-key': attempt.key } : {};
  const reply = await request<ResponseBody<Document>>(path, { method: 'POST', query, body: { data }, headers });
  attempt = { sent: '', key: '' };
  return reply;
}

const actionAt = (place: Place, action: VersionAction) =>
  [`${pathOf(place)}/actions/${action}`, place.locale ? { locale: place.locale } : {}] as const;

/** @param etag what was read */
export function requestAction(place: Place, action: VersionAction, etag: string | null): Promise<Written> {
  const [path, query] = actionAt(place, action);
  return request(path, { method: 'POST', query, headers: precondition(etag) });
}

/** Schedules an action, for the version as it is then. @param at ISO time */
export function scheduleAction(place: Place, action: VersionAction, at: string): Promise<unknown> {
  const [path, query] = actionAt(place, action);
  return request(path, { method: 'POST', query, body: { data: { at } } });
}

/** A link to a page that shows a version, with the token that reads it. */
export interface PreviewLink {
  readonly url: string;
  readonly token: string;
  /** ISO time */
  readonly expiresAt: string;
}

/** @throws ApiError 404 if the document has no page */
export async function previewLink(place: Place, status: 'draft' | 'published'): Promise<PreviewLink> {
  const query = versionQuery(place.type, status, place.locale);
  const path = `${pathOf(place)}/actions/preview-link`;
  return (await request<ResponseBody<PreviewLink>>(path, { method: 'POST', query })).body.data;
}

/** Returns the tag of both versions as they were read. A publication leaves that of the draft alone. */
export const tagOfBoth = (published: string | null, draft: string | null): string =>
  `"${revisionOf(published) ?? ''}&${revisionOf(draft) ?? ''}"`;

/** Returns the state of a version that is shown. Who reads no drafts sees published versions alone. */
export const shownState = (type: ContentType, { document }: ReadVersion, published: ReadVersion | null): State =>
  editedStatus(type) === 'published' ? 'published' : stateOf(document, published?.document ?? null);

/** Deletes a version in its locale. @param etag what was read */
export const removeVersion = (place: Place, etag: string | null): Promise<Reply<undefined>> =>
  request(pathOf(place), {
    method: 'DELETE',
    query: place.type.isLocalized ? { locale: place.locale } : {},
    headers: precondition(etag),
  });

/** Deletes a document in all its locales, for which the API has no precondition. */
export const removeDocument = (place: Place): Promise<Reply<undefined>> =>
  request(pathOf(place), { method: 'DELETE', query: place.type.isLocalized ? { locale: '*' } : {} });

/** Whether the path of the action is there for the caller. */
export const mayAct = (model: Model, type: ContentType, action: VersionAction): boolean =>
  model.may('post', `${templateOf(type)}/actions/${action}`);
