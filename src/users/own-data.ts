/**
 * @module Attributes that the project has added to its users, in a body: what a write has to know of them before it is
 * planned.
 */
import { EVERYTHING, type Grants } from '../auth/grants.ts';
import { readCurrent } from '../document/current.ts';
import { systemWrite, type Target } from '../execute/system-rows.ts';
import type { Current } from '../plan/model/write-request.ts';
import { refuseExcess } from '../plan/validate/body-size.ts';
import { checkKeys } from '../plan/validate/validate-keys.ts';
import { planPreconditions } from '../plan/write/preconditions.ts';
import { ownAttributes } from '../registry/user-type.ts';
import type { InputData } from '../request/body.ts';
import { type Compiled, constant, mapped } from '../sql/compiled.ts';
import type { Statement } from '../sql/statement.ts';
import { compilePreconditions } from '../sql/write/preconditions.ts';
import { type UserCall, userType } from './call.ts';

/** What the database has of the project's own attributes of a user. */
export interface OwnAnswers {
  readonly current: Partial<Current>;
  /** Guards: it is so still. */
  readonly unchanged: readonly Statement[];
}

const NOTHING: OwnAnswers = { current: {}, unchanged: [] };

/** The part of a body that is about them. */
export function ownData(call: UserCall, body: InputData): InputData {
  const names = [...ownAttributes(userType(call)).keys()].filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(names.map((name) => [name, body[name]]));
}

/** What people who register may say of themselves, by the settings. */
export function allowedData(call: UserCall): InputData {
  const { allowedFields } = call.settings.users.register;
  const body = ownData(call, call.body());
  return Object.fromEntries(Object.entries(body).filter(([name]) => allowedFields.includes(name)));
}

/**
 * Asks what the write of these attributes depends on.
 * @param target absent: there is no such user, or the update is not about these attributes, and nothing is asked
 * @param grants the caller links to what the caller may list; by default to everything, where the settings have let the
 * attribute in
 * @throws ApiError 400 for too much data, and for keys that no write may set
 */
export function askOwn(
  call: UserCall,
  target: Target | undefined,
  data: InputData,
  grants: Grants = EVERYTHING,
): Compiled<OwnAnswers> {
  const { registry, settings } = call;
  const type = { ...userType(call), attributes: ownAttributes(userType(call)) };
  if (!target || type.attributes.size === 0) return constant(NOTHING);
  refuseExcess(data, type, registry, settings.api.rest.limits);
  checkKeys(data, type, registry, grants);
  const preconditions = planPreconditions(systemWrite(call, type, target, data));
  return mapped(compilePreconditions(preconditions), (answers) => ({
    current: readCurrent(preconditions, answers),
    unchanged: answers.unchanged,
  }));
}
