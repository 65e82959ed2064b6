/**
 * @module Unique values: are they taken, asked before a write and asserted inside it.
 */
import type { UniqueLookup } from '../plan/unique-values.ts';
import type { RowRef, WriteOp } from '../plan/write-plan.ts';
import type { ContentType, ScalarAttribute } from '../registry/model.ts';
import { identifier, type SQL, sql } from './fragment.ts';
import { storedExpression } from './scope.ts';
import { assert, balanced, columnOf, commaList } from './statement.ts';
import { isLocale, isVersion, rowCondition } from './versions.ts';

/** Is the published value of another document the same? Values of one locale meet only their own kind. */
function isTaken(
  attribute: ScalarAttribute,
  value: SQL,
  documentId: string | undefined,
  locale: string,
  type: ContentType,
): SQL {
  const terms = [
    sql`${storedExpression(attribute, '$other')} = ${value}`,
    sql`${columnOf('$other', 'document_id')} is not ${documentId ?? null}`,
    isVersion('$other', 'published'),
  ];
  if (type.localized && attribute.localized) terms.push(isLocale('$other', locale));
  return sql`exists (
    select 1
    from ${identifier(type.table)} as "$other"
    where ${balanced(terms, 'and')}
  )`;
}

/** The value that a row has in an attribute; an empty text is not looked for. */
const ownValue = (row: RowRef, attribute: ScalarAttribute): SQL =>
  sql`(
    select nullif(${storedExpression(attribute, '$own')}, '')
    from ${identifier(row.type.table)} as "$own"
    where ${rowCondition(row, '$own')}
  )`;

/** One row whose columns `0`, `1`… say whether the value of each lookup is taken; a caller keeps them few. */
export function uniqueValues(lookups: readonly UniqueLookup[], row: RowRef): SQL {
  const columns = lookups.map(({ attribute, value }, index) => {
    const wanted = value === undefined ? ownValue(row, attribute) : sql`${value}`;
    return sql`${isTaken(attribute, wanted, row.documentId, row.locale, row.type)} as ${identifier(String(index))}`;
  });
  return sql`select ${commaList(columns)}`;
}

export function assertUnique({ row, attribute, code }: Extract<WriteOp, { kind: 'assert-unique' }>): SQL {
  const taken = isTaken(attribute, ownValue(row, attribute), row.documentId, row.locale, row.type);
  return assert(sql`not ${taken}`, code);
}
