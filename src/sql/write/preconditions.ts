/**
 * @module Questions of a write → statements of one read batch.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ColumnAttribute } from '../../plan/model/component-attributes.ts';
import type { ChosenRows, RowRef } from '../../plan/model/write-plan.ts';
import type { Preconditions } from '../../plan/write/preconditions.ts';
import type { ContentType } from '../../registry/model.ts';
import { CONFLICT } from '../batch.ts';
import { selectedColumns } from '../columns.ts';
import { asked, type Compiled, mapped, together } from '../compiled.ts';
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
 * its time. What comes into the database otherwise renews every stamp.
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

/** What was asked about, and the rows that came. */
export interface Answer<About> {
  readonly about: About;
  readonly rows: readonly Row[];
}

/** What the database answered to the questions of a write. */
export interface Answers {
  readonly versions: readonly Row[];
  readonly unique: readonly Answer<Preconditions['unique'][number]>[];
  readonly placed: readonly Answer<Preconditions['placed'][number]>[];
  readonly targets: readonly Answer<{ readonly type: ContentType }>[];
  readonly links: readonly Answer<Preconditions['links'][number]>[];
  readonly originalLinks: readonly Answer<Preconditions['links'][number]>[];
  /** Assertions for the batch of the write: what was answered is the answer still. Unique values have their own. */
  readonly unchanged: readonly Statement[];
}

/** The columns of an answer that tell whether it is still true. */
function assertSame(query: SQL, stamps: readonly string[], rows: readonly Row[]): Statement {
  const answer = rows.map((row) => stamps.map((stamp) => row[stamp]));
  const columns = commaList(stamps.map((stamp) => sql.identifier(stamp)));
  const now = sql`(select json_group_array(json_array(${columns})) from (${query}))`;
  return toStatement(assert(sql`${now} = ${JSON.stringify(answer)}`, CONFLICT));
}

interface Checked<About> extends Answer<About> {
  readonly unchanged: readonly Statement[];
}

/** @param again asks for the `stamps` of the same rows. */
const question = <About>(
  about: About,
  query: SQL,
  stamps: readonly string[],
  again = query,
): Compiled<Checked<About>> =>
  asked(toStatement(query), (rows) => ({
    about,
    rows,
    unchanged: stamps.length > 0 ? [assertSame(again, stamps, rows)] : [],
  }));

const aboutLinks = (links: Preconditions['links']) =>
  together(links.map((link) => question(link, presentLinks(link.row, link), LINK)));

const aboutVersions = (row: RowRef, columns: readonly ColumnAttribute[], alone: boolean) =>
  question(row, versionsOf(row, columns, alone), CHANGED, versionsOf(row, [], alone));

export function compileQuestions(questions: Preconditions): Compiled<Answers> {
  const { row, versions, columns, unique, placed, targets, inner, links, originalLinks } = questions;
  const ofVersions = versions === 'none' ? [] : [aboutVersions(row, columns, versions === 'row')];
  const ofUnique = unique.map((group) => question(group, uniqueValues(group, row), []));
  const ofPlaced = placed.map((group) => question(group, takenValues(group, row), []));
  const ofTargets = targets.map((lookup) => question(lookup, targetRows(lookup), TARGET));
  const ofInner = inner.map((lookup) => question(lookup, innerTargets(row, lookup), TARGET));
  const ofLinks = [aboutLinks(links), aboutLinks(originalLinks)] as const;
  const ofValues = [together(ofUnique), together(ofPlaced)] as const;
  const all = [together(ofVersions), ...ofValues, together(ofTargets), together(ofInner), ...ofLinks] as const;
  return mapped(together(all), ([found, taken, inside, named, within, present, original]) => ({
    versions: found.flatMap(({ rows }) => rows),
    unique: taken,
    placed: inside,
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
  const query = sql`select ${id} as "id" from ${sql.identifier(type.table)} where ${chosen} order by ${id}`;
  return mapped(question(rows, query, ['id']), ({ rows: found, unchanged }) => ({
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
