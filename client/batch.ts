/**
 * @module Requests that `POST /api/batch` carries out in one commit.
 */
import { documentsAt, type Perform } from './documents.ts';
import { queryString } from './query.ts';
import { conditionsOf, type Send, type Sent } from './request.ts';

/** What the function of a batch gets: `write` returns the operations at a path. */
export type Recorder = (path: string) => ReturnType<typeof documentsAt>;

/**
 * Sends what `build` records, and returns the documents of the requests that it returns; null for a delete. A request
 * is `$ref:` and its index, which later ones may name as a documentId.
 */
export async function runBatch(
  send: Send,
  build: (recorder: Recorder) => readonly string[],
  options: Sent,
): Promise<readonly unknown[]> {
  const requests: object[] = [];
  const record: Perform = (method, path, { query, data, ...sent }) => {
    conditionsOf(sent);
    const { ifMatch, ifNoneMatch } = sent;
    requests.push({
      ...{ method, path: path + queryString(query ?? {}), ifMatch, ifNoneMatch },
      ...(data !== undefined && { body: { data } }),
    });
    return `$ref:${requests.length - 1}`;
  };
  const returned = build((path) => documentsAt(path, record));
  if (requests.length === 0) return [];
  const response = await send('POST', '/api/batch', { ...options, body: { requests } });
  const { data } = (await response.json()) as { data: { body: { data: unknown } | null }[] };
  return returned.map((reference) => data[Number(reference.slice(5))]?.body?.data ?? null);
}
