/**
 * @module Values of the caller in the filters of rules: `$user`, `$user.<attribute>`, `$now`.
 */
import type { RuleCaller } from '../../auth/rule.ts';
import { type ApiError, invalid } from '../../common/errors.ts';
import type { Attribute, ContentType, Registry } from '../../registry/model.ts';
import { systemType, USER_UID } from '../../registry/system-types.ts';
import type { FilterNode, WrittenOperand } from '../../request/filters.ts';
import { identityOf } from '../model/resolve.ts';

export type Comparing = Extract<FilterNode, { kind: 'comparison' }>;

const OF_USER = '$user.';

export const namesUser = (operand: WrittenOperand): operand is string =>
  operand === '$user' || (typeof operand === 'string' && operand.startsWith(OF_USER));

/** Does a filter name the user anywhere? */
export const namesUserIn = (filter: unknown): boolean => /"\$user(\.[^"]*)?"/.test(JSON.stringify(filter));

/** Replaces `$user` by the id, and `$now` by the time; undefined if the caller is no user. */
export function withCaller(node: Comparing, { user, now }: RuleCaller): Comparing | undefined {
  if (user === undefined && node.operands.some(namesUser)) return undefined;
  const operands = node.operands.map((operand) => {
    if (operand === '$now') return new Date(now).toISOString();
    return operand === '$user' ? String(user) : operand;
  });
  return { ...node, operands };
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
  if (!attribute || (attribute.kind === 'scalar' && attribute.type === 'password'))
    throw invalid(`A user has no attribute "${name}"`);
  return { type, attribute };
}
