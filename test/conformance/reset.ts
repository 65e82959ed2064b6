/**
 * @module Empties a server before a scenario: every document in every locale, every user and file, through the API.
 */
import type { Answer } from './answer.ts';
import { Captures } from './captures.ts';
import { type Client, send } from './client.ts';
import { isObject, type Json } from './recording.ts';

/** What has to be known of a content type in order to empty it. */
export interface ResetTarget {
  readonly kind: 'collectionType' | 'singleType';
  readonly singularName: string;
  readonly pluralName: string;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
}

type SchemaJson = {
  readonly kind: ResetTarget['kind'];
  readonly info: { readonly singularName: string; readonly pluralName: string };
  readonly options?: { readonly draftAndPublish?: boolean };
  readonly pluginOptions?: { readonly i18n?: { readonly localized?: boolean } };
};

/** Reads a content type's schema.json as far as `reset` needs it. */
export function resetTarget(json: unknown): ResetTarget {
  const { kind, info, options, pluginOptions } = json as SchemaJson;
  const { singularName, pluralName } = info;
  const draftAndPublish = options?.draftAndPublish === true;
  return { kind, singularName, pluralName, draftAndPublish, localized: pluginOptions?.i18n?.localized === true };
}

type Call = (method: string, path: string) => Promise<Answer>;

const GONE: ReadonlySet<number> = new Set([200, 204, 404]);
/** A server without users or files has nothing to delete there. */
const NO_SUCH_PATH: ReadonlySet<number> = new Set([404, 405]);
/** 40 pages of 100: more than any scenario writes, and an end if deleting has no effect. */
const MAX_ROUNDS = 40;

async function remove(call: Call, path: string): Promise<void> {
  const { status } = await call('DELETE', path);
  if (!GONE.has(status)) throw new Error(`reset: DELETE ${path} -> ${status}`);
}

async function list(call: Call, path: string, optional = false): Promise<readonly Json[]> {
  const { status, body } = await call('GET', path);
  if (optional && NO_SUCH_PATH.has(status)) return [];
  if (status !== 200) throw new Error(`reset: GET ${path} -> ${status}`);
  const rows = isObject(body) ? body.data : body;
  return Array.isArray(rows) ? rows : [];
}

const idsOf = (rows: readonly Json[], key: string): ReadonlySet<Json> =>
  new Set(rows.flatMap((row) => (isObject(row) ? (row[key] ?? []) : [])));

async function emptyCollection(call: Call, target: ResetTarget): Promise<void> {
  const path = `/api/${target.pluralName}`;
  const query = ['fields=documentId', 'pagination[pageSize]=100'];
  if (target.draftAndPublish) query.push('status=draft');
  if (target.localized) query.push('locale=*');
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const ids = idsOf(await list(call, `${path}?${query.join('&')}`), 'documentId');
    if (ids.size === 0) return;
    for (const id of ids) await remove(call, `${path}/${id}${target.localized ? '?locale=*' : ''}`);
  }
  throw new Error(`reset: ${path} still has documents after ${MAX_ROUNDS} rounds`);
}

/**
 * Deletes everything with the full-access token.
 * @throws Error at the first answer that is neither a success nor "there is none".
 */
export async function reset(client: Client, targets: readonly ResetTarget[]): Promise<void> {
  const call: Call = (method, path) => send(client, { as: 'full', request: { method, path } }, new Captures());
  for (const target of targets) {
    if (target.kind === 'collectionType') await emptyCollection(call, target);
    else await remove(call, `/api/${target.singularName}${target.localized ? '?locale=*' : ''}`);
  }
  for (const path of ['/api/users', '/api/upload/files'])
    for (const id of idsOf(await list(call, path, true), 'id')) await remove(call, `${path}/${id}`);
}
