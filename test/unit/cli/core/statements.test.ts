import { describe, expect, it } from 'vitest';
import { ROTATE_STAMPS } from '../../../../cli/core/sql/database.ts';
import { BATCH_SIZE, commandTexts, lentDatabase, runBatch, runBatches } from '../../../../cli/core/sql/statements.ts';
import { relayedDatabase } from '../../../../cli/core/storage/relayed-database.ts';
import { importWriter } from '../../../../cli/import/marker.ts';
import { applyLocally } from '../../../../cli/migrations/apply.ts';
import { historyOf } from '../../../../cli/migrations/history.ts';
import type { Rendered } from '../../../../src/content/sql/statement.ts';

/** A database that notes how many statements each batch has. */
function notingDatabase() {
  const batches: number[] = [];
  const db = relayedDatabase(async (statements) => {
    batches.push(statements.length);
    return statements.map(() => []);
  });
  return { db, batches };
}

const selects = (count: number, word: string): string => Array.from({ length: count }, () => 'select 1').join(word);

describe('statements of commands', () => {
  it.each<[string, string, readonly unknown[], string]>([
    ['a text of more than 100 KB', `select '${'é'.repeat(50_000)}'`, [], 'has 100009 bytes'],
    ['more than 100 parameters', 'select ?', Array.from({ length: 101 }, () => 1), 'has 101 parameters'],
    ['a value that no row holds', 'select ?', ['é'.repeat(1_100_001)], 'has a value of 2200002 bytes'],
    ['more than five SELECTs in one', selects(6, ' UNION ALL '), [], 'combines 6 SELECTs'],
    ['as many within another', `select (${selects(6, ' union ')}) union select 1`, [], 'combines 6 SELECTs'],
  ])('are rejected before the first is sent: %s', async (_, sql, params, problem) => {
    const { db, batches } = notingDatabase();
    const sound = Array.from({ length: BATCH_SIZE }, () => 'select 1');
    await expect(runBatches(db, [...sound, { sql, params }])).rejects.toThrow(problem);
    await expect(runBatch(db, ['select 1', { sql, params }])).rejects.toThrow(problem);
    expect(batches).toEqual([]);
  });

  it.each([
    [
      'five SELECTs in one, and five more within it',
      `select (${selects(5, ' except ')}) union ${selects(4, ' union ')}`,
    ],
    [
      'six statements of a trigger with two each',
      `create trigger t begin ${`${selects(2, ' union ')};`.repeat(6)} end`,
    ],
    ['a text and a name of such words', `select 'union union union union union' as "union (" -- union union union`],
  ])('are sent with %s', async (_, sql) => {
    const { db, batches } = notingDatabase();
    await runBatch(db, [sql]);
    expect(batches).toEqual([1]);
  });

  it('that need not be one transaction are split, and those that must are rejected by a deployed database', async () => {
    const { db, batches } = notingDatabase();
    const many = Array.from({ length: 2 * BATCH_SIZE + 1 }, () => 'select 1');
    expect(await runBatches(lentDatabase(db), many)).toHaveLength(many.length);
    expect(batches).toEqual([BATCH_SIZE, BATCH_SIZE, 1]);
    await expect(runBatch(lentDatabase(db), many)).rejects.toThrow('takes 1801 statements, and D1 runs 1,000');
    expect(batches).toHaveLength(3);
  });

  it('that read are several commands of wrangler if they are long, and changes are rejected', () => {
    const long = (verb: string) => `${verb} '${'x'.repeat(70_000)}'`;
    expect(commandTexts(['select 1', 'update t set x = 1'])).toEqual(['select 1;\nupdate t set x = 1']);
    expect(commandTexts([long('select'), long('select')])).toEqual([long('select'), long('select')]);
    expect(() => commandTexts([long('select'), long('insert into t values')])).toThrow('wrangler takes');
  });

  it('of an import that are too many for a batch are several, and the last one notes the progress', async () => {
    const sent: (readonly Rendered[])[] = [];
    const db = relayedDatabase(async (statements) => {
      sent.push(statements);
      return statements.map(() => []);
    });
    const marker = { archive: 'a', groups: ['content'], name: 'a', mode: 'replace', stage: 'clear', done: 0 } as const;
    const write = importWriter(db, { ...marker, startedAt: 1, finishedAt: null });
    const clear = Array.from({ length: 1_500 }, () => ({ sql: 'delete from "t"', params: [] }));
    await write(clear, 'rows');
    expect(sent.flat().filter(({ sql }) => sql === 'delete from "t"')).toHaveLength(1_500);
    expect(Math.max(...sent.map(({ length }) => length))).toBeLessThanOrEqual(BATCH_SIZE);
    expect(sent.every((each) => each.some(({ sql }) => sql === ROTATE_STAMPS))).toBe(true);
    expect(sent.map((each) => each.some(({ sql }) => sql.startsWith('update "edgewise_imports"')))).toEqual([
      false,
      true,
    ]);
  });

  it('of a migration that D1 would reject are rejected before the migrations before it', async () => {
    const { db, batches } = notingDatabase();
    const migrations = [
      { name: '0001_sound.sql', text: 'create table a ("id" integer);' },
      { name: '0002_by_hand.sql', text: `insert into a ${selects(6, ' union ')};` },
    ];
    await expect(applyLocally(db, historyOf(migrations))).rejects.toThrow('combines 6 SELECTs');
    expect(batches).toEqual([]);
  });
});
