/**
 * @module Validator issues of an account input → an error in Strapi's words and order.
 */
import type * as z from 'zod/mini';
import { type Issue, invalid, invalidDocument } from '../../common/errors.ts';
import { printPath, wrongType } from '../../content/plan/validate/issues.ts';
import type { InputData } from '../../content/request/body.ts';
import type { BodySchema } from '../../schema/account-bodies.ts';
import type { AccountAction } from '../../schema/account-routes.ts';
import { changedRoleIssues, newRoleIssues } from './role-rules.ts';
import { withoutSecret } from './shown-values.ts';

/** The message of rules without one: a required text that is missing, or is no text. */
function words({ path = [], input }: z.core.$ZodRawIssue): string {
  const name = printPath(path.map(String));
  const absent = input === undefined || input === '';
  return absent ? `${name} is a required field` : wrongType(name, 'string', input, input);
}

/** A list instead of a text has the wrong type, and is not also too short. */
const isReported = (issue: z.core.$ZodIssue): boolean => issue.code !== 'too_small' || issue.origin === 'string';

/** Orders issues by the schema's keys. A device id that is too long is not repeated. */
function issuesOf(issues: readonly z.core.$ZodIssue[], input: InputData, schema: BodySchema): readonly Issue[] {
  return Object.keys(schema.shape).flatMap((key) => {
    const found = issues.filter((issue) => issue.path[0] === key && isReported(issue));
    return found.map(({ message }) => ({ path: [key], message, ...(key !== 'deviceId' && { value: input[key] }) }));
  });
}

/** Reported last. */
const ROLE_ISSUES: Partial<Record<AccountAction, typeof newRoleIssues>> = {
  'user.create': newRoleIssues,
  'user.update': changedRoleIssues,
};

/** @param isStrict as in `newRoleIssues`. @throws ApiError 400 with all issues of the input */
export function parseInput(action: AccountAction, schema: BodySchema, input: InputData, isStrict: boolean) {
  const { data, error } = schema.safeParse(input, { error: words });
  const issues = error?.issues ?? [];
  const others = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  if (others.length > 0 && action === 'auth.register') throw invalid(`Invalid parameters: ${others.join(', ')}`);
  const unknown = { path: [], message: `this field has unspecified keys: ${others.join(', ')}`, value: input };
  const all = [
    ...issuesOf(issues, input, schema),
    ...(others.length > 0 ? [unknown] : []),
    ...(ROLE_ISSUES[action]?.(input.role, isStrict) ?? []),
  ];
  if (all.length > 0) throw invalidDocument(all.map((issue) => withoutSecret(issue)));
  return data;
}
