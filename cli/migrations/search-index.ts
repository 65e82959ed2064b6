/**
 * @module Search indexes: an FTS5 table over the trigrams of all texts of a row. Triggers update it with every write,
 * including imports.
 */
import { isDeepStrictEqual } from 'node:util';
import { searchTable } from '../../src/schema/names.ts';
import { balanced, identifier } from '../core/sql/sql-text.ts';
import { D1_LIMITS } from '../core/sql/sqlite.ts';
import type { Layout, TypeLayout } from './layout.ts';

/** Texts one after the other, each on a line of its own. */
const joined = (values: readonly string[]): string =>
  balanced(
    values.map((value) => `coalesce(${value}, '')`),
    '|| char(10) ||',
  );

const triggerOf = (table: string, event: 'insert' | 'update' | 'delete'): string =>
  identifier(`${searchTable(table)}_${event}`);

const dropped = ({ table }: TypeLayout): readonly string[] => [
  ...(['insert', 'update', 'delete'] as const).map((event) => `DROP TRIGGER ${triggerOf(table, event)}`),
  `DROP TABLE ${identifier(searchTable(table))}`,
];

/** A condition on an update, which is shorter than one on all texts: attributes of the overflow column share it. */
function columnsDiffer(search: readonly string[]): string {
  const columns = new Set(search.flatMap((text) => text.match(/@\."[^"]+"/) ?? []));
  const differ = [...columns].map((column) => `${column.replace('@', 'old')} IS NOT ${column.replace('@', 'new')}`);
  return balanced(differ, 'OR');
}

function created({ table, search = [] }: TypeLayout): readonly string[] {
  const name = identifier(searchTable(table));
  const rows = identifier(table);
  const textOf = (row: string): string => joined(search).replaceAll('@.', `${row}.`);
  const insert = (id: string, row: string) => `INSERT INTO ${name} ("rowid", "text") SELECT ${id}, ${textOf(row)}`;
  const add = insert('new."id"', 'new');
  const remove = `DELETE FROM ${name} WHERE "rowid" = old."id"`;
  const update = (changed: string): string =>
    `CREATE TRIGGER ${triggerOf(table, 'update')} AFTER UPDATE ON ${rows} WHEN ${changed} BEGIN ${remove}; ${add}; END`;
  const byText = update(`${textOf('old')} IS NOT ${textOf('new')}`);
  return [
    `CREATE VIRTUAL TABLE ${name} USING fts5("text", content='', contentless_delete=1, detail='none', tokenize='trigram')`,
    `${insert('"id"', rows)} FROM ${rows}`,
    `CREATE TRIGGER ${triggerOf(table, 'insert')} AFTER INSERT ON ${rows} BEGIN ${add}; END`,
    // Triggers that projects have stay as they are.
    byText.length <= D1_LIMITS.sqlLength ? byText : update(columnsDiffer(search)),
    `CREATE TRIGGER ${triggerOf(table, 'delete')} AFTER DELETE ON ${rows} BEGIN ${remove}; END`,
  ];
}

/** Indexes and new columns do not affect a search index. */
const touches = (statement: string, table: string): boolean =>
  !/^(CREATE|DROP) (UNIQUE )?INDEX |^ALTER TABLE \S+ ADD /.test(statement) &&
  [identifier(table), `\`${table}\``].some((name) => statement.includes(name));

/**
 * Adds the changes of search indexes to the statements of a migration. An index whose table is changed is rebuilt: its
 * triggers would block the change, and its texts may change. One that is only removed is dropped late, since the previous
 * version searches it: before all other late statements.
 */
export function withSearchIndexes(statements: readonly string[], before: Layout, after: Layout) {
  const isTouched = ({ table }: TypeLayout): boolean => statements.some((statement) => touches(statement, table));
  const stays = (uid: string): boolean => {
    const [old, next] = [before.types[uid], after.types[uid]];
    return !!old?.search && isDeepStrictEqual([old.search, old.table], [next?.search, next?.table]) && !isTouched(old);
  };
  const changed = (layout: Layout) => Object.entries(layout.types).filter(([uid, { search }]) => search && !stays(uid));
  const goesLate = ([uid, type]: readonly [string, TypeLayout]): boolean =>
    !after.types[uid]?.search && !isTouched(type);
  const old = changed(before);
  return {
    statements: [
      ...old.filter((entry) => !goesLate(entry)).flatMap(([, type]) => dropped(type)),
      ...statements,
      ...changed(after).flatMap(([, type]) => created(type)),
    ],
    late: old.filter(goesLate).flatMap(([, type]) => dropped(type)),
  };
}
