/**
 * @module Redacts errors about account bodies. Objects and lists are shown only if all their keys are known to hold no
 * secret, since a misspelt or misplaced key may have a password, code or token. Strapi shows every value.
 */
import { type Issue, invalidDocument, isProblem } from '../../common/errors.ts';
import { isObject } from '../../common/json.ts';
import { isHidden, isPassword } from '../../schema/attribute-kinds.ts';
import type { ContentType, Registry } from '../../schema/model.ts';

/** Keys without secrets: names of users, and references to roles. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['email', 'username', 'identifier', 'role', 'connect', 'disconnect', 'set', 'id', 'documentId'],
  ...['position', 'start', 'end', 'before', 'after', 'locale', 'status'],
]);

function isShown(value: unknown, shown: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.every((item) => isShown(item, shown));
  if (!isObject(value)) return true;
  return Object.entries(value).every(([key, inner]) => shown.has(key) && isShown(inner, shown));
}

const VALUE = /, but the final value was: .*$/s;

/** Removes an object or list that may have a secret from an issue. */
export function withoutSecret(issue: Issue, shown: ReadonlySet<string> = SHOWN): Issue {
  const { path, message, value } = issue;
  if (typeof value !== 'object' || value === null) return issue;
  const isReported = path.every((key) => shown.has(key) || /^\d+$/.test(key)) && isShown(value, shown);
  return isReported ? issue : { path, message: message.replace(VALUE, '.') };
}

/** Removes the passwords from an issue of the whole body. */
function withoutPasswords(issue: Issue, { attributes }: ContentType): Issue {
  if (issue.path.length > 0 || !isObject(issue.value)) return issue;
  const passwords = new Set([...attributes.values()].filter(isPassword).map(({ name }) => name));
  return { ...issue, value: Object.fromEntries(Object.entries(issue.value).filter(([name]) => !passwords.has(name))) };
}

function reportedNames(type: ContentType, { components }: Registry): ReadonlySet<string> {
  const attributes = [type, ...components.values()].flatMap((owner) => [...owner.attributes.values()]);
  const hidden = new Set(attributes.filter(isHidden).map(({ name }) => name));
  return new Set([...SHOWN, ...attributes.map(({ name }) => name).filter((name) => !hidden.has(name)), '__component']);
}

/** @throws ApiError of the plan, without secrets */
export function planWithoutSecrets<T>(type: ContentType, registry: Registry, plan: () => T): T {
  try {
    return plan();
  } catch (error) {
    const details = isProblem(error, 'validation') ? error.problem.details : undefined;
    if (!details?.errors) throw error;
    const shown = reportedNames(type, registry);
    const issues = details.errors as readonly Issue[];
    throw invalidDocument(issues.map((issue) => withoutSecret(withoutPasswords(issue, type), shown)));
  }
}
