/**
 * @module The bodies of `/api/auth` and `/api/users`: which keys they need, told in the reference's words.
 */
import { type Issue, invalid, invalidDocument } from '../errors.ts';
import { printValue, wrongType } from '../plan/messages.ts';
import { isEmail } from '../plan/rules.ts';
import type { InputData } from '../request/body.ts';

type Rule = (value: unknown, name: string, body: InputData) => string | undefined;
type Rules = Readonly<Record<string, Rule>>;

const MAX_PASSWORD_BYTES = 72;

const text: Rule = (value, name) => {
  if (value === undefined || value === '') return `${name} is a required field`;
  return typeof value === 'string' ? undefined : wrongType(name, 'string', value, value);
};

const email: Rule = (value, name, body) =>
  text(value, name, body) ?? (isEmail(value as string) ? undefined : `${name} must be a valid email`);

/** What users choose themselves may be no longer in the reference, which hashes with bcrypt. */
const password: Rule = (value, name, body) => {
  const long = () => new TextEncoder().encode(value as string).length > MAX_PASSWORD_BYTES;
  return text(value, name, body) ?? (long() ? 'Password must be less than 73 bytes' : undefined);
};

const repeated: Rule = (value, name, body) =>
  text(value, name, body) ?? (value === body.password ? undefined : 'Passwords do not match');

const isReference = (value: unknown): boolean =>
  (typeof value === 'number' && Number.isInteger(value)) || (typeof value === 'string' && value !== '');

/** Does a list of a relation name anything? */
const names = (list: unknown): boolean => [list].flat().some((item) => item !== undefined && item !== null);

/** A role may be left as it is or replaced, but not taken away. */
const keptRole: Rule = (value, name) => {
  if (value === null) return `${name} is a required field`;
  if (typeof value !== 'object')
    return isReference(value) ? undefined : `${name} must be a valid id, not ${printValue(value)}`;
  const { connect, disconnect, set } = value as InputData;
  if (names(disconnect) && !names(connect)) return 'Cannot remove role';
  const emptied = set !== undefined && set !== null && !names(set);
  return Array.isArray(value) || emptied ? 'Users must have a role' : undefined;
};

const role: Rule = (value, name, body) => {
  if (value === undefined || value === '') return `${name} is a required field`;
  const isNamed = typeof value !== 'object' || value === null || names((value as InputData).connect);
  return isNamed ? keptRole(value, name, body) : 'Users must have a role';
};

const given =
  (rule: Rule): Rule =>
  (value, name, body) => {
    if (value === undefined) return undefined;
    return value === '' ? `${name} must be at least 1 characters` : rule(value, name, body);
  };

/** Of null and empty the caller tells; anything else must be text. */
const newPassword: Rule = (value, name, body) =>
  value === undefined || value === null || value === '' ? undefined : text(value, name, body);

export const LOGIN: Rules = { identifier: text, password: text };
export const REGISTER: Rules = { email, username: text, password };
export const CHANGE_PASSWORD: Rules = { passwordConfirmation: repeated, password, currentPassword: text };
export const RESET_PASSWORD: Rules = { passwordConfirmation: repeated, password, code: text };
export const EMAIL: Rules = { email };
export const CONFIRMATION: Rules = { confirmation: text };
export const CREATE_USER: Rules = { email, username: text, password: text, role };
export const UPDATE_USER: Rules = {
  email: given(email),
  username: given(text),
  password: newPassword,
  role: given(keptRole),
};

const REGISTER_KEYS: ReadonlySet<string> = new Set(['username', 'password', 'email']);

/** @throws ApiError 400 that names the keys nobody may set on registering. */
export function refuseOtherKeys(body: InputData): void {
  const others = Object.keys(body).filter((key) => !REGISTER_KEYS.has(key));
  if (others.length > 0) throw invalid(`Invalid parameters: ${others.join(', ')}`);
}

/** @throws ApiError 400 with everything that is wrong with the body. */
export function checkBody(body: InputData, rules: Rules): void {
  const issues = Object.entries(rules).flatMap(([name, rule]): Issue[] => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    const message = rule(value, name, body);
    return message === undefined ? [] : [{ path: [name], message, value }];
  });
  if (issues.length > 0) throw invalidDocument(issues);
}
