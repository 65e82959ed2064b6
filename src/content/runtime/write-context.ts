/**
 * @module The write context of a request: clock, id generator, password hasher.
 */

import { invalid } from '../../common/errors.ts';
import { hashPassword, matchesPassword } from '../credentials/passwords.ts';
import type { WriteContext } from '../plan/model/write-request.ts';
import type { Call } from './call.ts';

/** A random id for a component instance, so that ids within a document differ across all writes. */
const randomId = (): number => Math.ceil(Math.random() * Number.MAX_SAFE_INTEGER);

export interface RequestContext extends WriteContext {
  /** `matchesPassword` of `content/credentials/passwords.ts`, computed once for each hash. */
  isPassword(password: string, stored: unknown, imported?: unknown): boolean;
}

/**
 * Returns a function that returns the context of the next plan. Hashing is slow on purpose, so a plan reuses the hashes
 * of the one before, in the order of the body. The hasher throws ApiError 400 for too many passwords.
 */
export function writeContextsOf({ now, settings }: Pick<Call, 'now' | 'settings'>): () => RequestContext {
  const max = settings.api.rest.limits.passwords;
  const hashes: { readonly password: string; readonly hash: string }[] = [];
  const checked = new Map<string, boolean>();
  const isPassword = (...check: Parameters<typeof matchesPassword>): boolean => {
    const key = JSON.stringify(check);
    const matches = checked.get(key) ?? matchesPassword(...check);
    checked.set(key, matches);
    return matches;
  };
  return () => {
    let next = 0;
    const hashNext = (password: string): string => {
      const index = next++;
      const details = { limit: 'passwords', source: 'body' };
      if (index >= max) throw invalid(`Too many passwords in one request. Expected at most ${max}`, details);
      const earlier = hashes[index];
      const hash = earlier?.password === password ? earlier.hash : hashPassword(password);
      hashes[index] = { password, hash };
      return hash;
    };
    return { time: now, nextId: randomId, hashPassword: hashNext, isPassword };
  };
}
