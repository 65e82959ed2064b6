/**
 * @module What every request about users starts from, and what it may show of them.
 */
import { type Credential, doubted } from '../auth/credential.ts';
import type { Grants } from '../auth/grants.ts';
import type { Session } from '../auth/perform.ts';
import type { Settings } from '../config.ts';
import { assemble, type Document } from '../document/assemble.ts';
import { ApiError, forbidden } from '../errors.ts';
import { planOne, type Reader } from '../plan/plan-read.ts';
import type { ContentType, Registry } from '../registry/model.ts';
import { USER_UID } from '../registry/system-types.ts';
import type { InputData } from '../request/body.ts';
import { NO_PARAMS } from '../request/plain-params.ts';
import type { RawQuery } from '../request/query-string.ts';
import type { Row } from '../sql/batch.ts';
import type { EmailSender } from './email.ts';

export interface UserCall extends Session {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly credential: Credential;
  readonly query: () => RawQuery;
  /** Parses the body; called only once the caller is known to be allowed. */
  readonly body: () => InputData;
  readonly newDocumentId: string;
  /** `:id` of the path. */
  readonly id: string;
  readonly jwtSecret: string | undefined;
  /** A refresh token that came in a cookie. */
  readonly refreshCookie: string | undefined;
  readonly userAgent: string;
  /** `https://host` that links in messages begin with. */
  readonly publicUrl: string;
  readonly email: EmailSender;
}

/** @throws ApiError 403 unless `plugin::users-permissions.<action>` is granted. */
export function refuse({ allows }: Grants, action: string): void {
  if (!allows(`plugin::users-permissions.${action}`)) throw forbidden();
}

export function userType({ registry }: UserCall): ContentType {
  const type = registry.contentTypes.get(USER_UID);
  if (!type) throw new Error(`${USER_UID} is no content type`);
  return type;
}

export const readerOf = ({ registry, settings }: UserCall, { grants }: Credential): Reader => ({
  registry,
  settings,
  grants,
});

/** The only row of a statement. */
export const rowOf = (results: readonly (readonly Row[])[], statement = 0): Row | undefined => results[statement]?.[0];

/** A whole row of the table, as the caller may see it, without relations. */
export const shown = (row: Row, call: UserCall, credential: Credential): Document =>
  assemble(row, planOne(NO_PARAMS, userType(call), undefined, readerOf(call, credential)));

/** How often a write is planned again because another one came between its reading and its writing. */
const ATTEMPTS = 5;

/**
 * Repeats an attempt until it comes to something; from the second one on the caller is looked up, and told when he is out.
 * @throws ApiError 503 when it never does.
 */
export async function insist<T>(call: UserCall, once: (call: UserCall) => Promise<T | undefined>): Promise<T> {
  const doubting = { ...call, credential: doubted(call.credential) };
  for (let tries = 0; tries < ATTEMPTS; tries += 1) {
    const result = await once(tries > 0 ? doubting : call);
    if (result !== undefined) return result;
  }
  throw new ApiError({ kind: 'overloaded', retryAfter: 1 });
}
