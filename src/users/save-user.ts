/**
 * @module Writes one user: planned like any document, with the rows of the roles that it may be linked to.
 */
import { rolesOf } from '../auth/roles.ts';
import { assemble } from '../document/assemble.ts';
import type { Document } from '../document/document.ts';
import { application } from '../errors.ts';
import { readerOf } from '../execute/call.ts';
import type { Caller, Change } from '../execute/caller.ts';
import { systemCurrent, systemWrite, type Target } from '../execute/system-rows.ts';
import { NO_LOCALE } from '../plan/model/versions.ts';
import type { Current, WriteRequest } from '../plan/model/write-request.ts';
import { planOne } from '../plan/read/plan-read.ts';
import { refuseExcess } from '../plan/validate/body-size.ts';
import { duplicateValue, uniqueViolation } from '../plan/validate/unique-values.ts';
import { rotatedStamps } from '../plan/write/invalidation.ts';
import { planWrite } from '../plan/write/plan-write.ts';
import { nameKey } from '../registry/name-key.ts';
import { ROLE_UID } from '../registry/system-types.ts';
import type { InputData } from '../request/body.ts';
import { NO_PARAMS } from '../request/plain-params.ts';
import { ensureRoles } from '../sql/accounts/roles.ts';
import { type Account, assertNamesFree, type Names } from '../sql/accounts/users.ts';
import { AssertionFailed, DuplicateValue } from '../sql/batch.ts';
import { mapped } from '../sql/compiled.ts';
import { compileRead } from '../sql/read/select.ts';
import type { Statement } from '../sql/statement.ts';
import { compileWrite } from '../sql/write/mutate.ts';
import { assertUnchangedRow } from '../sql/write/preconditions.ts';
import { type UserCall, userType } from './call.ts';
import type { OwnAnswers } from './own-data.ts';
import { planWithoutSecrets } from './shown-values.ts';

export interface Save {
  /** The user that is changed; absent: a new one. */
  readonly account?: Account;
  readonly data: InputData;
  /** Attributes whose value another user has. */
  readonly taken?: ReadonlySet<string>;
  /** What the database has of the project's own attributes; absent: the data is not about them. */
  readonly own?: OwnAnswers;
  /** Further changes in the same batch, after the user's own. */
  readonly also?: readonly Statement[];
  /** Does the answer show the role, where the caller may see it? */
  readonly withRole?: boolean;
}

/** Aborts the batch when the user was written or deleted since it was read. */
export const assertUnchangedUser = (call: UserCall, { id, updatedAt }: Account): Statement =>
  assertUnchangedRow(userType(call), id, updatedAt);

/** The roles that a body may name are known without the database. */
function roleTargets({ settings }: UserCall) {
  const rows = rolesOf(settings).map(({ id, documentId }) => ({ id, documentId, locale: NO_LOCALE, published: true }));
  return new Map([[ROLE_UID, rows]]);
}

/** The names that a body gives a user; those that the user has already are not looked for. */
export function namesOf({ settings }: UserCall, { username, email }: InputData, account?: Account): Names {
  return {
    username: username === account?.username ? undefined : username,
    email: typeof email === 'string' && email.toLowerCase() === account?.email ? undefined : email,
    but: account?.id ?? 0,
    caseSensitive: settings.users.caseSensitiveNames,
  };
}

const keysOf = ({ username, email }: InputData): InputData => ({
  ...(typeof username === 'string' && { usernameKey: nameKey(username) }),
  ...(typeof email === 'string' && { emailKey: nameKey(email) }),
});

/** Codes and times that only the server writes. */
const UNSENT: ReadonlySet<string> = new Set(['resetPasswordToken', 'confirmationToken', 'passwordChangedAt']);

/** What of the data was sent, or follows from what was: errors repeat nothing else. */
const sentOf = (data: InputData): InputData =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !UNSENT.has(name)));

const NAMES: ReadonlySet<string> = new Set(['UNIQUE.username', 'UNIQUE.email']);

function explained(failure: unknown, request: WriteRequest): unknown {
  if (failure instanceof AssertionFailed) {
    const other = NAMES.has(failure.code) ? undefined : uniqueViolation(failure.code, request);
    return other ?? application('Email or Username are already taken');
  }
  return failure instanceof DuplicateValue ? duplicateValue(failure.index, request) : failure;
}

/** What is known of the user, and of what the body names. */
function currentOf(call: UserCall, target: Target, { taken = new Set(), own }: Save): Current {
  const found = own?.current ?? {};
  const targets = new Map([...(found.targets ?? []), ...roleTargets(call)]);
  const usual = systemCurrent(target, { ...found, targets, taken: new Set([...taken, ...(found.taken ?? [])]) });
  return usual.row && found.row ? { ...usual, row: { ...usual.row, values: found.row.values } } : usual;
}

/**
 * The user as the caller may see it is the result.
 * @throws ApiError 400 for values that break a rule of the user type, and for more of them than may be.
 */
export function saveUser(call: UserCall, caller: Caller, save: Save): Change<Document> {
  const { account, data, own, also = [], withRole = false } = save;
  const type = userType(call);
  refuseExcess(data, type, call.registry, call.settings.api.rest.limits);
  const target = account ?? { documentId: call.newDocumentId };
  const request = { ...systemWrite(call, type, target, { ...data, ...keysOf(data) }), sent: sentOf(data) };
  const current = currentOf(call, target, save);
  const plan = planWithoutSecrets(type, call.registry, () => planWrite(request, current, caller.writeContext));
  const params = withRole ? { ...NO_PARAMS, populate: { kind: 'paths', texts: ['role'] } as const } : NO_PARAMS;
  const readBack = planOne(params, type, request.documentId, readerOf(call, caller));
  const roles = 'role' in data ? [ensureRoles(rolesOf(call.settings))] : [];
  const unchanged = account ? [assertUnchangedUser(call, account)] : [];
  const free = 'username' in data || 'email' in data ? [assertNamesFree(namesOf(call, data, account))] : [];
  return {
    statements: [...roles, ...unchanged, ...(own?.unchanged ?? []), ...free, ...compileWrite(plan), ...also],
    result: mapped(compileRead(readBack), ({ rows }) => {
      const [user] = assemble(rows, readBack);
      if (!user) throw new Error('a user who was written is not there');
      return user;
    }),
    stamps: rotatedStamps(plan),
    explain: (failure) => explained(failure, request),
  };
}
