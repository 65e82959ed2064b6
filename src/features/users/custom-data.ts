/**
 * @module Custom user attributes in a body: their values, and the preconditions of their write.
 */
import type { Grants } from '../../access/grants.ts';
import { readCurrent } from '../../content/document/current.ts';
import { visibleTargets } from '../../content/operations/grant-check.ts';
import { systemWrite, type Target } from '../../content/operations/system-rows.ts';
import type { Current } from '../../content/plan/model/write-request.ts';
import { rejectExcess } from '../../content/plan/validate/body-size.ts';
import { rejectMixed } from '../../content/plan/validate/mixed-relations.ts';
import { checkKeys } from '../../content/plan/validate/validate-keys.ts';
import { planPreconditions } from '../../content/plan/write/preconditions.ts';
import type { InputData } from '../../content/request/body.ts';
import { rejectsMixedRelations } from '../../content/runtime/call.ts';
import { type Compiled, constant, mapped } from '../../content/sql/compiled.ts';
import type { Statement } from '../../content/sql/statement.ts';
import { compilePreconditions } from '../../content/sql/write/preconditions.ts';
import { ownAttributes } from '../../schema/user-type.ts';
import { type UserCall, userType } from './call.ts';

/** The preconditions of a write of custom attributes. */
export interface CustomCurrent {
  readonly current: Partial<Current>;
  /** Guards that they are unchanged. */
  readonly unchanged: readonly Statement[];
}

export function customData(call: UserCall, body: InputData): InputData {
  const names = [...ownAttributes(userType(call)).keys()].filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(names.map((name) => [name, body[name]]));
}

/** The custom attributes that the settings allow users to set when they register. */
export function allowedData(call: UserCall): InputData {
  const { allowedFields } = call.settings.users.register;
  const data = Object.entries(customData(call, call.body()));
  return Object.fromEntries(data.filter(([name]) => allowedFields.includes(name)));
}

/**
 * @param target absent: nothing to read, since the user or the data is missing
 * @param grants limit relations to what the caller may find
 * @throws ApiError 400 for too much data, and for keys that are not writable, and for mixed relations
 */
export function readCustom(
  call: UserCall,
  target: Target | undefined,
  data: InputData,
  grants: Grants,
): Compiled<CustomCurrent> {
  const { registry, settings } = call;
  const type = { ...userType(call), attributes: ownAttributes(userType(call)) };
  if (!target || type.attributes.size === 0) return constant({ current: {}, unchanged: [] });
  rejectExcess(data, type, registry, settings.api.rest.limits);
  const isStrict = rejectsMixedRelations(call);
  checkKeys(data, type, registry, grants, { isRestoring: false, emptySetClears: isStrict });
  if (isStrict) rejectMixed(data, type.attributes, registry);
  const visible = visibleTargets(call, { grants });
  const preconditions = planPreconditions({ ...systemWrite(call, type, target, data), visible });
  return mapped(compilePreconditions(preconditions), (rows) => ({
    current: readCurrent(preconditions, rows),
    unchanged: rows.unchanged,
  }));
}
