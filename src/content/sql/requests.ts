/**
 * @module Writes with an `Idempotency-Key`, by the hash of caller and key.
 */
import { sql } from 'drizzle-orm';
import { type Compiled, query } from './compiled.ts';
import { toStatement } from './render.ts';
import type { Statement } from './statement.ts';
import { requests } from './system-tables.ts';

/** An earlier request with the same key. */
export interface StoredRequest {
  /** Of path, query and body. */
  readonly digest: string;
  readonly documentId: string;
  /** JSON; null if it is too long, or was not stored yet. */
  readonly response: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** @param since older requests do not count, in milliseconds since 1970 */
export const storedRequest = (key: string, since: number): Compiled<StoredRequest | undefined> =>
  query(
    toStatement(sql`
      select ${requests.digest}, ${requests.documentId} as "documentId", ${requests.response},
        ${requests.createdAt} as "createdAt"
      from ${requests}
      where ${requests.key} = ${key} and ${requests.createdAt} >= ${since}`),
    ([row]) => row as unknown as StoredRequest | undefined,
  );

/** Rows that one request deletes: more than it adds, so that their number falls. */
const MAX_DELETED = 10;

/** Stores a request, and deletes old ones. The primary key aborts the batch if the key was stored meanwhile. */
export function storeRequest(
  key: string,
  request: Omit<StoredRequest, 'response'>,
  since: number,
): readonly Statement[] {
  const isOld = sql`${requests.createdAt} < ${since}`;
  const oldest = sql`select ${requests.key} from ${requests} where ${isOld} order by ${requests.createdAt} limit ${MAX_DELETED}`;
  return [
    sql`delete from ${requests} where (${requests.key} = ${key} and ${isOld}) or ${requests.key} in (${oldest})`,
    sql`
      insert into ${requests} ("key", "digest", "document_id", "created_at")
      values (${key}, ${request.digest}, ${request.documentId}, ${request.createdAt})`,
  ].map(toStatement);
}

export const storeResponse = (key: string, response: string): Statement =>
  toStatement(sql`update ${requests} set "response" = ${response} where ${requests.key} = ${key}`);
