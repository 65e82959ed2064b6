/**
 * @module The words of issues.
 */
import { describe, expect, it } from 'vitest';
import { MAX_ISSUES } from '../../../src/common/errors.ts';
import { checkEach, issueAt, printPath, wrongType } from '../../../src/content/plan/validate/issues.ts';

describe('a value of another type', () => {
  it.each<readonly [unknown, unknown, string]>([
    ['a', 'a', '`"a"`.'],
    [null, null, '`null`.'],
    [null, undefined, '`null`.'],
    [true, true, '`true`.'],
    [-0, -0, '`-0`.'],
    [Number.NaN, Number.NaN, '`NaN`.'],
    [Number.NaN, 'a', '`NaN` (cast from the value `"a"`).'],
    [null, 'a', '`null` (cast from the value `"a"`).'],
    [
      { a: 'b', c: [1, null] },
      { a: 'b' },
      '`{\n  "a": "\\"b\\"",\n  "c": [\n    "1",\n    "null"\n  ]\n}` (cast from the value `{\n  "a": "\\"b\\""\n}`).',
    ],
    ['a'.repeat(2_000), undefined, `\`"${'a'.repeat(2_000)}"\`.`],
    ['a'.repeat(2_001), undefined, `\`"${'a'.repeat(2_000)}…"\`.`],
    [['a'.repeat(1_996)], undefined, `\`[\n  "\\"${'a'.repeat(1_996)}\\""\n]\`.`],
    [['a'.repeat(1_997)], undefined, `\`["${'a'.repeat(1_997)}"…\`.`],
  ])('is printed with what it was sent as: %j', (value, original, text) => {
    expect(wrongType('it', 'string', value, original)).toBe(
      `it must be a \`string\` type, but the final value was: ${text}`,
    );
  });
});

it.each([
  [[], ''],
  [['title'], 'title'],
  [['facts', '0', 'label'], 'facts[0].label'],
  [['facts', '0', '1'], 'facts[0][1]'],
  [['a1', '2b'], 'a1.2b'],
])('the path %j is printed as %j', (path, text) => {
  expect(printPath(path)).toBe(text);
});

it('an issue has a value unless there is none', () => {
  expect([issueAt(['a'], 'm'), issueAt(['a'], 'm', null)]).toStrictEqual([
    { path: ['a'], message: 'm' },
    { path: ['a'], message: 'm', value: null },
  ]);
});

it('a list is checked until it has as many issues as are shown', () => {
  const paths: string[] = [];
  const check = (count: number) => (_: unknown, path: readonly string[]) => {
    paths.push(path.join('.'));
    return Array.from({ length: count }, () => issueAt(path, 'm'));
  };
  expect(checkEach(['a', 'b'], ['list'], check(1))).toHaveLength(2);
  expect(paths).toEqual(['list.0', 'list.1']);
  expect(checkEach(['a', 'b'], [], check(MAX_ISSUES))).toHaveLength(MAX_ISSUES);
  expect(checkEach(['a', 'b'], [], check(MAX_ISSUES - 1))).toHaveLength(2 * (MAX_ISSUES - 1));
});
