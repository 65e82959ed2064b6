/**
 * @module What a local database notes of its tables, which may be ahead of the migrations.
 */
import { expect, it } from 'vitest';
import { type Wrangler, wrangler } from '../../../cli/core/wrangler/wrangler.ts';
import { noteSchemaSql, readAhead, readSchema } from '../../../cli/migrations/local-schema.ts';
import { EMPTY_STATE, stateOf } from '../../../cli/migrations/migration.ts';
import { memoryDatabase } from '../../support/memory-database.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { scratchProject } from './scratch-project.ts';

const state = JSON.parse(JSON.stringify(stateOf(registryOf([contentType('article', {})]))));
const NOTED = { state, pushed: true, migrations: ['0001_initial.sql'] };

it('is read as it was noted last, and is nothing before', async () => {
  const { db, sqlite } = memoryDatabase();
  expect(await readSchema(db)).toBeUndefined();
  for (const sql of noteSchemaSql({ ...NOTED, state: EMPTY_STATE })) sqlite.exec(sql);
  for (const sql of noteSchemaSql(NOTED)) sqlite.exec(sql);
  expect(await readSchema(db)).toEqual(NOTED);
  sqlite.exec('DELETE FROM edgewise_local');
  expect(await readSchema(db)).toBeUndefined();
});

it('is ahead of the migrations only in a local database that says so', async () => {
  const [, insert = ''] = noteSchemaSql(NOTED);
  const textOf = (sql: string) => /VALUES \(1, '(.*)'\)$/.exec(sql)?.[1];
  const asked: string[] = [];
  const answering =
    (rows: readonly object[], code = 0): Wrangler =>
    async (args) => {
      asked.push(args.join(' '));
      return { code, stdout: JSON.stringify([{ results: rows }]), stderr: 'no such table' };
    };
  const ahead = (execute: Wrangler, target = {}) => readAhead('/nowhere', target, execute);
  const row = { schema: textOf(insert) };
  expect(await ahead(answering([row]))).toEqual(state);
  expect(asked[0]).toContain('SELECT "schema" FROM');
  const [, level = ''] = noteSchemaSql({ ...NOTED, pushed: false });
  expect(await ahead(answering([{ schema: textOf(level) }]))).toBeUndefined();
  expect(await ahead(answering([]))).toBeUndefined();
  expect(await ahead(answering([{}]))).toBeUndefined();
  expect(await ahead(answering([row], 1))).toBeUndefined();
  const before = asked.length;
  expect(await ahead(answering([row]), { remote: true })).toBeUndefined();
  expect(asked).toHaveLength(before);
});

it('is not asked for where there is no local database', async () => {
  const { root, remove } = scratchProject();
  expect(await readAhead(root, {}, wrangler)).toBeUndefined();
  remove('.');
});
