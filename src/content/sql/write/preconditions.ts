/**
 * @module Preconditions of a write → statements of one read batch.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ColumnAttribute, ContentType } from '../../../schema/model.ts';
import type { ChosenRows, RowRef } from '../../plan/model/write-plan.ts';
import type { LinkLookup, Preconditions } from '../../plan/write/preconditions.ts';
import { assertion } from '../assertions.ts';
import { CONFLICT } from '../batch.ts';
import { selectedColumns } from '../columns.ts';
import { type Compiled, mapped, query, together } from '../compiled.ts';
import { balanced, columnOf, commaList } from '../pieces.ts';
import { compileCondition } from '../read/conditions.ts';
import { toStatement } from '../render.ts';
import { rowScope } from '../scope.ts';
import { everyStamp } from '../stamps.ts';
import { fitting, type Row, type Statement } from '../statement.ts';
import { isDocument, isVersion, rowCondition } from '../versions.ts';
import { deletedRows } from './links.ts';
import { innerColumns, innerTargets, linkLookupColumns, presentLinks, TARGET, targetRows } from './present-links.ts';
import { takenValues, uniqueValues } from './unique.ts';
import { equalLinks } from './version-links.ts';

const VERSION = ['id', 'document_id', 'locale', 'published_at'] as const;

/** As text, since JSON formats a number that is not an integer differently than JavaScript. */
const updatedAt = (table: string): SQL => sql`cast(${columnOf(table, 'updated_at')} as text) as "updated_at"`;

/**
 * Every write of a version changes one of these: a new row has a new number. Direct changes of the database rotate every
 * stamp.
 */
const CHANGED = ['id', 'updated_at', 'is_published', 'every'] as const;

/** Has the document a published version in the same locale? */
function isPublished({ table }: ContentType): SQL {
  const same = (column: string) => sql`${columnOf('$other', column)} = ${columnOf(table, column)}`;
  const terms = [same('document_id'), same('locale'), isVersion('$other', 'published')];
  return sql`exists (select 1 from ${sql.identifier(table)} as "$other" where ${balanced(terms, 'and')})`;
}

/** The row to update, or all versions of its document, with the columns `CHANGED`. */
function versionsOf(row: RowRef, attributes: readonly ColumnAttribute[], isAlone: boolean): SQL {
  const { table } = row.type;
  const version = VERSION.map((column) => columnOf(table, column));
  return sql`
    select
      ${commaList([...version, updatedAt(table), ...selectedColumns(attributes, table)])},
      ${isPublished(row.type)} as "is_published",
      ${everyStamp} as "every"
    from ${sql.identifier(table)}
    where ${isAlone ? rowCondition(row) : isDocument(row)}
    order by ${columnOf(table, 'published_at')} desc, ${columnOf(table, 'id')}`;
}

/** The rows of a lookup, and their guards. */
export interface LookupResult<Lookup> {
  readonly lookup: Lookup;
  readonly rows: readonly Row[];
  readonly unchanged: readonly Statement[];
}

export interface PreconditionRows {
  readonly versions: readonly Row[];
  readonly unique: readonly LookupResult<Preconditions['unique'][number]>[];
  readonly uniquePaths: readonly LookupResult<Preconditions['uniquePaths'][number]>[];
  readonly targets: readonly LookupResult<{ readonly type: ContentType }>[];
  readonly inner: readonly LookupResult<{ readonly type: ContentType }>[];
  readonly links: readonly LookupResult<Preconditions['links'][number]>[];
  readonly sharedLinks: readonly LookupResult<Preconditions['links'][number]>[];
  readonly copied: readonly LookupResult<Preconditions['copied'][number]>[];
  /** Guards of the write: they abort its batch if one of the rows has changed. Unique values have their own. */
  readonly unchanged: readonly Statement[];
}

/** Aborts the batch if the query no longer returns these rows, compared by the columns `stamps`. */
function assertSame(select: SQL, stamps: readonly string[], rows: readonly Row[]): Statement {
  const expected = rows.map((row) => stamps.map((stamp) => row[stamp]));
  const columns = commaList(stamps.map((stamp) => sql.identifier(stamp)));
  const now = sql`(select json_group_array(json_array(${columns})) from (${select}))`;
  return assertion(sql`${now} = ${JSON.stringify(expected)}`, CONFLICT);
}

/**
 * @param stamps columns that change with a row; an empty list for no guard
 * @param again selects the stamps of the same rows
 */
export const guardedLookup = <Lookup>(
  lookup: Lookup,
  select: SQL,
  stamps: readonly string[],
  again = select,
): Compiled<LookupResult<Lookup>> =>
  query(toStatement(select), (rows) => ({
    lookup,
    rows,
    unchanged: stamps.length > 0 ? [assertSame(again, stamps, rows)] : [],
  }));

const lookups = <Lookup>(
  list: readonly Lookup[],
  selectOf: (lookup: Lookup) => SQL,
  stampsOf: (lookup: Lookup) => readonly string[],
): Compiled<LookupResult<Lookup>[]> =>
  together(list.map((lookup) => guardedLookup(lookup, selectOf(lookup), stampsOf(lookup))));

/** Reads links in the order of the row; those to more types than one statement has room for in several. */
function linkLookup(lookup: LinkLookup): Compiled<LookupResult<LinkLookup>> {
  const all = lookup.tables.map((_, index) => index);
  const parts = fitting(all, (some) => {
    const pick = <T>(list: readonly T[]) => some.map((index) => list[index] as T);
    const tables = pick(lookup.tables) as unknown as LinkLookup['tables'];
    const visible = lookup.visible && pick(lookup.visible);
    const isPart = some.length < all.length;
    const select = presentLinks({ ...lookup, tables, ...(visible && { visible }), isPart });
    return { ...toStatement(select), select };
  });
  const reads = parts.map(({ select }) => guardedLookup(lookup, select, linkLookupColumns(lookup)));
  const inOrder = (a: Row, b: Row) => Number(a.position) - Number(b.position) || Number(a.tie) - Number(b.tie);
  return mapped(together(reads), (found) => ({
    lookup,
    rows: found.flatMap(({ rows }) => rows).sort(inOrder),
    unchanged: found.flatMap(({ unchanged }) => unchanged),
  }));
}

const targetColumns = () => TARGET;
/** Unique values have assertions of their own. */
const unguarded = () => [];

const versionLookup = (row: RowRef, columns: readonly ColumnAttribute[], isAlone: boolean) =>
  guardedLookup(row, versionsOf(row, columns, isAlone), CHANGED, versionsOf(row, [], isAlone));

export function compilePreconditions(preconditions: Preconditions): Compiled<PreconditionRows> {
  const { row, versions, columns, unique, uniquePaths, targets, inner, links, sharedLinks, copied } = preconditions;
  const own = versions === 'none' ? [] : [versionLookup(row, columns, versions === 'row')];
  const all = together([
    together(own),
    lookups(unique, (group) => uniqueValues(group, row), unguarded),
    lookups(uniquePaths, (group) => takenValues(group, row), unguarded),
    lookups(targets, targetRows, targetColumns),
    lookups(inner, (lookup) => innerTargets(row, lookup), innerColumns),
    together(links.map(linkLookup)),
    together(sharedLinks.map(linkLookup)),
    lookups(copied, equalLinks, () => ['equal']),
  ]);
  return mapped(all, ([found, taken, takenAt, named, within, present, shared, equal]) => ({
    versions: found.flatMap(({ rows }) => rows),
    unique: taken,
    uniquePaths: takenAt,
    targets: named,
    inner: within,
    links: present,
    sharedLinks: shared,
    copied: equal,
    unchanged: [...found, ...named, ...within, ...present, ...shared, ...equal].flatMap(({ unchanged }) => unchanged),
  }));
}

/** Returns one lookup for each content type. */
const mergedTargets = (all: readonly Preconditions[]): Preconditions['targets'] =>
  [
    ...Map.groupBy(
      all.flatMap(({ targets }) => targets),
      ({ type }) => type,
    ),
  ].map(([type, list]) => ({
    ...list[0],
    type,
    documentIds: [...new Set(list.flatMap(({ documentIds }) => documentIds))],
    ids: [...new Set(list.flatMap(({ ids }) => ids))],
  }));

type FoundTargets = LookupResult<Preconditions['targets'][number]>;

/** Returns the rows of the documents that one of the merged lookups names. */
function ownTargets(lookup: Preconditions['targets'][number], found: readonly FoundTargets[]): FoundTargets {
  const rows = found.find((each) => each.lookup.type === lookup.type)?.rows ?? [];
  const ids = new Set(lookup.ids);
  const numbered = rows.filter(({ id }) => ids.has(Number(id))).map((row) => row.document_id);
  const named = new Set<unknown>([...lookup.documentIds, ...numbered]);
  return { lookup, rows: rows.filter((row) => named.has(row.document_id)), unchanged: [] };
}

/** Reads the preconditions of several writes; their targets by content type. */
export function compileBatchPreconditions(all: readonly Preconditions[]) {
  const named = lookups(mergedTargets(all), targetRows, targetColumns);
  const others = together(all.map((each) => compilePreconditions({ ...each, targets: [] })));
  return mapped(together([named, others]), ([found, rest]) => ({
    rows: rest.map((rows, index): PreconditionRows => {
      const targets = (all[index]?.targets ?? []).map((lookup) => ownTargets(lookup, found));
      return { ...rows, targets };
    }),
    unchanged: [...found, ...rest].flatMap(({ unchanged }) => unchanged),
  }));
}

/** Selects the versions of a document in one locale, by what each write of them changes. */
export function compileRevisions({
  type,
  document,
  locale,
}: Omit<RowRef, 'status'>): Compiled<LookupResult<ContentType>> {
  const { table } = type;
  const id = columnOf(table, 'id');
  const select = sql`
    select
      ${id}, ${updatedAt(table)},
      ${isVersion(table, 'published')} as "published",
      ${everyStamp} as "every"
    from ${sql.identifier(table)}
    where ${isDocument({ type, document })} and ${columnOf(table, 'locale')} = ${locale}
    order by ${id}`;
  return guardedLookup(type, select, ['id', 'updated_at', 'every']);
}

/** The numbers of the chosen rows, and a guard that the same rows are chosen. */
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
 * Aborts the batch if a row was written or deleted since it was read.
 * @param updatedAt 0 for a row without a time, which another server inserted
 */
export const assertUnchangedRow = ({ table }: ContentType, id: number, updatedAt: number): Statement =>
  assertion(
    sql`exists (select 1 from ${sql.identifier(table)} where "id" = ${id} and coalesce("updated_at", 0) = ${updatedAt})`,
    CONFLICT,
  );
