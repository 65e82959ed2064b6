/**
 * @module Writes one user, planned like a document.
 */

import { application } from '../../common/errors.ts';
import { rolesOf } from '../../content/credentials/roles.ts';
import { ensureRoles } from '../../content/credentials/sql/roles.ts';
import type { Document } from '../../content/document/document.ts';
import { shownDocuments } from '../../content/operations/response.ts';
import { systemCurrent, systemWrite, type Target } from '../../content/operations/system-rows.ts';
import { writeFailure } from '../../content/operations/write-parts.ts';
import type { TargetRow } from '../../content/plan/model/links.ts';
import { NO_LOCALE } from '../../content/plan/model/versions.ts';
import type { Current, WriteContext, WriteRequest } from '../../content/plan/model/write-request.ts';
import { planOne } from '../../content/plan/read/plan-read.ts';
import { rejectExcess } from '../../content/plan/validate/body-size.ts';
import { rotatedStamps } from '../../content/plan/write/invalidation.ts';
import { planWrite } from '../../content/plan/write/plan-write.ts';
import type { InputData } from '../../content/request/body.ts';
import { NO_PARAMS } from '../../content/request/plain-params.ts';
import { readerOf } from '../../content/runtime/call.ts';
import type { AtomicChange, Caller } from '../../content/runtime/caller.ts';
import { AssertionFailed } from '../../content/sql/batch.ts';
import { mapped } from '../../content/sql/compiled.ts';
import { compileRead } from '../../content/sql/read/select.ts';
import type { Statement } from '../../content/sql/statement.ts';
import { compileWrite } from '../../content/sql/write/mutate.ts';
import { assertUnchangedRow } from '../../content/sql/write/preconditions.ts';
import { nameKey } from '../../schema/name-key.ts';
import { ROLE_UID } from '../../schema/system-types.ts';
import { type UserCall, type UserContext, userType } from './call.ts';
import type { CustomCurrent } from './custom-data.ts';
import { planWithoutSecrets } from './shown-values.ts';
import { type Account, assertNamesFree, type Names, type Taken } from './sql/users.ts';

export interface Save {
  /** Absent for a new user. */
  readonly account?: Account;
  readonly data: InputData;
  /** Attributes whose value another user has. */
  readonly taken?: ReadonlySet<string>;
  /** Absent without custom attributes. */
  readonly own?: CustomCurrent;
  /** Further changes of the batch. */
  readonly also?: readonly Statement[];
  /** Does the response populate the role? */
  readonly withRole?: boolean;
}

/** Aborts the batch if the user was changed or deleted concurrently. */
export const assertUnchangedUser = (call: UserContext, { id, updatedAt }: Account): Statement =>
  assertUnchangedRow(userType(call), id, updatedAt);

/** The names of a body; the user's current names are undefined, and not looked up. */
export function namesOf({ settings }: UserContext, { username, email }: InputData, account?: Account): Names {
  return {
    username: username === account?.username ? undefined : username,
    email: typeof email === 'string' && email.toLowerCase() === account?.email ? undefined : email,
    but: account?.id ?? 0,
    caseSensitive: settings.users.caseSensitiveNames,
  };
}

/** @throws ApiError 400, as in a registration */
export function rejectTaken({ email, username }: Taken): void {
  if (email || username) throw application('Email or Username are already taken');
}

const keysOf = ({ username, email }: InputData): InputData => ({
  ...(typeof username === 'string' && { usernameKey: nameKey(username) }),
  ...(typeof email === 'string' && { emailKey: nameKey(email) }),
});

/** Another address is not proven, unless the write proves it. */
function proofOf({ email, emailProven }: InputData, account: Account | undefined): InputData {
  const isMoved = typeof email === 'string' && email !== account?.email;
  return isMoved && emailProven === undefined ? { emailProven: false } : {};
}

/** Codes, times and proofs that only the server writes; errors do not repeat them. */
const UNSENT: ReadonlySet<string> = new Set([
  'resetPasswordToken',
  'confirmationToken',
  'passwordChangedAt',
  'emailProven',
]);

const NAMES: ReadonlySet<string> = new Set(['UNIQUE.username', 'UNIQUE.email']);

const userFailure = (failure: unknown, request: WriteRequest): unknown =>
  failure instanceof AssertionFailed && NAMES.has(failure.code)
    ? application('Email or Username are already taken')
    : writeFailure(failure, request);

/** Roles are settings, so relations to them need no read. */
function currentOf(call: UserContext, target: Target, { taken = new Set(), own }: Save): Current {
  const found = own?.current ?? {};
  const roles: readonly TargetRow[] = rolesOf(call.settings).map(({ id, documentId }) => {
    return { id, documentId, locale: NO_LOCALE, published: true };
  });
  const targets = new Map([...(found.targets ?? []), [ROLE_UID, roles] as const]);
  const current = systemCurrent(target, { ...found, targets, taken: new Set([...taken, ...(found.taken ?? [])]) });
  return current.row && found.row ? { ...current, row: { ...current.row, values: found.row.values } } : current;
}

/** Plans the row, without what the caller adds. @throws ApiError 400 for invalid values, or too many of them */
export function planUser(call: UserContext, save: Save, newDocumentId: string, writeContext: WriteContext) {
  const { account, data, own, also = [] } = save;
  const type = userType(call);
  rejectExcess(data, type, call.registry, call.settings.api.rest.limits);
  const target = account ?? { documentId: newDocumentId };
  const sent = Object.fromEntries(Object.entries(data).filter(([name]) => !UNSENT.has(name)));
  const request = { ...systemWrite(call, type, target, { ...data, ...keysOf(data), ...proofOf(data, account) }), sent };
  const current = currentOf(call, target, save);
  const plan = planWithoutSecrets(type, call.registry, () => planWrite(request, current, writeContext));
  const roles = 'role' in data ? [ensureRoles(rolesOf(call.settings))] : [];
  const unchanged = account ? [assertUnchangedUser(call, account)] : [];
  const free = 'username' in data || 'email' in data ? [assertNamesFree(namesOf(call, data, account))] : [];
  const statements = [...roles, ...unchanged, ...(own?.unchanged ?? []), ...free, ...compileWrite(plan), ...also];
  return { request, statements, stamps: rotatedStamps(plan) };
}

/** Its result is the user as the caller may see it. @throws ApiError 400 for invalid values, or too many of them */
export function saveUser(call: UserCall, caller: Caller, save: Save): AtomicChange<Document> {
  const { request, statements, stamps } = planUser(call, save, call.newDocumentId, caller.writeContext);
  const params = save.withRole ? { ...NO_PARAMS, populate: { kind: 'paths', texts: ['role'] } as const } : NO_PARAMS;
  const readBack = planOne(params, userType(call), request.document, readerOf(call, caller));
  return {
    statements,
    result: mapped(compileRead(readBack), ({ rows }) => {
      const [user] = shownDocuments(rows, readBack, call);
      if (!user) throw new Error('the user that was written is missing');
      return user;
    }),
    stamps,
    explain: (failure) => userFailure(failure, request),
  };
}
