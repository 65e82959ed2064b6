/**
 * @module Unique values: are they taken, asked before a write and asserted inside it.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { RowRef, UniquePath, UniquePathValues, WriteOp } from '../../plan/model/write-plan.ts';
import type { UniqueLookup } from '../../plan/validate/unique-values.ts';
import type { ScalarAttribute } from '../../registry/model.ts';
import { assert, balanced, columnOf, commaList } from '../pieces.ts';
import { jsonOf, storedExpression, textOf } from '../scope.ts';
import { isDocument, isLocale, isVersion, rowCondition } from '../versions.ts';

/**
 * Is `$other` of a locale that the value is compared in? The one that is published, as in the reference; a value that all
 * locales share is carried to those of its document that are published already, and so compared there as well.
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
  const { type, documentId } = row;
  const terms = [
    sql`${storedExpression(attribute, '$other')} = ${value}`,
    sql`${columnOf('$other', 'document_id')} is not ${documentId ?? null}`,
    isVersion('$other', 'published'),
  ];
  if (type.localized) terms.push(isComparedLocale(row, attribute.localized));
  return sql`exists (
    select 1
    from ${sql.identifier(type.table)} as "$other"
    where ${balanced(terms, 'and')}
  )`;
}

/** The value that a row has in an attribute; an empty text is not looked for. */
const ownValue = (row: RowRef, attribute: ScalarAttribute): SQL =>
  sql`(
    select nullif(${storedExpression(attribute, '$own')}, '')
    from ${sql.identifier(row.type.table)} as "$own"
    where ${rowCondition(row, '$own')}
  )`;

/** The value that a document has: in the row itself, or, where it has none, in the version that a new locale inherits from. */
function documentValue(row: RowRef, attribute: ScalarAttribute): SQL {
  if (!row.type.localized || attribute.localized) return ownValue(row, attribute);
  return sql`(
    select nullif(${storedExpression(attribute, '$own')}, '')
    from ${sql.identifier(row.type.table)} as "$own"
    where ${isDocument(row, '$own')}
    order by ${rowCondition({ ...row, documentId: undefined }, '$own')} desc, "$own"."published_at" desc, "$own"."id"
    limit 1
  )`;
}

/** One row whose columns `0`, `1`… say whether the value of each lookup is taken; a caller keeps them few. */
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

/** A unique value in the components of a row, and the entries of lists that lead there; a place may be below none. */
interface Located {
  readonly from: readonly SQL[];
  readonly where: readonly SQL[];
  readonly value: SQL;
}

/** What is no component stands there only until a migration has come. */
function locationOf({ steps, attribute }: UniquePath, alias: string): Located {
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
    if (step.attribute.kind === 'dynamiczone') where.push(sql`${textOf(json, '__component')} = ${step.component}`);
  }
  return { from, where, value: textOf(json, attribute.name) };
}

/** The values that versions of a document have at a path. */
function ownValues(row: RowRef, path: UniquePath): SQL {
  const { from, where, value } = locationOf(path, '$own');
  return sql`
    select ${value}
    from ${commaList([sql`${sql.identifier(row.type.table)} as "$own"`, ...from])}
    where ${balanced([isDocument(row, '$own'), ...where], 'and')}`;
}

/** The instances of a row `$other` that have one of the values at the path. */
function holders(row: RowRef, { path, values, withOwn }: UniquePathValues) {
  const { from, where, value } = locationOf(path, '$other');
  const listed = sql`select value from json_each(${JSON.stringify(values)})`;
  const wanted = withOwn ? [listed, ownValues(row, path)] : [listed];
  const terms = [sql`${value} in (${sql.join(wanted, sql` union all `)})`, ...where];
  if (row.type.localized) terms.push(isComparedLocale(row, path.steps[0].attribute.localized));
  const entries = from.length > 0 ? sql`from ${commaList(from)}` : sql``;
  return { value, rows: sql`${entries} where ${balanced(terms, 'and')}` };
}

const isOther = ({ documentId }: RowRef): SQL =>
  sql`${columnOf('$other', 'document_id')} is not ${documentId ?? null} and ${isVersion('$other', 'published')}`;

/** Which values do published versions of other documents have? With the columns `place`, a number, and `value`. */
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
