/**
 * @module Answers that were seen, to be held against the description of the API.
 */
import { env } from 'cloudflare:workers';
import type { OpenApiDocument } from '../../src/features/description/openapi.ts';

export interface Seen {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  readonly status: number;
  /** The media type, without parameters. */
  readonly type: string;
  /** As text; null where there is none. */
  readonly body: string | null;
}

export interface Conformity {
  readonly complaints: readonly string[];
  /** Ids of operations that were answered with less than 400. */
  readonly succeeded: readonly string[];
}

/** What an answer shows; it can still be read. */
export async function seenOf(url: string, method: string, response: Response): Promise<Seen> {
  const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '';
  const isText = type === '' || type.startsWith('text/') || type.endsWith('json');
  const text = isText ? await response.clone().text() : '(bytes)';
  return { method, path: new URL(url).pathname, status: response.status, type, body: text === '' ? null : text };
}

/** Holds answers against a description. */
export async function conformity(document: OpenApiDocument, seen: readonly Seen[]): Promise<Conformity> {
  const { TEST_DESCRIPTION } = env as unknown as { readonly TEST_DESCRIPTION: Fetcher };
  const body = JSON.stringify({ document, seen });
  return (await TEST_DESCRIPTION.fetch('http://node', { method: 'POST', body })).json();
}
