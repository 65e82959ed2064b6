/**
 * @module How a text is looked for in a value: by a pattern where D1 takes one, and else by functions.
 */
import { type SQL, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { contains, endsWith, startsWith } from '../../../src/content/sql/read/texts.ts';
import { toStatement } from '../../../src/content/sql/render.ts';
import { isDocument } from '../../../src/content/sql/versions.ts';
import { single } from '../../../src/schema/document-ref.ts';
import { typeAt } from '../../support/recorded-registry.ts';

const VALUE = sql`"v"`;
const textOf = (value: SQL): string => toStatement(value).sql;
const IN = 'instr(lower(substr("v", 1)), lower(?)) > 0';
const LIKE = `"v" like +? escape '\\'`;

describe('a text', () => {
  it.each([
    ['a'.repeat(48), LIKE],
    ['a'.repeat(49), IN],
    ['é'.repeat(24), LIKE],
    [`é${'a'.repeat(47)}`, IN],
    ['%'.repeat(24), LIKE],
    ['%'.repeat(25), IN],
    ['a\0b', 'instr(lower("v"), lower(?)) > 0'],
    [7, IN],
    [null, IN],
  ])('that a column contains: %j', (text, expected) => {
    expect(textOf(contains(VALUE, text, true))).toBe(expected);
  });

  it.each([
    ['a'.repeat(49), LIKE],
    ['a'.repeat(50), 'lower(substr("v", 1, length(?))) = lower(?)'],
    ['a\0b', 'lower(substr("v", 1, length(?))) = lower(?)'],
  ])('that a column starts with: %j', (text, expected) => {
    expect(textOf(startsWith(VALUE, text, true))).toBe(expected);
  });

  it.each([
    ['a'.repeat(49), LIKE],
    ['a'.repeat(50), 'lower(substr("v", -length(?))) = lower(?)'],
    ['', '"v" = "v"'],
  ])('that a column ends with: %j', (text, expected) => {
    expect(textOf(endsWith(VALUE, text, true))).toBe(expected);
  });

  it('is looked for without a pattern in what is no column, and where it is SQL', () => {
    const found = [contains, startsWith, endsWith].map((find) => textOf(find(VALUE, 'a', false)));
    const other = [contains, startsWith, endsWith].map((find) => textOf(find(VALUE, sql`${'a'}`, true)));
    expect(found).toEqual([
      IN,
      'lower(substr("v", 1, length(?))) = lower(?)',
      'lower(substr("v", -length(?))) = lower(?)',
    ]);
    expect(other).toEqual(found);
  });

  it('has its marks escaped in a pattern', () => {
    expect(toStatement(contains(VALUE, '50%_\\', true)).params).toEqual(['%50\\%\\_\\\\%']);
    expect(toStatement(startsWith(VALUE, '%', true)).params).toEqual(['\\%%']);
    expect(toStatement(endsWith(VALUE, '%', true)).params).toEqual(['%\\%']);
  });
});

it('only a single type has a document without a name', () => {
  const document = single(typeAt('homepage'));
  expect(textOf(isDocument({ type: typeAt('homepage'), document }))).toBe('1');
  expect(() => isDocument({ type: typeAt('tags'), document })).toThrow();
});
