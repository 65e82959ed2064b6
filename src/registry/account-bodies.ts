/**
 * @module The bodies of `/api/auth` and `/api/users`, and the parameters of a link. Keys stand in the order in which the
 * reference tells what is wrong with them. What a required text must be is worded in `users/body-rules.ts`; what else is
 * wrong, here.
 */
import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../json.ts';
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
const later = (type: JsonObject) => z.optional(z.unknown().register(z.globalRegistry, type));

/** What is no text, or an empty one, is null. */
const textOrNull = z.pipe(
  later({ type: 'string' }),
  z.transform((value) => (typeof value === 'string' && value !== '' ? value : null)),
);
const MAX_DEVICE_ID = 255;

/** Names the device of a session, where there are sessions. Its rule is reported only where nothing else is wrong. */
const deviceId = textOrNull;
const shortDeviceId = z.refine<{ readonly deviceId: string | null }>(
  ({ deviceId: id }) => id === null || id.length <= MAX_DEVICE_ID,
  {
    path: ['deviceId'],
    error: `deviceId must be at most ${MAX_DEVICE_ID} characters`,
    when: ({ issues }) => issues.length === 0,
  },
);

/** An id or documentId, or an object that connects one; checked by `users/role-rules.ts`. */
const ROLE: JsonObject = {
  type: ['integer', 'string', 'object'],
  description: 'id or documentId of a role, or {"connect": [{"id": …}]}',
};
const role = z.unknown().register(z.globalRegistry, ROLE);

const isSame = ({ password: first, passwordConfirmation: second }: JsonObject): boolean =>
  second === undefined || (first === second && second !== '');

/** Reported together with other issues, not only once they are fixed. */
const samePassword = z.refine<JsonObject>(isSame, {
  path: ['passwordConfirmation'],
  error: ({ input }) =>
    isObject(input) && input.password === input.passwordConfirmation
      ? 'passwordConfirmation is a required field'
      : 'Passwords do not match',
  when: () => true,
});

const flags = { confirmed: later({ type: 'boolean' }), blocked: later({ type: 'boolean' }) };

export const LOGIN = z.object({ identifier: text, password, deviceId }).check(shortDeviceId);
export const REGISTER = z.strictObject({ email, username: text, password: chosen });
/** @param names further keys, whose values are checked elsewhere */
export const registerWith = (names: readonly string[]): BodySchema =>
  z.extend(REGISTER, Object.fromEntries(names.map((name) => [name, z.optional(z.unknown())])));
export const CHANGE_PASSWORD = z
  .strictObject({ passwordConfirmation: repeated, password: chosen, currentPassword: password, deviceId })
  .check(samePassword, shortDeviceId);
export const RESET_PASSWORD = z
  .strictObject({ passwordConfirmation: repeated, password: chosen, code: text, deviceId })
  .check(samePassword, shortDeviceId);
export const EMAIL = z.object({ email });
export const FORGOT_PASSWORD = z.strictObject({ email });
export const CONFIRMATION = z.object({ confirmation: text });
export const REFRESH = z.object({ refreshToken: textOrNull });
export const LOGOUT = z
  .object({ refreshToken: textOrNull, deviceId, scope: later({ enum: ['all'] }) })
  .check(shortDeviceId);
export const CREATE_USER = z.object({
  email,
  username: required,
  password: newPassword,
  role,
  ...flags,
});
export const UPDATE_USER = z.object({
  email: z.optional(givenEmail),
  username: z.optional(given),
  // Of null and empty the caller tells.
  password: z.optional(z.nullable(changedPassword)),
  role: z.optional(role),
  ...flags,
});

/** The body of a route, or its query. */
export type BodySchema = z.ZodMiniObject;
