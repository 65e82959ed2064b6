/**
 * @module The tables that Edgewise knows by heart are those that its migrations make.
 */
import { getTableName } from 'drizzle-orm';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';
import { type Column, tablesOf } from '../../../cli/migrations/tables.ts';
import { SYSTEM_TABLES } from '../../../src/tables.ts';
import { recordedRegistry } from '../../support/recorded-registry.ts';

const made = new Map(tablesOf(recordedRegistry).map(({ name, columns }) => [name, columns]));

const columnsOf = (table: SQLiteTable) =>
  getTableConfig(table).columns.map((column) => ({
    ...{ name: column.name, type: column.getSQLType(), notNull: column.notNull, initial: column.default },
  }));

const wantedOf = (columns: readonly Column[] = []) =>
  columns.map(({ name, type, notNull = false, default: initial }) => ({ name, type, notNull, initial }));

/** The tables of Edgewise itself are made from the same declarations. */
const ofTypes = Object.entries(SYSTEM_TABLES).filter(([, table]) => !getTableName(table).startsWith('edgewise_'));

it.each(ofTypes)('%s has columns of its table, each of its type', (_, table) => {
  expect(wantedOf(made.get(getTableName(table)))).toEqual(expect.arrayContaining(columnsOf(table)));
});
