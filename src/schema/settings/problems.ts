/**
 * @module What is wrong with settings, in words: what was expected, and which key or value was meant.
 */
import type * as z from 'zod/mini';
import { nearest } from '../../common/near-words.ts';

type RawIssue = z.core.$ZodRawIssue;
type Issue = z.core.$ZodIssue;

const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
};

const alternatives = (texts: readonly string[]): string => {
  const [last, ...others] = [...new Set(texts)].toReversed();
  return others.length === 0 ? `${last}` : `${others.toReversed().join(', ')} or ${last}`;
};

const MAX_SHOWN = 60;

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
};

const meant = (word: unknown, known: readonly string[]): string => {
  const near = typeof word === 'string' ? nearest(word, known) : undefined;
  return near === undefined ? '' : `; did you mean ${shown(near)}?`;
};

/** `unknown key "histroy"; did you mean "history"?`, or which keys there are. */
export const unknownKeys = (keys: readonly string[], known: readonly string[]): string =>
  keys.map((key) => `unknown key ${shown(key)}${meant(key, known) || `; known are ${known.join(', ')}`}`).join('; ');

/** The values that a member of a union names, if it does. */
const valuesIn = (issue: Issue): readonly string[] => (issue.code === 'invalid_value' ? issue.values.map(String) : []);

function expectedBy(issue: RawIssue | Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return KINDS[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return alternatives(issue.values.map(shown));
    case 'too_small':
      return `at least ${issue.minimum}`;
    case 'too_big':
      return `at most ${issue.maximum}`;
    case 'invalid_union':
      return alternatives(issue.errors.flatMap(([first]) => (first && expectedBy(first)) ?? first?.message ?? []));
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return undefined;
    default:
      return issue satisfies never;
  }
}

/** Returns the words of an issue that has none of its own. */
export function messageOf(issue: RawIssue): string | undefined {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message;
  if (issue.code === 'unrecognized_keys') {
    const { shape } = (issue.inst as z.core.$ZodObject)._zod.def;
    return unknownKeys(issue.keys, Object.keys(shape));
  }
  const expected = expectedBy(issue);
  if (expected === undefined) return undefined;
  if (issue.input === undefined) return `is missing (${expected})`;
  const named = issue.code === 'invalid_union' ? issue.errors.flat() : [issue as Issue];
  return `${expected}, not ${shown(issue.input)}${meant(issue.input, named.flatMap(valuesIn))}`;
}

const isRoot = ({ code, path }: Issue): boolean => path.length === 0 && code.startsWith('invalid_');

/** Returns `key: what was expected` for an issue: of a union, for the member that the value is nearest to. */
export function linesOf(issue: Issue, above: readonly PropertyKey[] = []): readonly string[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union') {
    const near = issue.errors.filter((issues) => !issues.some(isRoot));
    if (near[0]) return near[0].flatMap((each) => linesOf(each, path));
  }
  return [`${path.join('.') || '(top level)'}: ${issue.message}`];
}
