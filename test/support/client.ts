/**
 * @module Requests as a client makes them, and what it reads out of the answers.
 */
import type { Send } from './app.ts';
import { bearer, sendJson } from './recorded.ts';

export interface ApiDocument {
  readonly documentId: string;
  readonly [attribute: string]: unknown;
}

export interface ErrorAnswer {
  readonly status: number;
  readonly name: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface Client {
  get(path: string): Promise<Response>;
  create(path: string, data: unknown): Promise<Response>;
  update(path: string, data: unknown): Promise<Response>;
  remove(path: string): Promise<Response>;
}

/** A caller with a token. */
export const clientOf = (send: Send, token: string): Client => ({
  get: (path) => send(path, bearer(token)),
  create: (path, data) => send(path, sendJson('POST', token, { data })),
  update: (path, data) => send(path, sendJson('PUT', token, { data })),
  remove: (path) => send(path, { method: 'DELETE', ...bearer(token) }),
});

async function dataOf(response: Response): Promise<unknown> {
  const body = (await response.json()) as { data: unknown; error?: unknown };
  if (body.error) throw new Error(`${response.status}: ${JSON.stringify(body.error)}`);
  return body.data;
}

export const documentOf = async (response: Promise<Response>): Promise<ApiDocument> =>
  (await dataOf(await response)) as ApiDocument;

export const documentsOf = async (response: Promise<Response>): Promise<readonly ApiDocument[]> =>
  (await dataOf(await response)) as readonly ApiDocument[];

/** One attribute of every document of a list, in its order. */
export const valuesOf = async (response: Promise<Response>, attribute: string): Promise<readonly unknown[]> =>
  (await documentsOf(response)).map((document) => document[attribute]);

export async function errorOf(response: Promise<Response>): Promise<ErrorAnswer> {
  const { data, error } = (await (await response).json()) as { data: unknown; error: ErrorAnswer };
  if (data !== null) throw new Error(`no error, but ${JSON.stringify(data)}`);
  return error;
}

export async function totalOf(response: Promise<Response>): Promise<number> {
  const { meta } = (await (await response).json()) as { meta: { pagination: { total: number } } };
  return meta.pagination.total;
}
