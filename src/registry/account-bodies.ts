/**
 * @module The bodies of `/api/auth` and `/api/users`, and the parameters of a link. Keys stand in the order in which the
 * reference tells what is wrong with them. What a required text must be is worded by `checkBody`; what else is wrong,
 * here.
 */
import * as z from 'zod/mini';
import { isAccountEmail } from './email.ts';

const MAX_PASSWORD_BYTES = 72;

/** The key that an issue is about. */
interface At {
  readonly path?: readonly PropertyKey[] | undefined;
}
const named =
  (words: string) =>
  ({ path = [] }: At): string =>
    `${path.map(String).join('.')} ${words}`;

const text = z.string().check(z.minLength(1));
const tooShort = named('must be at least 1 characters');
const given = z.string().check(z.minLength(1, { error: tooShort }));
/** The reference tells of an empty one twice. */
const required = given.check(z.minLength(1));
const valid = z.refine<string>(isAccountEmail, { error: named('must be a valid email') });
const email = z
  .string()
  .check(z.minLength(1, { abort: true }), valid)
  .register(z.globalRegistry, { format: 'email' });
const givenEmail = z
  .string()
  .check(z.minLength(1, { error: tooShort, abort: true }), valid)
  .register(z.globalRegistry, { format: 'email' });
const password = text.check().register(z.globalRegistry, { format: 'password' });

const newPassword = required.check().register(z.globalRegistry, { format: 'password' });

/** An empty one does not match. */
const repeated = z.string().register(z.globalRegistry, { format: 'password' });

const isShort = (value: string): boolean => new TextEncoder().encode(value).length <= MAX_PASSWORD_BYTES;
const changedPassword = z
  .string({ error: 'Password must be at least 1 character' })
  .register(z.globalRegistry, { format: 'password' });
/** What users choose themselves may be no longer in the reference, which hashes with bcrypt. */
const chosen = password
  .check(z.refine<string>(isShort, { error: 'Password must be less than 73 bytes' }))
  .register(z.globalRegistry, { format: 'password' });

/** Taken as it comes, and checked where it is used. */
const later = (type: Readonly<Record<string, unknown>>) => z.optional(z.any().register(z.globalRegistry, type));

const token = later({ type: 'string' });
/** Only where there are sessions; what is no text names no device. */
const deviceId = later({ type: 'string' });

type Body = Readonly<Record<string, unknown>>;

const isReference = (value: unknown): boolean =>
  (typeof value === 'number' && Number.isInteger(value)) || (typeof value === 'string' && value !== '');

/** Does a list of a relation name anything? */
const names = (list: unknown): boolean => [list].flat().some((item) => item !== undefined && item !== null);

/** A role may be left as it is or replaced, but not taken away. */
function keptRole(value: unknown): string | undefined {
  if (value === null) return 'role is a required field';
  if (typeof value !== 'object') return isReference(value) ? undefined : `role must be a valid id, not ${value}`;
  const { connect, disconnect, set } = value as Body;
  if (names(disconnect) && !names(connect)) return 'Cannot remove role';
  const emptied = set !== undefined && set !== null && !names(set);
  return Array.isArray(value) || emptied ? 'Users must have a role' : undefined;
}

function newRole(value: unknown): string | undefined {
  if (value === undefined) return 'role is a required field';
  // A form whose choice of roles was left alone: the default role.
  if (value === '') return undefined;
  const isNamed = typeof value !== 'object' || value === null || names((value as Body).connect);
  return isNamed ? keptRole(value) : 'Users must have a role';
}

function changedRole(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return value === '' ? 'role must be at least 1 characters' : keptRole(value);
}

/** @param message what is wrong with a value. */
const role = (message: (value: unknown) => string | undefined) =>
  z
    .any()
    .check(
      z.refine((value) => message(value) === undefined, { error: ({ input }: { input?: unknown }) => message(input) }),
    )
    .register(z.globalRegistry, { type: ['integer', 'string'] as never, description: 'id or documentId of a role' });

const isSame = ({ password: first, passwordConfirmation: second }: Body): boolean =>
  second === undefined || (first === second && second !== '');

/** Told beside what else is wrong, not only once nothing else is. */
const samePassword = z.refine<Body>(isSame, {
  path: ['passwordConfirmation'],
  error: ({ input }) =>
    (input as Body).password === '' ? 'passwordConfirmation is a required field' : 'Passwords do not match',
  when: () => true,
});

const flags = { confirmed: later({ type: 'boolean' }), blocked: later({ type: 'boolean' }) };

export const LOGIN = z.object({ identifier: text, password, deviceId });
export const REGISTER = z.strictObject({ email, username: text, password: chosen });
export const CHANGE_PASSWORD = z
  .strictObject({ passwordConfirmation: repeated, password: chosen, currentPassword: password, deviceId })
  .check(samePassword);
export const RESET_PASSWORD = z
  .strictObject({ passwordConfirmation: repeated, password: chosen, code: text, deviceId })
  .check(samePassword);
export const EMAIL = z.object({ email });
export const FORGOT_PASSWORD = z.strictObject({ email });
export const CONFIRMATION = z.object({ confirmation: text });
export const REFRESH = z.object({ refreshToken: token });
export const LOGOUT = z.object({ refreshToken: token, deviceId, scope: later({ enum: ['all'] }) });
export const CREATE_USER = z.object({
  email,
  username: required,
  password: newPassword,
  role: role(newRole),
  ...flags,
});
export const UPDATE_USER = z.object({
  email: z.optional(givenEmail),
  username: z.optional(given),
  // Of null and empty the caller tells.
  password: z.optional(z.nullable(changedPassword)),
  role: z.optional(role(changedRole)),
  ...flags,
});

/** The body of a route, or its query. */
export type BodySchema = z.ZodMiniObject;
