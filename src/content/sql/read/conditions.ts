/**
 * @module Condition, Order and Versions → SQL expressions over one table. Values are bound; names are the registry's.
 */
import { type SQL, sql } from 'drizzle-orm';
import { isComponentNode } from '../../plan/model/node-kinds.ts';
import type { Condition, Operand, Order, TimeOperand } from '../../plan/model/read-plan.ts';
import type { Comparison } from '../../request/operators.ts';
import { anyTime, balanced, columnOf, commaList, valuesOf } from '../pieces.ts';
import {
  comparable,
  componentJson,
  instanceScope,
  isColumn,
  type RowScope,
  rowScope,
  type Scope,
  storedExpression,
} from '../scope.ts';
import { isVersion, listOf } from '../versions.ts';
import { aliases, joinOf } from './joins.ts';
import { compileRelated } from './related.ts';
import { containing, contains, endsWith, startsWith } from './texts.ts';
import { compileRank, compileWords } from './words.ts';

type Compile = (value: SQL, operand: Operand | SQL, isColumn: boolean) => SQL;

const lacks: Compile = (...searched) => sql`not ${contains(...searched)}`;

const ONE: Readonly<Record<Exclude<Comparison, '$in' | '$notIn' | '$between'>, Compile>> = {
  $eq: (value, operand) => (operand === null ? sql`${value} is null` : sql`${value} = ${operand}`),
  $eqi: (value, operand) => sql`lower(${value}) = lower(${operand})`,
  $ne: (value, operand) => (operand === null ? sql`${value} is not null` : sql`${value} <> ${operand}`),
  $nei: (value, operand) => sql`lower(${value}) <> lower(${operand})`,
  $lt: (value, operand) => sql`${value} < ${operand}`,
  $lte: (value, operand) => sql`${value} <= ${operand}`,
  $gt: (value, operand) => sql`${value} > ${operand}`,
  $gte: (value, operand) => sql`${value} >= ${operand}`,
  $contains: contains,
  $containsi: contains,
  $notContains: lacks,
  $notContainsi: lacks,
  $startsWith: startsWith,
  $startsWithi: startsWith,
  $endsWith: endsWith,
  $endsWithi: endsWith,
};

const isTime = (operand: Operand): operand is TimeOperand => typeof operand === 'object' && operand !== null;

const bound = (operand: Operand): Exclude<Operand, TimeOperand> | SQL => (isTime(operand) ? anyTime(operand) : operand);

/** As in SQL, no value is for certain outside a list that has a null. */
function inList(value: SQL, all: readonly Operand[], negated: boolean): SQL {
  const operands = all.filter((operand) => !isTime(operand));
  // A list is one parameter, which has no place for a time.
  const times = all.filter(isTime).map((time) => ONE[negated ? '$ne' : '$eq'](value, anyTime(time), false));
  if (times.length > 0) return balanced([inList(value, operands, negated), ...times], negated ? 'and' : 'or');
  const given = operands.filter((operand) => operand !== null);
  const list = valuesOf(given);
  const found = negated ? sql`${value} not in ${list}` : sql`${value} in ${list}`;
  if (given.length === operands.length) return found;
  return negated ? sql`(${found} and null)` : sql`(${found} or null)`;
}

function compare(condition: Extract<Condition, { kind: 'compare' }>, scope: Scope): SQL {
  const value = comparable(condition.attribute, scope);
  const { operator, operands } = condition;
  switch (operator) {
    case '$in':
    case '$notIn':
      return inList(value, operands, operator === '$notIn');
    case '$between':
      return sql`${value} between ${bound(operands[0] ?? null)} and ${bound(operands[1] ?? null)}`;
    default:
      return alternatives(value, operator, operands, isColumn(condition.attribute, scope));
  }
}

/** Binds many operands as one parameter. Null for a null value, as with one operand. */
function anyOf(value: SQL, operator: keyof typeof ONE, operands: readonly Operand[]): SQL {
  if (operator === '$eq') return inList(value, operands, false);
  const each = ONE[operator](value, sql`value`, false);
  return sql`iif(
    ${value} is null,
    null,
    exists (select 1 from json_each(${JSON.stringify(operands)}) where ${each})
  )`;
}

/** Any of the operands. Up to four are spelled out, and so are null and the empty text, which compare differently. */
function alternatives(value: SQL, operator: keyof typeof ONE, operands: readonly Operand[], isColumn: boolean): SQL {
  const isAlone = (operand: Operand) => operands.length <= 4 || operand === null || operand === '' || isTime(operand);
  const terms = [...new Set(operands.filter(isAlone))].map((operand) => ONE[operator](value, bound(operand), isColumn));
  const rest = operands.filter((operand) => !isAlone(operand));
  return balanced(rest.length > 0 ? [...terms, anyOf(value, operator, rest)] : terms, 'or');
}

function search({ text, attributes }: Extract<Condition, { kind: 'search' }>, scope: Scope): SQL {
  const isFound = containing(text);
  const terms = attributes.map((attribute) => isFound(comparable(attribute, scope), isColumn(attribute, scope)));
  return balanced(terms, 'or');
}

function otherVersion(condition: Extract<Condition, { kind: 'other-version' }>, row: RowScope): SQL {
  const { exists, scope, status, modified, visible } = condition;
  const column = (name: string) => columnOf('$counterpart', name);
  const own = (name: string) => columnOf(row.alias, name);
  const terms = [
    sql`${column('document_id')} = ${own('document_id')}`,
    isVersion('$counterpart', status === 'draft' ? 'published' : 'draft'),
  ];
  if (scope === 'version') terms.push(sql`${column('locale')} = ${own('locale')}`);
  if (modified !== undefined) {
    const times = [own('updated_at'), column('updated_at')];
    const [draft, published] = status === 'draft' ? times : times.toReversed();
    terms.push(modified ? sql`${draft} > ${published}` : sql`${draft} <= ${published}`);
  }
  if (visible) terms.push(compileCondition(visible, rowScope(row.type, '$counterpart', row.depth)));
  const found = sql`exists (
    select 1
    from ${sql.identifier(row.type.table)} as "$counterpart"
    where ${balanced(terms, 'and')}
  )`;
  return exists ? found : sql`not ${found}`;
}

/** Each later locale is a condition of its own, so that a row of the first one costs no lookup. */
function firstLocale(condition: Extract<Condition, { kind: 'first-locale' }>, row: RowScope): SQL {
  const { locales, status, visible } = condition;
  const before = (name: string) => columnOf('$before', name);
  const isSeen = visible ? [compileCondition(visible, rowScope(row.type, '$before', row.depth))] : [];
  const terms = locales.map((locale, index) => {
    const isOf = sql`${columnOf(row.alias, 'locale')} = ${locale}`;
    if (index === 0) return isOf;
    const earlier = [
      sql`${before('document_id')} = ${columnOf(row.alias, 'document_id')}`,
      isVersion('$before', status),
      sql`${before('locale')} in ${listOf(locales.slice(0, index))}`,
      ...isSeen,
    ];
    return sql`(${isOf} and not exists (
      select 1
      from ${sql.identifier(row.type.table)} as "$before"
      where ${balanced(earlier, 'and')}
    ))`;
  });
  return balanced(terms, 'or');
}

export function compileCondition(condition: Condition, scope: Scope): SQL {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return balanced(
        condition.conditions.map((item) => compileCondition(item, scope)),
        condition.kind,
      );
    case 'not':
      return sql`not (${compileCondition(condition.condition, scope)})`;
    case 'compare':
      return compare(condition, scope);
    case 'null':
      return isNull(condition, scope);
    case 'search':
      return search(condition, scope);
    case 'words':
      return scope.kind === 'row' ? compileWords(condition, scope) : sql`0`;
    case 'other-version':
      return scope.kind === 'row' ? otherVersion(condition, scope) : sql`0`;
    case 'first-locale':
      return scope.kind === 'row' ? firstLocale(condition, scope) : sql`0`;
    case 'related':
      return compileRelated(condition, scope, compileCondition);
    case 'never':
      return sql`0`;
    case 'version':
      return scope.kind === 'row' ? isVersion(scope.alias, condition.status) : sql`0`;
    case 'caller':
      return compareCaller(condition, scope);
    default:
      return condition satisfies never;
  }
}

/** Comparing with the null of a missing value is not true. */
function compareCaller({ attribute, operator, value }: Extract<Condition, { kind: 'caller' }>, scope: Scope): SQL {
  const { type, user, step } = value;
  const row = rowScope(type, '$caller', scope.depth);
  const joined = step && joinOf(step, row, compileCondition);
  const from = sql`from ${sql.identifier(type.table)} as "$caller"`;
  const isUser = sql`${columnOf('$caller', 'id')} = ${user}`;
  const of = comparable(attribute, scope);
  const selected = comparable(value.attribute, joined?.scope ?? row);
  if (joined) return sql`${of} in (select ${selected} ${from}, ${joined.from} where ${isUser} and ${joined.where})`;
  const other = sql`(select ${selected} ${from} where ${isUser})`;
  if (operator === '$in' || operator === '$notIn' || operator === '$between')
    throw new Error(`no ${operator} of a caller`);
  return ONE[operator](of, other, isColumn(attribute, scope));
}

function isNull({ attribute, is }: Extract<Condition, { kind: 'null' }>, scope: Scope): SQL {
  const stored = scope.kind === 'row' ? storedExpression(attribute, scope.alias) : comparable(attribute, scope);
  return is ? sql`${stored} is null` : sql`${stored} is not null`;
}

const firstOf = (term: Order, scope: Scope, rows: SQL): SQL =>
  sql`(select ${sortedValue(term, scope)} ${rows} order by 1 ${term.descending ? sql`desc` : sql`asc`} limit 1)`;

/** The value that a term sorts by; of several values behind its steps, the first in its order. */
export function sortedValue({ steps, attribute, descending, rank }: Order, scope: Scope): SQL {
  if (rank && scope.kind === 'row') return compileRank(rank, scope);
  const [step, ...rest] = steps;
  if (!step) return comparable(attribute, scope);
  const term = { steps: rest, attribute, descending };
  if (isComponentNode(step)) {
    const json = componentJson(step.attribute, scope);
    if (!step.attribute.repeatable) return sortedValue(term, instanceScope(json, scope));
    const { item } = aliases(scope);
    return firstOf(
      term,
      instanceScope(columnOf(item, 'value'), scope),
      sql`from json_each(${json}) as ${sql.identifier(item)}`,
    );
  }
  const joined = joinOf(step, scope, compileCondition);
  return firstOf(term, joined.scope, sql`from ${joined.from} where ${joined.where}`);
}

/** Nulls come first ascending and last descending, as in SQLite and Strapi. */
export const compileOrder = (order: readonly Order[], scope: Scope): SQL =>
  commaList(order.map((term) => (term.descending ? sql`${sortedValue(term, scope)} desc` : sortedValue(term, scope))));
