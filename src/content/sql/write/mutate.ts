/**
 * @module WritePlan → statements.
 */
import { type SQL, type SQLChunk, sql } from 'drizzle-orm';
import { memoized } from '../../../common/cache.ts';
import { MAX_ARGUMENTS } from '../../../common/d1-limits.ts';
import { groupsOf } from '../../../common/groups.ts';
import { hasComponents, isScalar } from '../../../schema/attribute-kinds.ts';
import type { ColumnAttribute, ContentType } from '../../../schema/model.ts';
import { OVERFLOW_COLUMN } from '../../../schema/names.ts';
import type { CountedRows, RowRef, StoredValues, WriteOp, WritePlan } from '../../plan/model/write-plan.ts';
import { assertion } from '../assertions.ts';
import { isOverflow } from '../columns.ts';
import { nameList } from '../drizzle-pieces.ts';
import { columnOf, commaList } from '../pieces.ts';
import { toStatement } from '../render.ts';
import type { Statement } from '../statement.ts';
import { counters } from '../system-tables.ts';
import { rowCondition, statusColumn } from '../versions.ts';
import { attachFiles } from './attach-rows.ts';
import { deleteRows, updateRows } from './change-rows.ts';
import { countedRows, deletedRows, link, unlink } from './links.ts';
import { inheritLinks, otherLocales, shareLinks } from './locale-links.ts';
import { leaveLinks } from './tasks.ts';
import { assertFree, assertUnique } from './unique.ts';
import { discardLinks, publishLinks } from './version-links.ts';

/** Returns column → value. The overflow column of an existing row keeps its other values. */
function columnsOf(values: StoredValues, isNew = false): Map<string, SQLChunk> {
  const columns = new Map<string, SQLChunk>();
  const overflow: [string, unknown][] = [];
  for (const [attribute, value] of values) {
    if (isOverflow(attribute)) overflow.push([attribute.name, value]);
    else columns.set(attribute.column, sql.param(value));
  }
  if (overflow.length === 0) return columns;
  const json = JSON.stringify(Object.fromEntries(overflow));
  const patched = sql`json_patch(coalesce(${sql.identifier(OVERFLOW_COLUMN)}, '{}'), ${json})`;
  return columns.set(OVERFLOW_COLUMN, isNew ? json : patched);
}

function insert({ row, values, now }: Extract<WriteOp, { kind: 'insert' }>): SQL {
  const columns = new Map<string, SQLChunk>([
    ['document_id', row.document.documentId],
    ['locale', row.locale],
    ['published_at', sql.param(row.status === 'published' ? now : null)],
    ['created_at', now],
    ['updated_at', now],
    ...columnsOf(values, true),
  ]);
  return sql`
    insert into ${sql.identifier(row.type.table)} (${nameList([...columns.keys()])})
    values (${commaList([...columns.values()])})`;
}

function update({ row, values, now }: Extract<WriteOp, { kind: 'update' }>): SQL {
  const columns = columnsOf(values).set('updated_at', now);
  const sets = [...columns].map(([column, value]) => sql`${sql.identifier(column)} = ${value}`);
  return updateRows(row.type.table, commaList(sets), rowCondition(row));
}

/** The columns that a copy of a version has of it. */
const copiedColumns = memoized(({ attributes }: ContentType): readonly string[] => {
  const columns = new Set<string>(['document_id', 'locale']);
  for (const attribute of attributes.values()) {
    if (isScalar(attribute)) columns.add(attribute.overflow ? OVERFLOW_COLUMN : attribute.column);
    if (hasComponents(attribute)) columns.add(attribute.column);
  }
  columns.delete('published_at');
  return [...columns];
}, new WeakMap());

/** Copies a row under a new id, with `values` in place of its own. */
function copyOf(row: RowRef, values: StoredValues, publishedAt: number | null): SQL {
  const table = sql.identifier(row.type.table);
  const columns = copiedColumns(row.type);
  const replaced = columnsOf(values);
  const copies =
    replaced.size > 0
      ? commaList(columns.map((column) => replaced.get(column) ?? sql.identifier(column)))
      : nameList(columns);
  return sql`
    insert into ${table} (${nameList(columns)}, "published_at")
    select ${copies}, ${sql.param(publishedAt)}
    from ${table}
    where ${rowCondition(row)}`;
}

function publish({ draft, values, ends, isNew, now }: Extract<WriteOp, { kind: 'publish' }>): readonly SQL[] {
  const published: RowRef = { ...draft, status: 'published' };
  return [
    ...(isNew ? [] : [deleteRows(draft.type.table, rowCondition(published))]),
    copyOf(draft, values, now),
    ...ends.flatMap((end) => publishLinks(draft, end, isNew)),
  ];
}

function discard({ draft, values, ends }: Extract<WriteOp, { kind: 'discard' }>): readonly SQL[] {
  return [
    deleteRows(draft.type.table, rowCondition(draft)),
    copyOf({ ...draft, status: 'published' }, values, null),
    ...ends.flatMap((end) => discardLinks(draft, end)),
  ];
}

function recount(rows: CountedRows): SQL {
  const { type } = rows;
  return sql`
    insert into ${counters} ("type", "locale", "status", "total")
    select ${type.uid}, "locale", ${statusColumn(type.table)}, 1
    from ${sql.identifier(type.table)}
    where ${countedRows(rows)}
    on conflict ("type", "locale", "status") do update set "total" = ${counters.total} + 1`;
}

function discount(rows: CountedRows): SQL {
  const { type } = rows;
  return sql`
    update ${counters}
    set "total" = ${counters.total} - (
      select count(*)
      from ${sql.identifier(type.table)} as "$own"
      where ${countedRows(rows, '$own')}
        and "$own"."locale" = ${counters.locale}
        and ${statusColumn('$own')} = ${counters.status}
    )
    where ${counters.type} = ${type.uid}`;
}

/** The JSON, and two arguments for each value. */
const VALUES_PER_CALL = Math.floor((MAX_ARGUMENTS - 1) / 2);

/** Returns the overflow column of the updated row with values of the row `$own`. */
function sharedOverflow(table: string, attributes: readonly ColumnAttribute[]): SQL {
  const own = columnOf('$own', OVERFLOW_COLUMN);
  let json = sql`coalesce(${columnOf(table, OVERFLOW_COLUMN)}, '{}')`;
  for (const group of groupsOf(attributes, VALUES_PER_CALL)) {
    const paths = group.map(({ name }) => `$."${name}"`);
    json = sql`json_set(${json}, ${commaList(paths.flatMap((path) => [path, sql`${own} ->> ${path}`]))})`;
  }
  return json;
}

function share({ row, attributes, tables, now }: Extract<WriteOp, { kind: 'share' }>): readonly SQL[] {
  const { table } = row.type;
  const plain = attributes.filter((attribute) => !isOverflow(attribute)).map(({ column }) => column);
  const values = plain.map((column) => columnOf('$own', column));
  const overflow = attributes.filter(isOverflow);
  if (overflow.length > 0) values.push(sharedOverflow(table, overflow));
  const columns = overflow.length > 0 ? [...plain, OVERFLOW_COLUMN] : plain;
  const copies = sql`(${nameList(columns)}) = (
    select ${commaList(values)}
    from ${sql.identifier(table)} as "$own"
    where ${rowCondition(row, '$own')}
  ), `;
  return [
    updateRows(
      table,
      sql`${columns.length > 0 ? copies : sql``}"updated_at" = max(${now}, "updated_at" + 1)`,
      sql`"id" in (${otherLocales(row)})`,
    ),
    ...tables.flatMap((links) => shareLinks(row, links)),
  ];
}

function compileOp(op: WriteOp): readonly SQL[] {
  switch (op.kind) {
    case 'assert-unique':
      return [assertUnique(op)];
    case 'assert-free':
      return [assertFree(op)];
    case 'insert':
      return [insert(op)];
    case 'update':
      return [update(op)];
    case 'publish':
      return publish(op);
    case 'discard':
      return discard(op);
    case 'share':
      return share(op);
    case 'inherit':
      return op.tables.map((table) => inheritLinks(op.row, op.from, table));
    case 'link':
      return link(op);
    case 'unlink':
      return op.ends.map((end) => unlink(op.rows, end));
    case 'leave-links':
      return [leaveLinks(op)];
    case 'delete':
      return [deleteRows(op.rows.type.table, deletedRows(op.rows))];
    case 'attach':
      return attachFiles(op);
    case 'recount':
      return [recount(op.rows)];
    case 'discount':
      return [discount(op.rows)];
    default:
      return op satisfies never;
  }
}

/** Aborts the batch with `code`. */
export const abort = (code: string): Statement => assertion(sql`0`, code);

export const compileWrite = (plan: WritePlan): readonly Statement[] => plan.flatMap(compileOp).map(toStatement);
