/**
 * @module Unique values: read before a write, and asserted in its batch.
 */
import { type SQL, sql } from 'drizzle-orm';
import { knownDocumentId } from '../../../schema/document-ref.ts';
import type { ScalarAttribute } from '../../../schema/model.ts';
import type { RowRef, UniquePath, UniquePathValues, WriteOp } from '../../plan/model/write-plan.ts';
import type { UniqueLookup } from '../../plan/validate/unique-values.ts';
import { joined } from '../drizzle-pieces.ts';
import { assert, balanced, columnOf, commaList } from '../pieces.ts';
import { jsonOf, memberText, storedExpression } from '../scope.ts';
import { isDocument, isLocale, isVersion, rowCondition } from '../versions.ts';

/**
 * Is `$other` in a locale in which the value is compared? As in Strapi, in the published one. A non-localized value goes
 * to the other published locales of its document too, so it is compared there as well.
 */
function isComparedLocale(row: RowRef, localized: boolean): SQL {
  const own = isLocale('$other', row.locale);
  if (localized) return own;
  const published = rowCondition({ ...row, locale: undefined, status: 'published' }, '$own');
  return sql`(${own} or ${columnOf('$other', 'locale')} in (
    select ${columnOf('$own', 'locale')}
    from ${sql.identifier(row.type.table)} as "$own"
    where ${published}
  ))`;
}

/** Is the published value of another document the same? */
function isTaken(attribute: ScalarAttribute, value: SQL, row: RowRef): SQL {
  const { type, document } = row;
  const terms = [
    sql`${storedExpression(attribute, '$other')} = ${value}`,
    sql`${columnOf('$other', 'document_id')} is not ${knownDocumentId(document)}`,
    isVersion('$other', 'published'),
  ];
  if (type.localized) terms.push(isComparedLocale(row, attribute.localized));
  return sql`exists (
    select 1
    from ${sql.identifier(type.table)} as "$other"
    where ${balanced(terms, 'and')}
  )`;
}

/** Selects a value of a row `$own`; an empty text is never taken. */
const ownValue = (row: RowRef, attribute: ScalarAttribute, where = rowCondition(row, '$own')): SQL => sql`(
  select nullif(${storedExpression(attribute, '$own')}, '')
  from ${sql.identifier(row.type.table)} as "$own"
  where ${where}
)`;

/** Selects the value of the row or, if it does not exist, of the version that a new locale inherits from. */
function documentValue(row: RowRef, attribute: ScalarAttribute): SQL {
  if (!row.type.localized || attribute.localized) return ownValue(row, attribute);
  const isRow = sql`${columnOf('$own', 'locale')} = ${row.locale} and ${isVersion('$own', row.status)}`;
  return ownValue(
    row,
    attribute,
    sql`${isDocument(row, '$own')} order by ${isRow} desc, "$own"."published_at" desc, "$own"."id" limit 1`,
  );
}

/** Selects one row: is the value of each lookup taken? The columns are `0`, `1`…; a caller keeps them few. */
export function uniqueValues(lookups: readonly UniqueLookup[], row: RowRef): SQL {
  const columns = lookups.map(({ attribute, value }, index) => {
    const wanted = value === undefined ? documentValue(row, attribute) : sql`${value}`;
    return sql`${isTaken(attribute, wanted, row)} as ${sql.identifier(String(index))}`;
  });
  return sql`select ${commaList(columns)}`;
}

export function assertUnique({ row, attribute, code }: Extract<WriteOp, { kind: 'assert-unique' }>): SQL {
  return assert(sql`not ${isTaken(attribute, ownValue(row, attribute), row)}`, code);
}

/** Returns the value at a path, and the lists on the way. Other entries than components exist until a migration. */
function locationOf({ steps, attribute }: UniquePath, alias: string) {
  const [first, ...below] = steps;
  const from: SQL[] = [];
  const where: SQL[] = [];
  let json = columnOf(alias, first.attribute.column);
  for (const step of steps) {
    if (below.includes(step)) json = jsonOf(json, step.attribute.name);
    if (!step.list) continue;
    const entry = `$entry${from.length}`;
    from.push(sql`json_each(${json}) as ${sql.identifier(entry)}`);
    json = sql`iif(${columnOf(entry, 'type')} = 'object', ${columnOf(entry, 'value')}, null)`;
    if (step.attribute.kind === 'dynamiczone') where.push(sql`${memberText(json, '__component')} = ${step.component}`);
  }
  return { from, where, value: memberText(json, attribute.name) };
}

/** Selects the values of a document at a path, in every version. */
function ownValues(row: RowRef, path: UniquePath): SQL {
  const { from, where, value } = locationOf(path, '$own');
  return sql`
    select ${value}
    from ${commaList([sql`${sql.identifier(row.type.table)} as "$own"`, ...from])}
    where ${balanced([isDocument(row, '$own'), ...where], 'and')}`;
}

/** The instances of a row `$other` with one of the values. */
function holders(row: RowRef, { path, values, withOwn }: UniquePathValues) {
  const { from, where, value } = locationOf(path, '$other');
  const listed = sql`select value from json_each(${JSON.stringify(values)})`;
  const wanted = withOwn ? [listed, ownValues(row, path)] : [listed];
  const terms = [sql`${value} in (${joined(wanted, sql` union all `)})`, ...where];
  if (row.type.localized) terms.push(isComparedLocale(row, path.steps[0].attribute.localized));
  const entries = from.length > 0 ? sql`from ${commaList(from)}` : sql``;
  return { value, rows: sql`${entries} where ${balanced(terms, 'and')}` };
}

const isOther = ({ document }: RowRef): SQL =>
  sql`${columnOf('$other', 'document_id')} is not ${knownDocumentId(document)} and ${isVersion('$other', 'published')}`;

/** Selects the taken values: `place` is the index of their path. */
export function takenValues(paths: readonly UniquePathValues[], row: RowRef): SQL {
  const lists = paths.map((each) => {
    const { value, rows } = holders(row, each);
    return sql`(select json_group_array("value") from (select ${value} as "value" ${rows}))`;
  });
  return sql`
    select distinct "$places"."key" as "place", "$values"."value" as "value"
    from
      ${sql.identifier(row.type.table)} as "$other",
      json_each(json_array(${commaList(lists)})) as "$places",
      json_each("$places"."value") as "$values"
    where ${isOther(row)}`;
}

export function assertFree({ row, values, code }: Extract<WriteOp, { kind: 'assert-free' }>): SQL {
  const held = values.map((each) => sql`exists (select 1 ${holders(row, each).rows})`);
  const found = sql`select 1 from ${sql.identifier(row.type.table)} as "$other" where ${isOther(row)} and ${balanced(held, 'or')}`;
  return assert(sql`not exists (${found})`, code);
}
