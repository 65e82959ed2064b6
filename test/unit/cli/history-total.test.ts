/**
 * @module The migration that begins the running total of former versions.
 */
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { diffSchemas, EMPTY_STATE, stateOf } from '../../../cli/migrations/migration.ts';
import { nextMigrations } from '../../../cli/migrations/migration-files.ts';
import type { SchemaState } from '../../../cli/migrations/migration-work.ts';
import { NO_RENAMES } from '../../../cli/migrations/rename-options.ts';
import { contentType } from '../../support/schema-files.ts';
import { registryAfter } from './content-model.ts';

const options = { renames: NO_RENAMES, defaultLocale: 'en' };
const state = stateOf(registryAfter(EMPTY_STATE, { types: [contentType('article', { title: { type: 'string' } })] }));
const { historyTotal: _, ...layout } = state.layout;
/** As an earlier version of Edgewise has left it. */
const former: SchemaState = { ...state, layout };

it('counts what is stored, keeps it from then on, and keeps no version out', async () => {
  const db = new DatabaseSync(':memory:');
  const run = ({ parts }: Awaited<ReturnType<typeof diffSchemas>>) => {
    for (const { text } of nextMigrations('next', parts)) db.exec(text);
    return parts.map(({ when, moves }) => [when, moves]);
  };
  const version = (id: string, size: number) =>
    db.exec(
      `INSERT INTO edgewise_history (type, document_id, locale, version, at, id, operation, actor, size) VALUES ('t', 'a', '', 'draft', 1, '${id}', 'update', 'code', ${size})`,
    );
  const total = () => db.prepare('SELECT total FROM edgewise_counters').all();
  run(await diffSchemas(EMPTY_STATE, former, options));
  version('1', 20);
  version('2', 30);
  expect(total()).toEqual([]);
  expect(run(await diffSchemas(former, state, options))).toEqual([['before', undefined]]);
  expect(total()).toMatchObject([{ total: 50 }]);
  version('3', 7);
  db.exec(`DELETE FROM edgewise_history WHERE id = '1'`);
  db.exec(`INSERT OR REPLACE INTO edgewise_history (rowid, type, document_id, locale, version, at, id, operation, actor, size)
    SELECT rowid, type, document_id, locale, version, 2, '4', operation, actor, 100 FROM edgewise_history WHERE id = '3'`);
  expect(total()).toMatchObject([{ total: 130 }]);
  // As links are added that had no place in the first statement.
  db.exec(`UPDATE edgewise_history SET size = 40 WHERE id = '2'`);
  expect(total()).toMatchObject([{ total: 140 }]);
});
