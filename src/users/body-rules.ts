/**
 * @module Bodies of `/api/auth` and `/api/users` → what their schemas make of them, or a refusal in the reference's words.
 */
import type * as z from 'zod/mini';
import { type Issue, invalid, invalidDocument } from '../errors.ts';
import { printPath, wrongType } from '../plan/messages.ts';
import { type BodySchema, REGISTER } from '../registry/account-bodies.ts';
import type { InputData } from '../request/body.ts';
import { withoutSecret } from './shown-values.ts';

/** The words of the rules that have none of their own: a required text that is not there, or is no text. */
function words({ path = [], input }: z.core.$ZodRawIssue): string {
  const name = printPath(path.map(String));
  const absent = input === undefined || input === '';
  return absent ? `${name} is a required field` : wrongType(name, 'string', input, input);
}

/** A list in place of a text is reported as the wrong type, and not also as too short. */
const isTold = (issue: z.core.$ZodIssue): boolean => issue.code !== 'too_small' || issue.origin === 'string';

/** In the order of the schema's keys. */
function issuesOf(issues: readonly z.core.$ZodIssue[], body: InputData, schema: BodySchema): readonly Issue[] {
  return Object.keys(schema.shape).flatMap((key) => {
    const found = issues.filter((issue) => issue.path[0] === key && isTold(issue));
    return found.map(({ message }) => ({ path: [key], message, value: body[key] }));
  });
}

/**
 * Checks a body.
 * @param more what else is wrong with it, reported last.
 * @throws ApiError 400 with everything that is wrong with it, or that names the keys which nobody may set.
 */
export function checkBody(body: InputData, schema: BodySchema, more: readonly Issue[] = []): void {
  const { success, error } = schema.safeParse(body, { error: words });
  if (success && more.length === 0) return;
  const { issues } = error ?? { issues: [] };
  const others = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  if (others.length > 0 && schema === REGISTER) throw invalid(`Invalid parameters: ${others.join(', ')}`);
  const unknown = { path: [], message: `this field has unspecified keys: ${others.join(', ')}`, value: body };
  const all = [...issuesOf(issues, body, schema), ...(others.length > 0 ? [unknown] : []), ...more];
  throw invalidDocument(all.map((issue) => withoutSecret(issue)));
}
