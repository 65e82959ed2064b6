/**
 * @module What an error about an account body repeats of it. Passwords, codes and tokens are sent in these bodies, also
 * under a key that is misspelt or in the wrong place, so values are shown only under keys that are known to hold none.
 */
import { ApiError, type Issue, invalidDocument } from '../errors.ts';
import { isHidden } from '../plan/resolve.ts';
import type { ContentType, Registry } from '../registry/model.ts';
import { isObject } from '../request/body.ts';

/** Keys of bodies whose values are no secrets: names of users, and what names a role. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['email', 'username', 'identifier', 'role', 'connect', 'disconnect', 'set', 'id', 'documentId'],
  ...['position', 'start', 'end', 'before', 'after', 'locale', 'status'],
]);

/** Do all keys within the value hold no secrets? */
function isShown(value: unknown, shown: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.every((item) => isShown(item, shown));
  if (!isObject(value)) return true;
  return Object.entries(value).every(([key, inner]) => shown.has(key) && isShown(inner, shown));
}

const VALUE = /, but the final value was: .*$/s;

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The issue, without the value that it is about where that may be a secret. */
export function withoutSecret(issue: Issue, shown: ReadonlySet<string> = SHOWN): Issue {
  const { path, message, value } = issue;
  const isTold = path.every((key) => shown.has(key) || /^\d+$/.test(key)) && isShown(value, shown);
  return isTold || isEmpty(value) ? issue : { path, message: message.replace(VALUE, '.') };
}

/** Names of attributes that are told, of users and of whatever components they have. */
function toldNames(type: ContentType, { components }: Registry): ReadonlySet<string> {
  const attributes = [type, ...components.values()].flatMap((owner) => [...owner.attributes.values()]);
  const hidden = new Set(attributes.filter(isHidden).map(({ name }) => name));
  return new Set([...SHOWN, ...attributes.map(({ name }) => name).filter((name) => !hidden.has(name)), '__component']);
}

/** Plans the write of a user. @throws ApiError as planning does, without secrets. */
export function planWithoutSecrets<T>(type: ContentType, registry: Registry, plan: () => T): T {
  try {
    return plan();
  } catch (error) {
    const details =
      error instanceof ApiError && error.problem.kind === 'validation' ? error.problem.details : undefined;
    if (!details?.errors) throw error;
    const shown = toldNames(type, registry);
    throw invalidDocument((details.errors as readonly Issue[]).map((issue) => withoutSecret(issue, shown)));
  }
}
