/**
 * @module The words for wrong settings, of any schema.
 */
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { linesOf, messageOf } from '../../src/schema/settings/problems.ts';
import { durationText, secretNamed } from '../../src/schema/settings/setting-values.ts';

const linesFor = (schema: z.ZodMiniType, value: unknown) =>
  schema.safeParse(value, { error: messageOf }).error?.issues.flatMap((issue) => linesOf(issue));

const list = z.array(z.string());
const nested = z.strictObject({ a: z.union([z.boolean(), z.strictObject({ b: z.union([z.boolean(), list]) })]) });

it.each<[string, z.ZodMiniType, unknown, string]>([
  [
    'a member of a union has words of its own',
    z.union([durationText, secretNamed('A')]),
    '1 x',
    '(top level): a duration like 45s, 15m, 12h or 30d or the name of a secret, such as A, not "1 x"',
  ],
  [
    'two members expect the same',
    z.union([z.strictObject({}), z.record(z.string(), z.boolean())]),
    1,
    '(top level): an object, not 1',
  ],
  [
    'no member has the key',
    z.union([z.strictObject({ ab: z.optional(z.string()) }), z.strictObject({ b: z.optional(z.string()) })]),
    { ac: 1 },
    '(top level): unknown key "ac"; known are ab',
  ],
  ['a union is in another', nested, { a: { b: [3] } }, 'a.b.0: a text, not 3'],
  ['a union in another has no near member', nested, { a: { b: 3 } }, 'a.b: true or false or a list, not 3'],
  ['a value of a kind without words is expected', z.null(), 3, '(top level): null, not 3'],
  [
    'a number is no word',
    z.union([z.literal(['on', 'off']), z.boolean()]),
    3,
    '(top level): "on" or "off" or true or false, not 3',
  ],
])('name what is expected where %s', (_, schema, value, line) => {
  expect(linesFor(schema, value)).toEqual([line]);
});

it('leave out what was given where nothing is known about what is expected', () => {
  expect(linesFor(z.string().check(z.regex(/a/)), 'x')?.join()).not.toContain('undefined');
});
