/**
 * @module The bodies of account requests, and the query of a confirmation link, as JSON Schema. A test compares them with
 * the schemas that validate: zod's own converter would add 6 KB to the bundle.
 */
import type { AccountAction } from '../../schema/account-routes.ts';
import { booleanSchema, type JsonSchema, nullable, objectOf, text } from './json-schema.ts';

interface ObjectSchema extends JsonSchema {
  readonly properties: JsonSchema;
  readonly required?: readonly string[];
}

const filled: JsonSchema = { type: 'string', minLength: 1 };
const email = { ...filled, format: 'email' };
const repeated = { ...text, format: 'password' };
const password = { ...filled, format: 'password' };
const role: JsonSchema = {
  type: ['integer', 'string', 'object'],
  description: 'id or documentId of a role, or {"connect": [{"id": …}]}',
};
const flags = { confirmed: booleanSchema, blocked: booleanSchema };

const open = (required: JsonSchema, optional: JsonSchema = {}): ObjectSchema =>
  objectOf({ ...required, ...optional }, Object.keys(required)) as ObjectSchema;

const closed = (...fields: Parameters<typeof open>): ObjectSchema => ({
  ...open(...fields),
  additionalProperties: false,
});

export const ACCOUNT_SCHEMAS: Partial<Readonly<Record<AccountAction, ObjectSchema>>> = {
  'auth.callback': open({ identifier: filled, password }, { deviceId: text }),
  'auth.register': closed({ email, username: filled, password }),
  'auth.changePassword': closed(
    { passwordConfirmation: repeated, password, currentPassword: password },
    { deviceId: text },
  ),
  'auth.forgotPassword': closed({ email }),
  'auth.resetPassword': closed({ passwordConfirmation: repeated, password, code: filled }, { deviceId: text }),
  'auth.emailConfirmation': open({ confirmation: filled }, { email }),
  'auth.sendEmailConfirmation': open({ email }),
  'auth.refresh': open({}, { refreshToken: text }),
  'auth.logout': open({}, { refreshToken: text, deviceId: text, scope: { enum: ['all'] } }),
  'user.updateMe': closed({}, { email, username: filled, currentPassword: repeated }),
  'user.invite': closed({ email }, { username: filled, role: { type: ['integer', 'string'] } }),
  'user.create': open({ email, username: filled, password, role }, flags),
  'user.update': open({}, { email, username: filled, password: nullable(repeated), role, ...flags }),
};
