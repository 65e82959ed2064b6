/**
 * @module What an error about an account body repeats of it. A text or a number that breaks the rule of its own key is
 * shown, as in Strapi. Passwords, codes and tokens are sent in these bodies also under a key that is misspelt or in the
 * wrong place, so an object or a list is shown only where all its keys are known to hold none.
 */
import { ApiError, type Issue, invalidDocument } from '../errors.ts';
import { isObject } from '../json.ts';
import { type ContentType, isHidden, isPassword, type Registry } from '../registry/model.ts';

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

/** The issue, without the object or list that it is about where a secret may be in it. */
export function withoutSecret(issue: Issue, shown: ReadonlySet<string> = SHOWN): Issue {
  const { path, message, value } = issue;
  if (typeof value !== 'object' || value === null) return issue;
  const isReported = path.every((key) => shown.has(key) || /^\d+$/.test(key)) && isShown(value, shown);
  return isReported ? issue : { path, message: message.replace(VALUE, '.') };
}

/** An issue of the body as a whole, without the passwords that were sent in it. */
function withoutPasswords(issue: Issue, { attributes }: ContentType): Issue {
  if (issue.path.length > 0 || !isObject(issue.value)) return issue;
  const passwords = new Set([...attributes.values()].filter(isPassword).map(({ name }) => name));
  return { ...issue, value: Object.fromEntries(Object.entries(issue.value).filter(([name]) => !passwords.has(name))) };
}

/** Returns the names of visible attributes, of users and of their components. */
function reportedNames(type: ContentType, { components }: Registry): ReadonlySet<string> {
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
    const shown = reportedNames(type, registry);
    const issues = details.errors as readonly Issue[];
    throw invalidDocument(issues.map((issue) => withoutSecret(withoutPasswords(issue, type), shown)));
  }
}
