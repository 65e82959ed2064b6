/**
 * @module How the reference prints a value, and words a wrong type and a value that is taken.
 */

export const NOT_UNIQUE = 'This attribute must be unique';

function printSimple(value: unknown): string | undefined {
  if (typeof value === 'string') return `"${value}"`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  return value === null || value === undefined || typeof value === 'boolean' ? String(value) : undefined;
}

/** A value that is longer is shown by its beginning alone, and without indentation. */
const LONGEST_PRINTED = 2_000;

const cut = (text: string): string => `${text.slice(0, LONGEST_PRINTED)}…`;

/** Texts in quotes; lists and objects as indented JSON whose leaves are printed, and so quoted once more. */
function printValue(value: unknown): string {
  if (typeof value === 'string' && value.length > LONGEST_PRINTED) return `"${cut(value)}"`;
  const simple = printSimple(value);
  if (simple !== undefined) return simple;
  const plain = JSON.stringify(value);
  if (plain.length > LONGEST_PRINTED) return cut(plain);
  return JSON.stringify(value, (_, item: unknown) => printSimple(item) ?? item, 2);
}

/** ``title must be a `string` type, but the final value was: `null`.`` and its longer form for converted values. */
export function wrongType(path: string, type: string, value: unknown, original: unknown): string {
  const converted = original !== null && original !== undefined && !Object.is(original, value);
  const tail = converted ? ` (cast from the value \`${printValue(original)}\`).` : '.';
  return `${path} must be a \`${type}\` type, but the final value was: \`${printValue(value)}\`${tail}`;
}

/** `['facts', '0', 'label']` → `facts[0].label`, as messages show it. */
export const printPath = (path: readonly string[]): string =>
  path.reduce((text, key) => (/^\d+$/.test(key) ? `${text}[${key}]` : text ? `${text}.${key}` : key), '');
