/**
 * @module Values of the caller in the filters of rules: `$user`, `$user.<attribute>`, `$now`.
 */
import type { RuleCaller } from '../../../access/rule.ts';
import { type ApiError, invalid } from '../../../common/errors.ts';
import { sameFor } from '../../../common/same-for.ts';
import { isPassword } from '../../../schema/attribute-kinds.ts';
import type { ScalarType } from '../../../schema/fields.ts';
import type { Attribute, ContentType, Registry } from '../../../schema/model.ts';
import { systemType, USER_UID } from '../../../schema/system-types.ts';
import type { FilterNode, WrittenOperand } from '../../request/filters.ts';
import type { Operand, TimeOperand } from '../model/read-plan.ts';
import { identityOf } from '../model/resolve.ts';

export type Comparing = Extract<FilterNode, { kind: 'comparison' }>;

const USER = '$user';
const OF_USER = `${USER}.`;

/** Does a filter name the user anywhere? */
export const namesUserIn = (filter: unknown): boolean => /"\$user(\.[^"]*)?"/.test(JSON.stringify(filter));

const NOW = '$now';

/** Replaces `$user` by the id, and `$now` by the time unless each request fills it; undefined for `$user` of a caller who is no user. */
export function withCaller(node: Comparing, caller: RuleCaller): Comparing | undefined {
  const { user, now } = caller;
  if (user === undefined && node.operands.includes(USER)) return undefined;
  const operands = node.operands.map((operand) => {
    if (operand === NOW && !isFilledLater(operand, caller)) return new Date(now).toISOString();
    return operand === USER ? String(user) : operand;
  });
  return { ...node, operands };
}

/** Is it `$now` in a plan that each request fills with its time? */
export const isFilledLater = (operand: WrittenOperand, caller: RuleCaller | undefined): boolean =>
  operand === NOW && caller?.isAnyTime === true;

/** The form of a time that `$now` has as an operand; absent: it has none, or is the same at any time. */
const FORM_OF_NOW: Readonly<Record<ScalarType, TimeOperand['time'] | undefined>> = {
  ...sameFor(['string', 'text', 'richtext', 'email', 'uid', 'password', 'enumeration', 'json', 'blocks'], 'string'),
  ...sameFor(['integer', 'decimal', 'float', 'biginteger', 'boolean', 'time'], undefined),
  date: 'date',
  datetime: 'datetime',
};

/** Returns the operand that each request fills. @param sample that of some time */
export function timeOperand(sample: Operand, type: ScalarType): Operand {
  const time = FORM_OF_NOW[type];
  return time ? { time } : sample;
}

/** Returns the attribute in `$user.<attribute>`. @throws ApiError 400 for an unknown one, and beside other operands */
export function userAttribute(
  { operands, operator }: Comparing,
  registry: Registry,
  reject: (expected: string) => ApiError,
): { readonly type: ContentType; readonly attribute: Attribute } | undefined {
  const named = operands.find((operand) => typeof operand === 'string' && operand.startsWith(OF_USER));
  if (typeof named !== 'string') return undefined;
  const isList = operator === '$in' || operator === '$notIn' || operator === '$between';
  if (operands.length > 1 || isList) throw reject('one value beside an operator for one value');
  const type = systemType(registry, USER_UID);
  const name = named.slice(OF_USER.length);
  const attribute = identityOf(name) ?? type.attributes.get(name);
  if (!attribute || isPassword(attribute)) throw invalid(`A user has no attribute "${name}"`);
  return { type, attribute };
}
