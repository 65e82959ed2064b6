/**
 * @module The tables that Edgewise knows by heart are those that its migrations make.
 */
import { getTableName } from 'drizzle-orm';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';
import { buildTables } from '../../../src/cli/migrations/tables.ts';
import * as system from '../../../src/sql/system-tables.ts';
import { recordedRegistry } from '../../support/recorded-registry.ts';

const made = buildTables(recordedRegistry);

const columnsOf = (table: SQLiteTable) =>
  Object.fromEntries(
    getTableConfig(table).columns.map((column) => [
      column.name,
      { type: column.getSQLType(), notNull: column.notNull, initial: column.default },
    ]),
  );

it.each(Object.entries(system))('%s has the columns of its table, each of its type', (_, table) => {
  expect(columnsOf(table)).toEqual(columnsOf(made[getTableName(table)] as SQLiteTable));
});
