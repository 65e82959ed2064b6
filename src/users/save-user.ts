/**
 * @module Writes one user: planned like any document, with the rows of the roles that it may be linked to.
 */
import type { Credential } from '../auth/credential.ts';
import { rolesOf } from '../auth/roles.ts';
import { assemble, type Document } from '../document/assemble.ts';
import { application } from '../errors.ts';
import { readerOf } from '../execute/call.ts';
import type { Change } from '../execute/commit.ts';
import type { RequestMeans } from '../execute/means.ts';
import { systemCurrent, systemWrite } from '../execute/system-rows.ts';
import { refuseExcess } from '../plan/body-size.ts';
import { planOne } from '../plan/plan-read.ts';
import { planWrite } from '../plan/plan-write.ts';
import { touchedBy } from '../plan/touched.ts';
import { NO_LOCALE } from '../plan/versions.ts';
import { ROLE_UID } from '../registry/system-types.ts';
import type { InputData } from '../request/body.ts';
import { NO_PARAMS } from '../request/plain-params.ts';
import type { Account } from '../sql/accounts.ts';
import { AssertionFailed } from '../sql/batch.ts';
import { mapped } from '../sql/compiled.ts';
import { compileWrite } from '../sql/mutate.ts';
import { assertUnchangedRow } from '../sql/questions.ts';
import { ensureRoles } from '../sql/roles.ts';
import { compileRead } from '../sql/select.ts';
import type { Statement } from '../sql/statement.ts';
import { type UserCall, userType } from './call.ts';

export interface Save {
  /** The user that is changed; absent: a new one. */
  readonly account?: Account;
  readonly data: InputData;
  /** Attributes whose value somebody else has. */
  readonly taken?: ReadonlySet<string>;
  /** Further changes in the same batch, after the user's own. */
  readonly also?: readonly Statement[];
  /** Does the answer show the role, where the caller may see it? */
  readonly withRole?: boolean;
}

/** Aborts the batch when the user was written or deleted since it was read. */
export const assertUnchanged = (call: UserCall, { id, updatedAt }: Account): Statement =>
  assertUnchangedRow(userType(call), id, updatedAt);

/** The roles that a body may name are known without the database. */
function roleTargets({ settings }: UserCall) {
  const rows = rolesOf(settings).map(({ id, documentId }) => ({ id, documentId, locale: NO_LOCALE, published: true }));
  return new Map([[ROLE_UID, rows]]);
}

const explained = (failure: unknown): unknown =>
  failure instanceof AssertionFailed ? application('Email or Username are already taken') : failure;

/**
 * The user as the caller may see it is the result.
 * @throws ApiError 400 for values that break a rule of the user type, and for more of them than may be.
 */
export function saveUser(call: UserCall, caller: Credential, means: RequestMeans, save: Save): Change<Document> {
  const { account, data, taken = new Set(), also = [], withRole = false } = save;
  const type = userType(call);
  refuseExcess(data, type, call.registry, call.settings.api.rest.limits);
  const target = account ?? { documentId: call.newDocumentId };
  const request = systemWrite(call, type, target, data);
  const plan = planWrite(request, systemCurrent(target, { taken, targets: roleTargets(call) }), means);
  const params = withRole ? { ...NO_PARAMS, populate: { kind: 'paths', texts: ['role'] } as const } : NO_PARAMS;
  const readBack = planOne(params, type, request.documentId, readerOf(call, caller));
  const roles = 'role' in data ? [ensureRoles(rolesOf(call.settings), call.now)] : [];
  const unchanged = account ? [assertUnchanged(call, account)] : [];
  return {
    statements: [...roles, ...unchanged, ...compileWrite(plan), ...also],
    result: mapped(compileRead(readBack), ({ rows: [row] }) => {
      if (!row) throw new Error('a user who was written is not there');
      return assemble(row, readBack);
    }),
    touched: touchedBy(plan),
    explain: explained,
  };
}
