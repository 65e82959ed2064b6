/**
 * @module What a validator finds wrong with the input of a route of users → an error in Strapi's words and order.
 */
import type * as z from 'zod/mini';
import type { ZodSafeParseResult } from 'zod/v4';
import { type ApiError, type Issue, invalid, invalidDocument } from '../errors.ts';
import { printPath, wrongType } from '../plan/validate/messages.ts';
import type { BodySchema } from '../registry/account-bodies.ts';
import type { AccountAction } from '../registry/account-routes.ts';
import type { InputData } from '../request/body.ts';
import { changedRoleIssues, newRoleIssues } from './role-rules.ts';
import { withoutSecret } from './shown-values.ts';

/** The words of the rules that have none of their own: a required text that is not there, or is no text. */
function words({ path = [], input }: z.core.$ZodRawIssue): string {
  const name = printPath(path.map(String));
  const absent = input === undefined || input === '';
  return absent ? `${name} is a required field` : wrongType(name, 'string', input, input);
}

/** The type is that of `zod`, as validators want it: errors of `zod/mini` have fewer methods. */
export const parseInput = (schema: BodySchema, input: unknown) =>
  schema.safeParse(input, { error: words }) as ZodSafeParseResult<unknown>;

/** A list in place of a text is reported as the wrong type, and not also as too short. */
const isReported = (issue: z.core.$ZodIssue): boolean => issue.code !== 'too_small' || issue.origin === 'string';

/** In the order of the schema's keys. A device id that is too long is not repeated. */
function issuesOf(issues: readonly z.core.$ZodIssue[], input: InputData, schema: BodySchema): readonly Issue[] {
  return Object.keys(schema.shape).flatMap((key) => {
    const found = issues.filter((issue) => issue.path[0] === key && isReported(issue));
    return found.map(({ message }) => ({ path: [key], message, ...(key !== 'deviceId' && { value: input[key] }) }));
  });
}

/** Rules of the role, which are reported last. */
const ROLE_ISSUES: Partial<Record<AccountAction, (role: unknown) => readonly Issue[]>> = {
  'user.create': newRoleIssues,
  'user.update': changedRoleIssues,
};

/** 400 with everything that is wrong with an input, or that names the unknown keys. */
export function rejectionOf(
  action: AccountAction,
  schema: BodySchema,
  input: InputData,
  issues: readonly z.core.$ZodIssue[] = [],
): ApiError | undefined {
  const others = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  if (others.length > 0 && action === 'auth.register') return invalid(`Invalid parameters: ${others.join(', ')}`);
  const unknown = { path: [], message: `this field has unspecified keys: ${others.join(', ')}`, value: input };
  const all = [
    ...issuesOf(issues, input, schema),
    ...(others.length > 0 ? [unknown] : []),
    ...(ROLE_ISSUES[action]?.(input.role) ?? []),
  ];
  return all.length > 0 ? invalidDocument(all.map((issue) => withoutSecret(issue))) : undefined;
}
