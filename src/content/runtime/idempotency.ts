/**
 * @module `Idempotency-Key`: a write that a client may repeat without doing it twice. The batch that writes stores the key
 * as well, so that both are committed or neither.
 */
import { memoized } from '../../common/cache.ts';
import { sha256 } from '../../common/digest.ts';
import { ApiError, invalid } from '../../common/errors.ts';
import { isAccount } from '../credentials/credential.ts';
import { AssertionFailed, CONFLICT } from '../sql/batch.ts';
import { type Compiled, constant } from '../sql/compiled.ts';
import { type StoredRequest, storedRequest, storeRequest, storeResponse } from '../sql/requests.ts';
import type { Statement } from '../sql/statement.ts';
import type { Call } from './call.ts';

const DAY = 24 * 60 * 60 * 1000;
const KEY = /^[\x21-\x7e]{1,255}$/;
/** Maximum characters of a stored response. */
const MAX_RESPONSE = 500_000;

const HEADER = { source: 'header', header: 'Idempotency-Key' };

/** The error for a repeat whose response is neither stored nor readable. */
export const responseNotStored = (what: 'request' | 'batch') =>
  invalid(`The ${what} with this Idempotency-Key was carried out. Its response is not stored`, HEADER);

/** A keyed request. Without a key it reads and stores nothing. */
interface KeyedRequest {
  /** Its decoding throws ApiError 422 for another request under the same key. */
  readonly earlier: Compiled<StoredRequest | undefined>;
  /** Statements of the batch that writes. */
  store(documentId: string): readonly Statement[];
  /** Stores the response after the commit. Its failure is no error: a repeat is recognized without it. */
  keep(response: unknown): Promise<void>;
}

const UNKEYED: KeyedRequest = { earlier: constant(undefined), store: () => [], keep: async () => {} };

/** The caller and its key; undefined for the public, whose callers are not distinguished. */
function storedKey({ credential }: Call, key: string): string | undefined {
  if (!isAccount(credential)) return undefined;
  const caller = credential.kind === 'token' ? credential.key : (credential.client?.grant ?? credential.id);
  return sha256(JSON.stringify([credential.kind, caller, key]));
}

/**
 * @param partsOf returns everything that the response depends on; called when `earlier` is decoded
 * @throws ApiError 400 for a malformed key, and for the public
 */
export function keyedRequest(call: Call, header: string | undefined, partsOf: () => readonly unknown[]): KeyedRequest {
  if (header === undefined) return UNKEYED;
  if (!KEY.test(header))
    throw invalid('Malformed header Idempotency-Key. Expected 1 to 255 visible ASCII characters', HEADER);
  const key = storedKey(call, header);
  if (key === undefined) throw invalid('The header Idempotency-Key requires a credential', HEADER);
  // The header is random and not stored, so that a password of the body cannot be guessed from the digest.
  const digest = memoized(() => sha256(JSON.stringify([header, ...partsOf()])));
  const since = call.now - DAY;
  const found = storedRequest(key, since);
  return {
    earlier: {
      statements: found.statements,
      decode(results) {
        const request = found.decode(results);
        if (request && request.digest !== digest()) throw new ApiError({ kind: 'key-reused' });
        return request;
      },
    },
    store: (documentId) => storeRequest(key, { digest: digest(), documentId, createdAt: call.now }, since),
    async keep(response) {
      const text = JSON.stringify(response);
      if (text.length > MAX_RESPONSE) return;
      await call.database.write([storeResponse(key, text)]).catch(() => undefined);
    },
  };
}

/** Keys of the requests that this isolate is working on. Others meet in the database. */
const inUse = new Set<string>();

/** Runs the work of a request. @throws ApiError 409 during another one with the same key */
export async function withKey<T>(call: Call, header: string | undefined, work: () => Promise<T>): Promise<T> {
  const key = header === undefined ? undefined : storedKey(call, header);
  if (key === undefined) return work();
  if (inUse.has(key)) throw new ApiError({ kind: 'key-in-use', retryAfter: 1 });
  inUse.add(key);
  try {
    return await work();
  } finally {
    inUse.delete(key);
  }
}

/** Uses a key up, for a day. Returns false if it was used before. */
export async function useOnce({ database, now }: Call, key: string): Promise<boolean> {
  const request = { digest: '', documentId: '', createdAt: now };
  try {
    await database.write(storeRequest(sha256(`once ${key}`), request, now - DAY));
    return true;
  } catch (failure) {
    if (failure instanceof AssertionFailed && failure.code === CONFLICT) return false;
    throw failure;
  }
}
