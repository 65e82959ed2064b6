/**
 * @module Writes of one document.
 */
import { type Answer, type Reply, request } from '../api/request.ts';
import { session } from '../api/session.ts';
import type { ContentType, Document, Model, Values } from '../model/model.ts';
import { isNewAt, type Place, pathOf, templateOf } from './version.ts';

export type Action = 'publish' | 'unpublish' | 'discard-draft';

export type Written = Reply<Answer<Document>>;

const ifMatch = (etag: string | null) => (etag === null ? {} : { headers: { 'if-match': etag } });

/** The new document that was sent last. Its response may be lost: sent again with the same key, it is created once. */
let attempt = { sent: '', key: '' };

/**
 * Writes values to the draft, or to the document of a type without drafts.
 * @param etag what was read: the write is refused with 412 if the document was changed since
 * @param isPublished publishes, as a write without `status=draft` does
 */
export async function save(place: Place, data: Values, etag: string | null, isPublished: boolean): Promise<Written> {
  const { type, locale } = place;
  const query = { ...(type.hasDrafts && !isPublished && { status: 'draft' }), ...(locale && { locale }) };
  const path = pathOf(place);
  if (!isNewAt(place)) return request(path, { method: 'PUT', query, body: { data }, ...ifMatch(etag) });
  const sent = JSON.stringify([path, query, data]);
  if (attempt.sent !== sent) attempt = { sent, key: `${Date.now()}-${Math.random()}` };
  // Who is not signed in has no keys.
  const headers = session()?.token ? { 'idempotency-key': attempt.key } : {};
  const reply = await request<Answer<Document>>(path, { method: 'POST', query, body: { data }, headers });
  attempt = { sent: '', key: '' };
  return reply;
}

/** @param at ISO time: schedules the action */
export function act(place: Place, action: Action, etag: string | null, at?: string): Promise<Written> {
  const query = place.locale ? { locale: place.locale } : {};
  const body = at === undefined ? {} : { body: { data: { at } } };
  return request(`${pathOf(place)}/actions/${action}`, { method: 'POST', query, ...body, ...ifMatch(etag) });
}

/** @param isWhole all locales, else that of the place */
export function remove(place: Place, isWhole: boolean): Promise<Reply<undefined>> {
  const locale = isWhole ? '*' : place.locale;
  return request(pathOf(place), { method: 'DELETE', query: place.type.isLocalized ? { locale } : {} });
}

/** Whether the path of the action is there for the caller. */
export const mayAct = (model: Model, type: ContentType, action: Action): boolean =>
  model.may('post', `${templateOf(type)}/actions/${action}`);
