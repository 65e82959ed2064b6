/**
 * @module Preconditions of a write → statements of one read batch.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ColumnAttribute } from '../../plan/model/component-attributes.ts';
import type { ChosenRows, RowRef } from '../../plan/model/write-plan.ts';
import type { Preconditions } from '../../plan/write/preconditions.ts';
import type { ContentType } from '../../registry/model.ts';
import { CONFLICT } from '../batch.ts';
import { selectedColumns } from '../columns.ts';
import { type Compiled, mapped, query, together } from '../compiled.ts';
import { assert, balanced, columnOf, commaList } from '../pieces.ts';
import { compileCondition } from '../read/conditions.ts';
import { toStatement } from '../render.ts';
import { rowScope } from '../scope.ts';
import { everyStamp } from '../stamps.ts';
import type { Row, Statement } from '../statement.ts';
import { isDocument, isVersion, rowCondition } from '../versions.ts';
import { deletedRows } from './links.ts';
import { innerTargets, LINK, presentLinks, TARGET, targetRows } from './present-links.ts';
import { takenValues, uniqueValues } from './unique.ts';

/** Which version a row is. */
const VERSION = ['id', 'document_id', 'locale', 'published_at'] as const;

/** The time of the last change as text: JSON writes a number that is not whole in another way than JavaScript. */
const updatedAt = (table: string): SQL => sql`cast(${columnOf(table, 'updated_at')} as text) as "updated_at"`;

/**
 * A version that appears, goes or is written changes one of these: no row has the number of one before, though it may have
 * its time. What comes into the database otherwise rotates every stamp.
 */
const CHANGED = ['id', 'updated_at', 'is_published', 'every'] as const;

/** Has the document a published version in the locale of this one? */
function isPublished({ table }: ContentType): SQL {
  const same = (column: string) => sql`${columnOf('$other', column)} = ${columnOf(table, column)}`;
  const terms = [same('document_id'), same('locale'), isVersion('$other', 'published')];
  return sql`exists (select 1 from ${sql.identifier(table)} as "$other" where ${balanced(terms, 'and')})`;
}

/** The row that is to be updated, or every version of its document: these columns, and what tells whether it changed. */
function versionsOf(row: RowRef, attributes: readonly ColumnAttribute[], alone: boolean): SQL {
  const { table } = row.type;
  const version = VERSION.map((column) => columnOf(table, column));
  return sql`
    select
      ${commaList([...version, updatedAt(table), ...selectedColumns(attributes, table)])},
      ${isPublished(row.type)} as "is_published",
      ${everyStamp} as "every"
    from ${sql.identifier(table)}
    where ${alone ? rowCondition(row) : isDocument(row)}
    order by ${columnOf(table, 'published_at')} desc, ${columnOf(table, 'id')}`;
}

/** A lookup, and the rows that it found. */
export interface LookupResult<Lookup> {
  readonly lookup: Lookup;
  readonly rows: readonly Row[];
}

/** The rows of the preconditions of a write. */
export interface PreconditionRows {
  readonly versions: readonly Row[];
  readonly unique: readonly LookupResult<Preconditions['unique'][number]>[];
  readonly uniquePaths: readonly LookupResult<Preconditions['uniquePaths'][number]>[];
  readonly targets: readonly LookupResult<{ readonly type: ContentType }>[];
  readonly links: readonly LookupResult<Preconditions['links'][number]>[];
  readonly originalLinks: readonly LookupResult<Preconditions['links'][number]>[];
  /** Guards for the batch of the write: they abort it if one of the rows has changed. Unique values have their own. */
  readonly unchanged: readonly Statement[];
}

/** Aborts the batch if the query no longer returns these rows, compared by the columns `stamps`. */
function assertSame(select: SQL, stamps: readonly string[], rows: readonly Row[]): Statement {
  const expected = rows.map((row) => stamps.map((stamp) => row[stamp]));
  const columns = commaList(stamps.map((stamp) => sql.identifier(stamp)));
  const now = sql`(select json_group_array(json_array(${columns})) from (${select}))`;
  return toStatement(assert(sql`${now} = ${JSON.stringify(expected)}`, CONFLICT));
}

interface GuardedResult<Lookup> extends LookupResult<Lookup> {
  readonly unchanged: readonly Statement[];
}

/** @param again selects the `stamps` of the same rows. */
const guardedLookup = <Lookup>(
  lookup: Lookup,
  select: SQL,
  stamps: readonly string[],
  again = select,
): Compiled<GuardedResult<Lookup>> =>
  query(toStatement(select), (rows) => ({
    lookup,
    rows,
    unchanged: stamps.length > 0 ? [assertSame(again, stamps, rows)] : [],
  }));

const linkLookups = (links: Preconditions['links']) =>
  together(links.map((link) => guardedLookup(link, presentLinks(link.row, link), LINK)));

const versionLookup = (row: RowRef, columns: readonly ColumnAttribute[], alone: boolean) =>
  guardedLookup(row, versionsOf(row, columns, alone), CHANGED, versionsOf(row, [], alone));

export function compilePreconditions(preconditions: Preconditions): Compiled<PreconditionRows> {
  const { row, versions, columns, unique, uniquePaths, targets, inner, links, originalLinks } = preconditions;
  const ofVersions = versions === 'none' ? [] : [versionLookup(row, columns, versions === 'row')];
  const ofUnique = unique.map((group) => guardedLookup(group, uniqueValues(group, row), []));
  const ofPaths = uniquePaths.map((group) => guardedLookup(group, takenValues(group, row), []));
  const ofTargets = targets.map((lookup) => guardedLookup(lookup, targetRows(lookup), TARGET));
  const ofInner = inner.map((lookup) => guardedLookup(lookup, innerTargets(row, lookup), TARGET));
  const ofLinks = [linkLookups(links), linkLookups(originalLinks)] as const;
  const ofValues = [together(ofUnique), together(ofPaths)] as const;
  const all = [together(ofVersions), ...ofValues, together(ofTargets), together(ofInner), ...ofLinks] as const;
  return mapped(together(all), ([found, taken, inside, named, within, present, original]) => ({
    versions: found.flatMap(({ rows }) => rows),
    unique: taken,
    uniquePaths: inside,
    targets: [...named, ...within],
    links: present,
    originalLinks: original,
    unchanged: [...found, ...named, ...within, ...present, ...original].flatMap(({ unchanged }) => unchanged),
  }));
}

/** Numbers of the rows that were chosen, and an assertion that the same would be chosen still. */
export interface Chosen {
  readonly ids: readonly number[];
  readonly unchanged: readonly Statement[];
}

export function compileChosen({ rows, where }: ChosenRows): Compiled<Chosen> {
  const { type } = rows;
  const id = columnOf(type.table, 'id');
  const chosen = balanced([deletedRows(rows), compileCondition(where, rowScope(type))], 'and');
  const select = sql`select ${id} as "id" from ${sql.identifier(type.table)} where ${chosen} order by ${id}`;
  return mapped(guardedLookup(rows, select, ['id']), ({ rows: found, unchanged }) => ({
    ids: found.map((row) => Number(row.id)),
    unchanged,
  }));
}

/**
 * Aborts the batch when a row, known by its number, was written or deleted since it was read.
 * @param updatedAt 0 for a row without a time, which something else put there
 */
export const assertUnchangedRow = ({ table }: ContentType, id: number, updatedAt: number): Statement =>
  toStatement(
    assert(
      sql`exists (select 1 from ${sql.identifier(table)} where "id" = ${id} and coalesce("updated_at", 0) = ${updatedAt})`,
      CONFLICT,
    ),
  );
