/**
 * @module The scope of a condition: a row of a table, or an instance of a component in a JSON column.
 */
import { type SQL, sql } from 'drizzle-orm';
import { FIELDS } from '../../schema/fields.ts';
import type { ContentType, ScalarAttribute } from '../../schema/model.ts';
import { OVERFLOW_COLUMN } from '../../schema/names.ts';
import { ID } from '../plan/model/resolve.ts';
import { columnOf } from './pieces.ts';

export interface RowScope {
  readonly kind: 'row';
  readonly type: ContentType;
  readonly alias: string;
  readonly depth: number;
}

export interface InstanceScope {
  readonly kind: 'instance';
  /** The JSON of the instance; null if it does not exist. */
  readonly json: SQL;
  /** Locale of its row. */
  readonly locale: SQL;
  readonly localized: boolean;
  /** Alias of its row. */
  readonly row: string;
  readonly depth: number;
}

export type Scope = RowScope | InstanceScope;

export const rowScope = (type: ContentType, alias: string = type.table, depth = 0): RowScope => ({
  kind: 'row',
  type,
  alias,
  depth,
});

const path = (name: string): string => `$."${name}"`;

/** A value of an object, as JSON or as text. */
export const jsonOf = (json: SQL, name: string): SQL => sql`(${json} -> ${path(name)})`;
export const memberText = (json: SQL, name: string): SQL => sql`(${json} ->> ${path(name)})`;

/** The column of an attribute, or its value in the overflow column. */
export function storedExpression(attribute: ScalarAttribute, alias: string): SQL {
  if (!attribute.overflow) return columnOf(alias, attribute.column);
  return memberText(columnOf(alias, OVERFLOW_COLUMN), attribute.name);
}

function rowValue(attribute: ScalarAttribute, alias: string): SQL {
  const stored = storedExpression(attribute, alias);
  const { json, affinity } = FIELDS[attribute.type];
  if (json === 'value')
    return sql`iif(json_type(${stored}) in ('text', 'integer', 'real'), ${stored} ->> '$', ${stored})`;
  if (!attribute.overflow) return stored;
  return affinity === 'text' ? stored : sql`cast(${stored} as numeric)`;
}

/** Converts a value of an instance, which has the form of responses, to the form of columns: times are milliseconds. */
function instanceValue(attribute: ScalarAttribute, json: SQL): SQL {
  const value = memberText(json, attribute.name);
  const { milliseconds, exact } = FIELDS[attribute.type];
  if (milliseconds) return sql`cast(round(unixepoch(${value}, 'subsec') * 1000) as integer)`;
  return exact ? sql`cast(${value} as integer)` : value;
}

/** The value that filters and sort compare. JSON texts compare without quotes, JSON numbers as numbers. */
export function comparable(attribute: ScalarAttribute, scope: Scope): SQL {
  if (scope.kind === 'row') return rowValue(attribute, scope.alias);
  return attribute === ID ? memberText(scope.json, 'id') : instanceValue(attribute, scope.json);
}

/** Does `comparable` return a column as it is stored? */
export const isColumn = (attribute: ScalarAttribute, scope: Scope): boolean =>
  scope.kind === 'row' && !attribute.overflow && FIELDS[attribute.type].json !== 'value';

export const localeOf = (scope: Scope): SQL => (scope.kind === 'row' ? columnOf(scope.alias, 'locale') : scope.locale);
export const isLocalized = (scope: Scope): boolean => (scope.kind === 'row' ? scope.type.localized : scope.localized);

/** The JSON of a component attribute. */
export const componentJson = (attribute: { readonly name: string; readonly column: string }, scope: Scope): SQL =>
  scope.kind === 'row' ? columnOf(scope.alias, attribute.column) : jsonOf(scope.json, attribute.name);

export const instanceScope = (json: SQL, owner: Scope): Scope => ({
  kind: 'instance',
  json,
  locale: localeOf(owner),
  localized: isLocalized(owner),
  row: owner.kind === 'row' ? owner.alias : owner.row,
  depth: owner.depth + 1,
});
