/**
 * @module The bodies of `/api/auth` and `/api/users`, and the query of a confirmation link. Keys are in the order in which
 * Strapi reports their issues. `features/users/body-rules.ts` has the messages of required texts.
 */
import * as z from 'zod/mini';
import { isAccountEmail } from '../common/email-address.ts';
import { isObject, type JsonObject } from '../common/json.ts';

const MAX_PASSWORD_BYTES = 72;

const named =
  (rule: string) =>
  ({ path = [] }: z.core.$ZodRawIssue): string =>
    `${path.map(String).join('.')} ${rule}`;

/** Of the description only, like each `z.meta`. */
const isEmail = z.meta({ format: 'email' });
const isPassword = z.meta({ format: 'password' });

const text = z.string().check(z.minLength(1));
const password = text.check(isPassword);
const tooShort = named('must be at least 1 characters');
const given = z.string().check(z.minLength(1, { error: tooShort }));
/** Strapi reports an empty one twice. */
const required = given.check(z.minLength(1));
const valid = z.refine<string>(isAccountEmail, { error: named('must be a valid email') });
const email = z.string().check(z.minLength(1, { abort: true }), valid, isEmail);
const givenEmail = z.string().check(z.minLength(1, { error: tooShort, abort: true }), valid, isEmail);
/** An empty one does not match. */
const repeated = z.string().check(isPassword);
const changedPassword = z.string({ error: 'Password must be at least 1 character' }).check(isPassword);

const isShort = (value: string): boolean => new TextEncoder().encode(value).length <= MAX_PASSWORD_BYTES;
/** Strapi limits the passwords that users choose themselves, since it hashes with bcrypt. */
const chosen = password.check(z.refine<string>(isShort, { error: 'Password must be less than 73 bytes' }));

/** Validated where it is used. */
const later = z.optional(z.unknown());

/** Null for anything but a text that is not empty. */
const textOrNull = z.pipe(
  later.check(z.meta({ type: 'string' })),
  z.transform((value) => (typeof value === 'string' && value !== '' ? value : null)),
);
const deviceId = textOrNull;
const MAX_DEVICE_ID = 255;
/** Reported only without other issues. */
const shortDeviceId = z.refine<{ readonly deviceId: string | null }>(
  ({ deviceId: id }) => id === null || id.length <= MAX_DEVICE_ID,
  {
    path: ['deviceId'],
    error: `deviceId must be at most ${MAX_DEVICE_ID} characters`,
    when: ({ issues }) => issues.length === 0,
  },
);

/** Validated by `features/users/role-rules.ts`. */
const roles = 'id or documentId of a role, or {"connect": [{"id": …}]}';
const role = z.unknown().check(z.meta({ type: ['integer', 'string', 'object'], description: roles }));

const isSame = ({ password: first, passwordConfirmation: second }: JsonObject): boolean =>
  second === undefined || (first === second && second !== '');

/** Reported together with other issues. */
const samePassword = z.refine<JsonObject>(isSame, {
  path: ['passwordConfirmation'],
  error: ({ input }) =>
    isObject(input) && input.password === input.passwordConfirmation
      ? 'passwordConfirmation is a required field'
      : 'Passwords do not match',
  when: () => true,
});

const flag = later.check(z.meta({ type: 'boolean' }));
const flags = { confirmed: flag, blocked: flag };

export const LOGIN = z.object({ identifier: text, password, deviceId }).check(shortDeviceId);
export const REGISTER = z.strictObject({ email, username: text, password: chosen });
/** @param names further keys, whose values are validated elsewhere */
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
export const CONFIRMATION = z.object({ confirmation: text, email: z.optional(email) });
export const REFRESH = z.object({ refreshToken: textOrNull });
const scope = later.check(z.meta({ enum: ['all'] }));
export const LOGOUT = z.object({ refreshToken: textOrNull, deviceId, scope }).check(shortDeviceId);
const requiredPassword = required.check(isPassword);
export const CREATE_USER = z.object({ email, username: required, password: requiredPassword, role, ...flags });
export const UPDATE_USER = z.object({
  email: z.optional(givenEmail),
  username: z.optional(given),
  // The handler reports null and empty ones.
  password: z.optional(z.nullable(changedPassword)),
  role: z.optional(role),
  ...flags,
});

/** The role is validated by `features/users/invite.ts`. */
const roleId = later.check(z.meta({ type: ['integer', 'string'] }));
export const INVITE = z.strictObject({ email, username: z.optional(given), role: roleId });
export const UPDATE_ME = z.strictObject({
  email: z.optional(givenEmail),
  username: z.optional(given),
  currentPassword: z.optional(repeated),
});

/** What a page has got from a sign-in at a provider, by the names that the exchange for tokens has. */
export const LINK_IDENTITY = z.strictObject({
  access_token: text,
  code_verifier: text,
  currentPassword: z.optional(repeated),
});

/** The schema of a body, or of a query. */
export type BodySchema = z.ZodMiniObject;
