/**
 * @module The write context of a request: clock, id generator, password hasher.
 */
import { hashPassword, matchesPassword } from '../auth/passwords.ts';
import { invalid } from '../errors.ts';
import type { WriteContext } from '../plan/model/write-request.ts';
import type { Call } from './call.ts';

/** Returns a random id for a component instance, so that ids within a document differ across all writes. */
const randomId = (): number => Math.ceil(Math.random() * Number.MAX_SAFE_INTEGER);

/** The write context, with a password check. */
export interface RequestContext extends WriteContext {
  /** `matchesPassword` of `auth/passwords.ts`, computed once for each hash. */
  isPassword(password: string, stored: unknown, imported?: unknown): boolean;
}

interface Hashed {
  readonly password: string;
  readonly hash: string;
}

/**
 * Hashes are slow on purpose: those of one plan serve the next, in the order in which passwords stand in the body.
 * @returns a function that returns the context of the next plan. Its hasher throws ApiError 400 when a body has more passwords than the
 * settings let in.
 */
export function writeContextsOf({ now, settings }: Pick<Call, 'now' | 'settings'>): () => RequestContext {
  const most = settings.api.rest.limits.passwords;
  const hashes: Hashed[] = [];
  const checked = new Map<string, boolean>();
  const checkOnce = (...check: Parameters<typeof matchesPassword>): boolean => {
    const key = JSON.stringify(check);
    const answer = checked.get(key) ?? matchesPassword(...check);
    checked.set(key, answer);
    return answer;
  };
  return () => {
    let next = 0;
    const hash = (password: string): string => {
      const at = next;
      next += 1;
      if (at >= most)
        throw invalid(`Too many passwords in one request. Expected at most ${most}`, {
          limit: 'passwords',
          source: 'body',
        });
      const made = hashes[at];
      if (made?.password === password) return made.hash;
      const fresh = { password, hash: hashPassword(password) };
      hashes[at] = fresh;
      return fresh.hash;
    };
    return { time: now, nextId: randomId, hashPassword: hash, isPassword: checkOnce };
  };
}
