/**
 * @module WritePlan → statements, and the questions a write asks first.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { UniqueLookup } from '../plan/plan-write.ts';
import type { ColumnAttribute } from '../plan/validate-input.ts';
import type { RowRef, StoredValues, WriteOp, WritePlan } from '../plan/write-plan.ts';
import type { ContentType, ScalarAttribute } from '../registry/model.ts';
import { COUNTER_TABLE, OVERFLOW_COLUMN } from '../registry/names.ts';
import { compileCondition, storedExpression } from './conditions.ts';
import { balanced, columnOf, commaList, identifier, type Statement, toStatement } from './statement.ts';

const STAMPS = ['created_at', 'updated_at'] as const;

/** The code of a row that was written since it was read. */
export const CONFLICT = 'CONFLICT';

const isPublished = (table: string): SQL => sql`${columnOf(table, 'published_at')} is not null`;

function rowCondition({ type, documentId, locale, status }: RowRef, table: string = type.table): SQL {
  const terms = [
    sql`${columnOf(table, 'document_id')} = ${documentId}`,
    sql`${columnOf(table, 'locale')} = ${locale}`,
    status === 'draft' ? sql`${columnOf(table, 'published_at')} is null` : isPublished(table),
  ];
  return balanced(terms, 'and');
}

/** Aborts the batch where `holds` is false: a JSON path that does not parse is an error of the statement that runs. */
const assert = (holds: SQL, code: string): SQL => sql`select iif(${holds}, 1, json_extract('{}', ${code}))`;

/** Is the published value of another document the same? Values of one locale meet only their own kind. */
function isTaken(attribute: ScalarAttribute, value: SQL, documentId: string, locale: string, type: ContentType): SQL {
  const terms = [
    sql`${storedExpression(attribute, 'other')} = ${value}`,
    sql`${columnOf('other', 'document_id')} <> ${documentId}`,
    isPublished('other'),
  ];
  if (type.localized && attribute.localized) terms.push(sql`${columnOf('other', 'locale')} = ${locale}`);
  return sql`exists (select 1 from ${identifier(type.table)} as "other" where ${balanced(terms, 'and')})`;
}

/** The value that a row has in an attribute; an empty text is not looked for. */
const ownValue = (row: RowRef, attribute: ScalarAttribute): SQL =>
  sql`(select nullif(${storedExpression(attribute, 'own')}, '') from ${identifier(row.type.table)} as "own" where ${rowCondition(row, 'own')})`;

/** One row whose columns `0`, `1`… say whether the value of each lookup is taken; lookups come in one statement. */
export function compileUniqueLookups(lookups: readonly UniqueLookup[], row: RowRef): Statement {
  const columns = lookups.map(({ attribute, value }, index) => {
    const wanted = value === undefined ? ownValue(row, attribute) : sql`${value}`;
    return sql`${isTaken(attribute, wanted, row.documentId, row.locale, row.type)} as ${sql.identifier(String(index))}`;
  });
  return toStatement(sql`select ${commaList(columns)}`);
}

/** Every column of the row that is to be updated. Whole numbers come as text where they may pass 2^53. */
export function compileCurrent(row: RowRef, attributes: readonly ColumnAttribute[]): Statement {
  const { table } = row.type;
  const columns = attributes
    .filter((attribute) => !isOverflow(attribute))
    .map((attribute) => {
      const column = columnOf(table, attribute.column);
      const exact = attribute.kind === 'scalar' && attribute.type === 'biginteger';
      return exact ? sql`cast(${column} as text) as ${sql.identifier(attribute.column)}` : column;
    });
  if (attributes.some(isOverflow)) columns.push(columnOf(table, OVERFLOW_COLUMN));
  return toStatement(
    sql`select ${columnOf(table, 'updated_at')}, ${commaList(columns)} from ${identifier(table)} where ${rowCondition(row)}`,
  );
}

const isOverflow = (attribute: ColumnAttribute): boolean => attribute.kind === 'scalar' && attribute.overflow;

/** Column → value, with the overflow attributes gathered in their one column. */
function columnsOf(values: StoredValues): Map<string, SQL> {
  const columns = new Map<string, SQL>();
  const overflow: [string, unknown][] = [];
  for (const [attribute, value] of values) {
    if (isOverflow(attribute)) overflow.push([attribute.name, value]);
    else columns.set(attribute.column, sql`${value}`);
  }
  if (overflow.length > 0) {
    const patch = JSON.stringify(Object.fromEntries(overflow));
    columns.set(OVERFLOW_COLUMN, sql`json_patch(coalesce(${identifier(OVERFLOW_COLUMN)}, '{}'), ${patch})`);
  }
  return columns;
}

function insert({ row, values, now }: Extract<WriteOp, { kind: 'insert' }>): SQL {
  const columns = new Map<string, SQL>([
    ['document_id', sql`${row.documentId}`],
    ['locale', sql`${row.locale}`],
    ['published_at', sql`${row.status === 'published' ? now : null}`],
    ...STAMPS.map((stamp) => [stamp, sql`${now}`] as const),
    ...columnsOf(values),
  ]);
  const overflow = columns.get(OVERFLOW_COLUMN);
  if (overflow) {
    const fresh = [...values].filter(([attribute]) => isOverflow(attribute)).map(([{ name }, value]) => [name, value]);
    columns.set(OVERFLOW_COLUMN, sql`${JSON.stringify(Object.fromEntries(fresh))}`);
  }
  return sql`insert into ${identifier(row.type.table)} (${commaList([...columns.keys()].map(identifier))}) values (${commaList([...columns.values()])})`;
}

function update({ row, values, now }: Extract<WriteOp, { kind: 'update' }>): SQL {
  const columns = new Map(columnsOf(values)).set('updated_at', sql`${now}`);
  const sets = [...columns].map(([column, value]) => sql`${identifier(column)} = ${value}`);
  return sql`update ${identifier(row.type.table)} set ${commaList(sets)} where ${rowCondition(row)}`;
}

/** The rows of one document; without an id those of every document. */
const isDocument = (table: string, documentId: string | undefined): SQL =>
  documentId === undefined ? sql`1` : sql`${columnOf(table, 'document_id')} = ${documentId}`;

/** Every column a version carries to the next one; the new row takes its own id and date of publication. */
function copiedColumns(type: ContentType): readonly string[] {
  const columns = new Set<string>(['document_id', 'locale']);
  for (const attribute of type.attributes.values()) {
    if (attribute.kind === 'scalar') columns.add(attribute.overflow ? OVERFLOW_COLUMN : attribute.column);
    if (attribute.kind === 'component' || attribute.kind === 'dynamiczone') columns.add(attribute.column);
  }
  columns.delete('published_at');
  return [...columns];
}

function publish({ draft, values, now }: Extract<WriteOp, { kind: 'publish' }>): readonly SQL[] {
  const table = identifier(draft.type.table);
  const columns = copiedColumns(draft.type);
  const replaced = columnsOf(values);
  const copies = columns.map((column) => replaced.get(column) ?? identifier(column));
  return [
    sql`delete from ${table} where ${rowCondition({ ...draft, status: 'published' })}`,
    sql`insert into ${table} (${commaList(columns.map(identifier))}, "published_at") select ${commaList(copies)}, ${now} from ${table} where ${rowCondition(draft)}`,
  ];
}

function remove({ type, documentId, locale, where }: Extract<WriteOp, { kind: 'delete' }>): SQL {
  const terms = [isDocument(type.table, documentId)];
  if (locale !== undefined) terms.push(sql`${columnOf(type.table, 'locale')} = ${locale}`);
  if (where) terms.push(compileCondition(where, type.table));
  return sql`delete from ${identifier(type.table)} where ${balanced(terms, 'and')}`;
}

const STATUS = sql`iif("published_at" is null, 'draft', 'published')`;

function recount({ type, documentId }: Extract<WriteOp, { kind: 'recount' }>): SQL {
  return sql`insert into ${identifier(COUNTER_TABLE)} ("type", "locale", "status", "total") select ${type.uid}, "locale", ${STATUS}, 1 from ${identifier(type.table)} where ${isDocument(type.table, documentId)} on conflict ("type", "locale", "status") do update set "total" = "total" + 1`;
}

function discount({ type, documentId }: Extract<WriteOp, { kind: 'discount' }>): SQL {
  const version = sql`${isDocument('own', documentId)} and ${columnOf('own', 'locale')} = ${columnOf(COUNTER_TABLE, 'locale')} and iif(${columnOf('own', 'published_at')} is null, 'draft', 'published') = ${columnOf(COUNTER_TABLE, 'status')}`;
  return sql`update ${identifier(COUNTER_TABLE)} set "total" = "total" - (select count(*) from ${identifier(type.table)} as "own" where ${version}) where "type" = ${type.uid}`;
}

function assertUnique({ row, attribute, code }: Extract<WriteOp, { kind: 'assert-unique' }>): SQL {
  const taken = isTaken(attribute, ownValue(row, attribute), row.documentId, row.locale, row.type);
  return assert(sql`not ${taken}`, code);
}

function assertUnchanged({ row, updatedAt }: Extract<WriteOp, { kind: 'assert-unchanged' }>): SQL {
  const stamp = sql`(select "updated_at" from ${identifier(row.type.table)} where ${rowCondition(row)})`;
  return assert(sql`${stamp} is ${updatedAt}`, CONFLICT);
}

function compileOp(op: WriteOp): readonly SQL[] {
  switch (op.kind) {
    case 'assert-unique':
      return [assertUnique(op)];
    case 'assert-unchanged':
      return [assertUnchanged(op)];
    case 'insert':
      return [insert(op)];
    case 'update':
      return [update(op)];
    case 'publish':
      return publish(op);
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
