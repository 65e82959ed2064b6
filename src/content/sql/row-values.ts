/**
 * @module The values of a row as JSON that is stored: by the names of their columns.
 */
import { type SQL, sql } from 'drizzle-orm';
import { groupsOf } from '../../common/groups.ts';
import { isScalar } from '../../schema/attribute-kinds.ts';
import { FIELDS } from '../../schema/fields.ts';
import type { ColumnAttribute } from '../../schema/model.ts';
import { OVERFLOW_COLUMN } from '../../schema/names.ts';
import { isOverflow, onceFor } from './columns.ts';
import { columnOf, commaList, literal } from './pieces.ts';

/** A function on D1 takes 32 arguments: two for each value. */
const VALUES_PER_OBJECT = 15;

/** Objects with some of the values each. @param pairs name and value of each */
const objectsOf = (pairs: readonly SQL[]): readonly SQL[] =>
  groupsOf(pairs, VALUES_PER_OBJECT).map((group) => sql`json_object(${commaList(group)})`);

/** One JSON object; values that are null may be absent. @param pairs name and value of each */
export function objectOf(pairs: readonly SQL[]): SQL {
  const [first = sql`json_object()`, ...others] = objectsOf(pairs);
  return others.reduce((all, one) => sql`json_patch(${all}, ${one})`, first);
}

/** Some values of an overflow column, as text. @param isPart of them `"$field"` is one */
const partOfOverflow = (column: SQL, isPart: SQL): SQL => sql`(
    select json_group_object("$field"."key", json(${column} -> "$field"."fullkey"))
    from json_each(${column}) as "$field"
    where ${isPart}
  ) || ''`;

/** JSON does not hold these integers exactly. */
export const isBig = (attribute: ColumnAttribute): boolean =>
  isScalar(attribute) && FIELDS[attribute.type].exact === true && !attribute.overflow;

/** Returns the columns of `valuesOfRow`, in order. */
export function columnsOfRow(attributes: readonly ColumnAttribute[]): readonly string[] {
  const plain = attributes.filter((each) => !isOverflow(each)).map(({ column }) => column);
  return ['id', 'document_id', ...plain, ...(attributes.some(isOverflow) ? [OVERFLOW_COLUMN] : [])];
}

/** The columns of a row with their values; big integers are texts. */
export const pairsOfRow = onceFor((attributes: readonly ColumnAttribute[], table): readonly SQL[] => {
  const exact = new Set(attributes.filter(isBig).map(({ column }) => column));
  const overflow = attributes.filter(isOverflow);
  const storedValue = (name: string): SQL => {
    const column = columnOf(table, name);
    if (name === OVERFLOW_COLUMN)
      return partOfOverflow(column, sql`"$field"."key" in (${commaList(overflow.map((each) => literal(each.name)))})`);
    return exact.has(name) ? sql`cast(${column} as text)` : column;
  };
  return columnsOfRow(attributes).map((name) => sql`${literal(name)}, ${storedValue(name)}`);
});

/** The values of a row, as a JSON list of objects by column. */
export const valuesOfRow = (attributes: readonly ColumnAttribute[], table: string): SQL =>
  sql`json_array(${commaList(objectsOf(pairsOfRow(attributes, table)))})`;
