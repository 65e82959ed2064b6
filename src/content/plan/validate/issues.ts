/**
 * @module Builds issues, in Strapi's words.
 */
import { type Issue, MAX_ISSUES } from '../../../common/errors.ts';

export type IssuePath = readonly string[];

export const NOT_UNIQUE = 'This attribute must be unique';

export const issueAt = (path: IssuePath, message: string, value?: unknown): Issue => ({
  path,
  message,
  ...(value !== undefined && { value }),
});

/** Checks items in order, until the maximum number of issues is reached. */
export function checkEach(
  list: readonly unknown[],
  path: IssuePath,
  check: (item: unknown, path: IssuePath) => readonly Issue[],
): readonly Issue[] {
  const issues: Issue[] = [];
  for (let index = 0; index < list.length && issues.length < MAX_ISSUES; index += 1)
    issues.push(...check(list[index], [...path, String(index)]));
  return issues;
}

function printSimple(value: unknown): string | undefined {
  if (typeof value === 'string') return `"${value}"`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  return value === null || value === undefined || typeof value === 'boolean' ? String(value) : undefined;
}

/** Characters of a printed value; a longer one is cut off, and not indented. */
const MAX_PRINTED = 2_000;

const cut = (text: string): string => `${text.slice(0, MAX_PRINTED)}…`;

/** Quotes texts; prints lists and objects as indented JSON of printed leaves, which are quoted twice. */
function printValue(value: unknown): string {
  if (typeof value === 'string' && value.length > MAX_PRINTED) return `"${cut(value)}"`;
  const simple = printSimple(value);
  if (simple !== undefined) return simple;
  const plain = JSON.stringify(value);
  if (plain.length > MAX_PRINTED) return cut(plain);
  return JSON.stringify(value, (_, item: unknown) => printSimple(item) ?? item, 2);
}

/** ``title must be a `string` type, but the final value was: `null`.`` and its longer form for converted values. */
export function wrongType(path: string, type: string, value: unknown, original: unknown): string {
  const converted = original !== null && original !== undefined && !Object.is(original, value);
  const tail = converted ? ` (cast from the value \`${printValue(original)}\`).` : '.';
  return `${path} must be a \`${type}\` type, but the final value was: \`${printValue(value)}\`${tail}`;
}

/** `['facts', '0', 'label']` → `facts[0].label` */
export const printPath = (path: IssuePath): string =>
  path.reduce((text, key) => (/^\d+$/.test(key) ? `${text}[${key}]` : text ? `${text}.${key}` : key), '');
