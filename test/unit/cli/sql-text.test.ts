import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unstable_splitSqlQuery as split } from 'wrangler';
import { identifier, literal } from '../../../cli/core/sql/sql-text.ts';
import { openTestDatabase, type TestDatabase } from './content-model.ts';

describe('literal', () => {
  it('refuses what SQL has no literal for', () => {
    expect(() => literal(Number.NaN)).toThrow(/NaN/);
    expect(() => literal(Number.POSITIVE_INFINITY)).toThrow(/Infinity/);
    expect(() => literal('a\0b')).toThrow(/NUL/);
  });

  it('doubles quotes and leaves everything else alone', () => {
    expect(literal("it's")).toBe("'it''s'");
    expect(literal('a\\nb"c`d')).toBe("'a\\nb\"c`d'");
    expect(literal(null)).toBe('NULL');
    expect(literal(-1.5)).toBe('-1.5');
  });
});

describe('identifier', () => {
  it('doubles double quotes', () => expect(identifier('a"b')).toBe('"a""b"'));
});

describe('literals on D1', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  const TEXTS = [
    '',
    "'",
    "''; DROP TABLE x; --",
    'line\nbreak\r\n\ttab',
    '-- no comment',
    '/* nor this */ ;',
    '\\',
    '"`[',
    '?1 :a @b $c',
    'é 漢 🎈',
    'begin transaction; commit;',
  ];

  it.each(TEXTS)('comes back as it was: %j', async (text) => {
    const [row] = await database.run(`SELECT ${literal(text)} AS value`);
    expect(row?.value).toBe(text);
  });

  it.each(TEXTS)('is one statement for wrangler, which splits what it executes: %j', (text) => {
    expect(split(`SELECT ${literal(text)};\nSELECT 2;`)).toHaveLength(2);
  });

  it.each([0, -1, 1.5, 1e21, 5e-324, Number.MAX_SAFE_INTEGER])('keeps the number %d', async (number) => {
    const [row] = await database.run(`SELECT ${literal(number)} AS value`);
    expect(row?.value).toBe(number);
  });
});
