/**
 * @module WritePlan → statements.
 */
import { type SQL, type SQLChunk, sql } from 'drizzle-orm';
import { memoized } from '../../cache.ts';
import type { ColumnAttribute } from '../../plan/model/component-attributes.ts';
import type { RowRef, StoredValues, WriteOp, WritePlan } from '../../plan/model/write-plan.ts';
import { groupsOf } from '../../registry/groups.ts';
import type { ContentType } from '../../registry/model.ts';
import { OVERFLOW_COLUMN } from '../../registry/names.ts';
import { isOverflow } from '../columns.ts';
import { columnOf, commaList } from '../pieces.ts';
import { nameList, toStatement } from '../render.ts';
import type { Statement } from '../statement.ts';
import { counters } from '../system-tables.ts';
import { isDocument, rowCondition, statusOf } from '../versions.ts';
import { deletedRows, inheritLinks, link, otherLocales, publishLinks, shareLinks, unlink } from './links.ts';
import { assertFree, assertUnique } from './unique.ts';

type PublishOp = Extract<WriteOp, { kind: 'publish' }>;

const STAMPS = ['created_at', 'updated_at'] as const;

/** Column → value, with the overflow attributes gathered in their one column; of a row that is there it keeps others. */
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
    ['document_id', row.documentId],
    ['locale', row.locale],
    ['published_at', sql.param(row.status === 'published' ? now : null)],
    ...STAMPS.map((stamp) => [stamp, now] as const),
    ...columnsOf(values, true),
  ]);
  return sql`
    insert into ${sql.identifier(row.type.table)} (${nameList([...columns.keys()])})
    values (${commaList([...columns.values()])})`;
}

function update({ row, values, now }: Extract<WriteOp, { kind: 'update' }>): SQL {
  const columns = columnsOf(values).set('updated_at', now);
  const sets = [...columns].map(([column, value]) => sql`${sql.identifier(column)} = ${value}`);
  return sql`
    update ${sql.identifier(row.type.table)}
    set ${commaList(sets)}
    where ${rowCondition(row)}`;
}

/** The columns that a version passes on to the next one, which has its own id and date of publication. */
const copiedColumns = memoized(({ attributes }: ContentType): readonly string[] => {
  const columns = new Set<string>(['document_id', 'locale']);
  for (const attribute of attributes.values()) {
    if (attribute.kind === 'scalar') columns.add(attribute.overflow ? OVERFLOW_COLUMN : attribute.column);
    if (attribute.kind === 'component' || attribute.kind === 'dynamiczone') columns.add(attribute.column);
  }
  columns.delete('published_at');
  return [...columns];
}, new WeakMap());

function publish({ draft, values, ends, isNew, now }: PublishOp): readonly SQL[] {
  const table = sql.identifier(draft.type.table);
  const published: RowRef = { ...draft, status: 'published' };
  const columns = copiedColumns(draft.type);
  const replaced = columnsOf(values);
  const copies =
    replaced.size > 0
      ? commaList(columns.map((column) => replaced.get(column) ?? sql.identifier(column)))
      : nameList(columns);
  return [
    ...(isNew ? [] : [sql`delete from ${table} where ${rowCondition(published)}`]),
    sql`
      insert into ${table} (${nameList(columns)}, "published_at")
      select ${copies}, ${now}
      from ${table}
      where ${rowCondition(draft)}`,
    ...ends.flatMap((end) => publishLinks(draft, end, isNew)),
  ];
}

const remove = ({ rows }: Extract<WriteOp, { kind: 'delete' }>): SQL =>
  sql`delete from ${sql.identifier(rows.type.table)} where ${deletedRows(rows)}`;

function recount({ type, documentId }: Extract<WriteOp, { kind: 'recount' }>): SQL {
  return sql`
    insert into ${counters} ("type", "locale", "status", "total")
    select ${type.uid}, "locale", ${statusOf(type.table)}, 1
    from ${sql.identifier(type.table)}
    where ${isDocument({ type, documentId })}
    on conflict ("type", "locale", "status") do update set "total" = ${counters.total} + 1`;
}

function discount({ type, documentId }: Extract<WriteOp, { kind: 'discount' }>): SQL {
  return sql`
    update ${counters}
    set "total" = ${counters.total} - (
      select count(*)
      from ${sql.identifier(type.table)} as "$own"
      where ${isDocument({ type, documentId }, '$own')}
        and "$own"."locale" = ${counters.locale}
        and ${statusOf('$own')} = ${counters.status}
    )
    where ${counters.type} = ${type.uid}`;
}

/** Shared values that stand in the overflow column are set there one by one, 15 to a call. */
function sharedOverflow(row: RowRef, shared: readonly ColumnAttribute[]): SQL | undefined {
  const table = sql.identifier(row.type.table);
  let column = sql`coalesce(${sql.identifier(OVERFLOW_COLUMN)}, '{}')`;
  for (const group of groupsOf(shared, 15)) {
    const pairs = group.flatMap(({ name }) => {
      const path = `$."${name}"`;
      const own = sql`(
        select ${columnOf('$own', OVERFLOW_COLUMN)} ->> ${path}
        from ${table} as "$own"
        where ${rowCondition(row, '$own')}
      )`;
      return [sql`${path}`, own];
    });
    column = sql`json_set(${column}, ${commaList(pairs)})`;
  }
  return shared.length > 0 ? sql`${sql.identifier(OVERFLOW_COLUMN)} = ${column}` : undefined;
}

function share({ row, attributes, tables, now }: Extract<WriteOp, { kind: 'share' }>): readonly SQL[] {
  const table = sql.identifier(row.type.table);
  const plain = attributes.filter((attribute) => !isOverflow(attribute)).map(({ column }) => column);
  const own = commaList(plain.map((column) => columnOf('$own', column)));
  const sets = [
    plain.length > 0 &&
      sql`(${nameList(plain)}) = (
        select ${own}
        from ${table} as "$own"
        where ${rowCondition(row, '$own')}
      )`,
    sharedOverflow(row, attributes.filter(isOverflow)),
    sql`"updated_at" = max(${now}, "updated_at" + 1)`,
  ].filter((set) => typeof set === 'object');
  return [
    sql`update ${table} set ${commaList(sets)} where "id" in (${otherLocales(row)})`,
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
    case 'share':
      return share(op);
    case 'inherit':
      return op.tables.map((table) => inheritLinks(op.row, op.from, table));
    case 'link':
      return link(op);
    case 'unlink':
      return op.ends.map((end) => unlink(op.rows, end));
    case 'delete':
      return [remove(op)];
    case 'recount':
      return [recount(op)];
    case 'discount':
      return [discount(op)];
    default:
      return op satisfies never;
  }
}

export const compileWrite = (plan: WritePlan): readonly Statement[] => plan.flatMap(compileOp).map(toStatement);
