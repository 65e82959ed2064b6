/**
 * @module Cached reads. One batch compares the version stamps of a cached response, and recomputes it if they changed:
 * each of its statements has that condition in its LIMIT. So a cached response costs one round trip that reads almost
 * nothing, and is never stale.
 */
import { shortHash } from '../../common/digest.ts';
import { guarded } from '../credentials/sql/credentials.ts';
import { mapped, together } from '../sql/compiled.ts';
import { currentStamps, stampsMoved } from '../sql/stamps.ts';
import { longestForm, MAX_GUARDED, type Results } from '../sql/statement.ts';
import type { CacheKeys } from './cache-keys.ts';
import { cachedPlan, filledWork, type ResponsePlanner } from './cached-plan.ts';
import type { CachedPlan } from './caches.ts';
import { type Authorized, addressesOf, type Call, isSigned } from './call.ts';
import { type Caller, withCredential } from './caller.ts';
import type { ResponseWork } from './response-work.ts';

/** A response with status 200. */
export interface ReadResponse {
  /** JSON in UTF-8; absent if the caller holds it, and the cache does not. */
  readonly bytes?: Uint8Array;
  /**
   * `"digest.stamps"`, or `"digest.documentId.stamps.revision"` for a document; the digest is that of the plan. With signed
   * addresses, their window of time follows the stamps: `stamps~window`.
   */
  readonly etag?: string;
  /** Names of the stamps that it depends on. */
  readonly names: readonly string[];
  /** Was it in the cache, or held by the caller? */
  readonly cached: boolean;
  /** Has it source maps or private attributes, so that no cache beside that of the isolate may store it? */
  readonly isUnshared?: boolean | undefined;
  /** Has it signed addresses, or might it have them? */
  readonly isSigned?: boolean | undefined;
}

const encoder = new TextEncoder();

/** The prefix of the tags of all responses to a query with the same permission trace. */
const tagPrefix = ({ named }: CacheKeys, { digest }: CachedPlan): string =>
  named === null ? `"${digest}.` : `"${digest}.${encodeURIComponent(named)}.`;

/** What distinguishes the responses to one query. */
interface CacheValidators {
  readonly stamps: string;
  readonly revision?: string | undefined;
  /** The window of time of signed addresses; absent without any. */
  readonly window?: number | undefined;
  /** The second in which the response was computed, if a condition depends on the time; absent otherwise. */
  readonly second?: number | undefined;
  /** In place of the stamps in a tag. */
  readonly bodyHash?: string | undefined;
}

/** Stamps also change with documents that rules hide from the caller, so a tag has a hash of the body in their place. */
const isLimited = ({ rules }: CachedPlan['trace']): boolean => rules !== undefined;

/** The validators of the response that the caller holds. */
function heldValidators({ held }: Call, prefix: string): CacheValidators | undefined {
  const tag = held.find((each) => each.startsWith(prefix));
  const [version = '', revision] = tag?.slice(prefix.length, -1).split('.') ?? [];
  const [stamps = '', window] = version.split('~');
  return tag === undefined ? undefined : { stamps, revision, ...(window && { window: Number(window) }) };
}

function tagOf(prefix: string, { stamps, revision, window, bodyHash }: CacheValidators): string {
  const version = `${bodyHash ?? stamps}${window === undefined ? '' : `~${window}`}`;
  return `${prefix}${version}${revision === undefined ? '' : `.${revision}`}"`;
}

/**
 * Reads the current stamps, and the body if they match none of `known`, or if the statements leave no room for the
 * condition.
 */
function compileCachedRead(
  plan: CachedPlan,
  { named }: CacheKeys,
  known: readonly CacheValidators[],
  { now, registry: { fences } }: Call,
) {
  const { names, work } = plan;
  const all = filledWork(plan, { named, now }).statements;
  const cached = known.map(({ stamps }) => stamps);
  const moved = known.length > 0 ? stampsMoved(names, cached) : undefined;
  const hasRoom = moved && all.every((each) => longestForm(each) + moved.sql.length <= MAX_GUARDED);
  const statements = hasRoom ? all.map((statement) => guarded(statement, moved)) : all;
  const later = { statements, decode: (results: Results) => () => work.decode(results) };
  return mapped(together([currentStamps(names, fences), later]), ([stamps, shown]) => {
    const current = known.find((each) => each.stamps === stamps);
    if (current) return { current };
    const { body, revision } = shown();
    const text = JSON.stringify(body);
    return { stamps, text, revision };
  });
}

/** An operation that only reads. */
interface CachedRead<C extends Call> {
  readonly keysOf: (call: C) => CacheKeys;
  /** Returns the call as far as the caller may make it. */
  readonly callFor?: (call: C, caller: Authorized) => C;
  /** Runs only without a cached plan: it may depend on nothing of the request but its keys. @throws ApiError */
  readonly plan: (call: C, caller: Authorized) => ResponseWork;
}

/** Returns the cached response if its stamps still match, or recomputes it. */
async function respond(call: Call, keys: CacheKeys, plan: ResponsePlanner, caller: Caller): Promise<ReadResponse> {
  const { grants } = caller;
  const work = cachedPlan(call, keys.planKey, plan, grants);
  const isUnshared = keys.isMapped || work.isPrivate;
  const { names, trace } = work;
  const prefix = tagPrefix(keys, work);
  const found = call.caches.responses.find(keys.responseKey, grants);
  const limited = isLimited(trace);
  const now = addressesOf(call)?.window(call.settings, call.now);
  const second = work.isTimed ? Math.floor(call.now / 1000) : undefined;
  const known = [found, limited ? undefined : heldValidators(call, prefix)].filter(
    (each) => each !== undefined && (each.window === undefined || each.window === now) && each.second === second,
  ) as readonly CacheValidators[];
  const read = await caller.read(compileCachedRead(work, keys, known, call));
  // A credential that this isolate had not seen has rules: they decide what the tag is made of.
  if (!limited && caller.grants.rule) return respond(call, keys, plan, caller);
  if (read.current) {
    const isSigned = read.current.window !== undefined;
    const response = { etag: tagOf(prefix, read.current), names, cached: true, isUnshared, isSigned };
    return read.current === found ? { ...response, bytes: found.bytes } : response;
  }
  const { text, stamps, revision } = read;
  const bytes = encoder.encode(text);
  // The body for HEAD is not the response to GET.
  const window = call.bodiless || isSigned(text) ? now : undefined;
  const shown = { names, isUnshared, isSigned: window !== undefined };
  if (stamps === undefined || call.bodiless) return { bytes, cached: false, ...shown };
  const validators = { stamps, revision, window, second, bodyHash: limited ? shortHash(bytes) : undefined };
  call.caches.responses.keep(keys.responseKey, { bytes, ...validators, trace }, grants);
  const etag = tagOf(prefix, validators);
  return { bytes, etag, cached: call.held.includes(etag), ...shown };
}

/**
 * Wraps an operation, so that its responses are cached.
 * @returns a function that throws ApiError 401 for an invalid credential, otherwise the errors of the operation
 */
export const cachedRead =
  <C extends Call>({ keysOf, callFor = (call) => call, plan }: CachedRead<C>) =>
  (sent: C): Promise<ReadResponse> =>
    withCredential(sent, {}, async (caller) => {
      const call = callFor(sent, caller);
      return respond(call, keysOf(call), (authorized) => plan(call, authorized), caller);
    });
