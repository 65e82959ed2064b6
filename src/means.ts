/**
 * @module What the planning of a write takes from outside.
 */
import { hashPassword } from './auth/passwords.ts';
import type { Limits, Settings } from './config.ts';
import { invalid } from './errors.ts';
import type { Means } from './plan/plan-write.ts';

/** Ids of component instances: those of a document must differ, whoever wrote them, and when. */
const randomId = (): number => Math.ceil(Math.random() * Number.MAX_SAFE_INTEGER);

/** Each hash is slow on purpose, and a list of components may have a password in every entry. */
function countedHash({ passwords }: Limits): Means['hashPassword'] {
  let hashed = 0;
  return (password) => {
    hashed += 1;
    if (hashed > passwords)
      throw invalid(`Too many passwords in one request. Expected at most ${passwords}`, {
        limit: 'passwords',
        source: 'body',
      });
    return hashPassword(password);
  };
}

interface Moment {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly settings: Settings;
}

/** Means for one plan. Their hash throws ApiError 400 when a body has more passwords than the settings let in. */
export const meansAt = ({ now, settings }: Moment): Means => ({
  time: now,
  nextId: randomId,
  hashPassword: countedHash(settings.api.rest.limits),
});
