/**
 * @module Reads the rows that a body names, and the current links of a row.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ContentType } from '../../../schema/model.ts';
import type { LinkEnd, LinkTable } from '../../plan/model/links.ts';
import type { Condition } from '../../plan/model/read-plan.ts';
import type { RowRef } from '../../plan/model/write-plan.ts';
import type { InnerLookup } from '../../plan/relations/inner-targets.ts';
import type { TargetLookup } from '../../plan/relations/plan-relations.ts';
import type { LinkLookup } from '../../plan/write/preconditions.ts';
import { joined } from '../drizzle-pieces.ts';
import { balanced, columnOf, commaList, literal, valuesOf } from '../pieces.ts';
import { compileCondition } from '../read/conditions.ts';
import { jsonRow } from '../read/populate.ts';
import { rowScope } from '../scope.ts';
import { isDocument, isVersion, ofAnyVersion, ofSide, sidesOf } from '../versions.ts';
import { followsLocale, linksOf } from './links.ts';

export const TARGET = ['id', 'document_id', 'locale', 'published'] as const;

/** Rows by number, each with the other version of its document in the same locale. */
function numbered(type: ContentType, ids: readonly number[]): SQL {
  const named = sql`"id" in ${valuesOf(ids)}`;
  if (!type.draftAndPublish) return named;
  const same = sql`("document_id", "locale") in (select "document_id", "locale" from ${sql.identifier(type.table)} where ${named})`;
  return ofAnyVersion(same, type, type.table);
}

const targets = (type: ContentType, alias: string, where: SQL, more = sql``): SQL => sql`
  select "id", "document_id", "locale", "published_at" is not null as "published"${more}
  from ${sql.identifier(type.table)} as ${sql.identifier(alias)}
  where ${where}
  order by "id"`;

/** Rows that a body names, with the columns `TARGET`. */
export function targetRows({ type, documentIds, ids, visible }: TargetLookup): SQL {
  const terms: SQL[] = [];
  if (documentIds.length > 0)
    terms.push(ofAnyVersion(sql`"document_id" in ${valuesOf(documentIds)}`, type, type.table));
  if (ids.length > 0) terms.push(numbered(type, ids));
  const shown = visible ? [compileCondition(visible, rowScope(type))] : [];
  return targets(type, type.table, balanced([balanced(terms, 'or'), ...shown], 'and'));
}

/** Is a row none that the caller may find? */
const hiddenRow = (type: ContentType, alias: string, visible: Condition): SQL =>
  sql`, not coalesce((${compileCondition(visible, rowScope(type, alias))}), 0) as "hidden"`;

/** Rows that the components of any version of a document link to, with the columns `innerColumns`. */
export function innerTargets(row: RowRef, { type, columns, visible }: InnerLookup): SQL {
  const json = columns.map(({ column }) => sql`json(${columnOf(row.type.table, column)})`);
  const named = sql`
    select "$node"."value" ->> '$.documentId'
    from ${sql.identifier(row.type.table)}, json_tree(json_array(${commaList(json)})) as "$node"
    where ${isDocument(row)} and "$node"."type" = 'object'`;
  const isNamed = ofAnyVersion(sql`"$inner"."document_id" in (${named})`, type, '$inner');
  return targets(type, '$inner', isNamed, visible && hiddenRow(type, '$inner', visible));
}

export const innerColumns = ({ visible }: InnerLookup): readonly string[] => (visible ? [...TARGET, 'hidden'] : TARGET);

const LINK = ['document_id', 'locale', 'published', 'position'] as const;

export const linkLookupColumns = ({ visible, row }: LinkLookup): readonly string[] => [
  ...LINK,
  ...(visible ? ['hidden'] : []),
  ...(row.locale === undefined ? ['own_locale', 'own_status'] : []),
];

/** The documentIds that lookups name. */
function namedDocuments(named: readonly TargetLookup[]): SQL {
  const documentIds = sql`json(${JSON.stringify(named.flatMap((each) => each.documentIds))})`;
  const numbered = named
    .filter(({ ids }) => ids.length > 0)
    .map(
      ({ type, ids }) =>
        sql`(select json_group_array("document_id") from ${sql.identifier(type.table)} where "id" in ${valuesOf(ids)})`,
    );
  return sql`(select "value" from json_tree(${jsonRow([documentIds, ...numbered])}) where "type" = 'text')`;
}

/** Do the links of this side name their types? */
const isTyped = ({ tables: [table], owner }: LinkEnd): boolean => owner && table.targetType !== undefined;

/**
 * Types and positions of the links to the named targets, of their neighbours, and of both ends of the list. The index of a
 * polymorphic relation has the positions of each type apart, so of each type there are neighbours and ends.
 */
function placesAround(lookup: LinkLookup, named: readonly TargetLookup[]): SQL {
  const { row, tables, owner, status } = lookup;
  const [table] = tables;
  const { own, other } = sidesOf({ table, owner });
  const position = columnOf('$link', own.position);
  const links = sql`from ${sql.identifier(table.name)} as "$link" where ${linksOf(row, own, status, '$link')}`;
  const uids = isTyped(lookup) ? tables.map(({ targetType }) => targetType) : [''];
  const types = sql`json_each(${JSON.stringify(uids)}) as "$type"`;
  const ofType = isTyped(lookup) ? sql` and "$link"."target_type" = "$type"."value"` : sql``;
  const nearest = (of: SQL, and = sql``): SQL =>
    sql`select "$type"."value", (select ${of}(${position}) ${links}${ofType}${and}) from ${types}`;
  return sql`
    with "$named" ("type", "position") as materialized (
      select ${isTyped(lookup) ? sql`"$link"."target_type"` : sql`''`}, ${position}
      ${links} and ${columnOf('$link', other.documentId)} in ${namedDocuments(named)}
    )
    select * from "$named"
    union ${nearest(sql`max`, sql` and ${position} < "$named"."position"`)}, "$named"
    union ${nearest(sql`min`, sql` and ${position} > "$named"."position"`)}, "$named"
    union ${nearest(sql`max`)}
    union ${nearest(sql`min`)}`;
}

/** The locale of a link; `''` where it is that of its row. */
const localeIn = (table: LinkTable, column: string): SQL =>
  followsLocale(table) ? sql`''` : columnOf(table.name, column);

/** The columns of links to several types: those of the first that matches. */
function typedColumns(tables: LinkEnd['tables'], locale: string) {
  const type = columnOf(tables[0].name, 'target_type');
  const cases = tables.map((table) => sql`when ${literal(table.target.uid)} then ${localeIn(table, locale)}`);
  return { locale: sql`case ${type} ${joined(cases, sql` `)} end`, type: sql`, ${type} as "type"` };
}

/** Links to some of the types, if one statement cannot read those to all. */
export interface PartialLookup extends LinkLookup {
  readonly isPart: boolean;
}

/** Does a link of a table lead to a document of which no version meets the condition? */
function isHidden(table: LinkTable, owner: boolean, visible: Condition | undefined): readonly SQL[] {
  if (!visible) return [];
  const { other } = sidesOf({ table, owner });
  const { type } = other;
  const isTarget = sql`${columnOf('$seen', 'document_id')} = ${columnOf(table.name, other.documentId)}`;
  const isSeen = balanced(
    [ofAnyVersion(isTarget, type, '$seen'), compileCondition(visible, rowScope(type, '$seen'))],
    'and',
  );
  const term = sql`not exists (select 1 from ${sql.identifier(type.table)} as "$seen" where ${isSeen})`;
  return [balanced([...ofSide(table.name, other), term], 'and')];
}

/** The links of a row in a version, from its side and in order, with the columns `linkColumns`. */
export function presentLinks(lookup: PartialLookup): SQL {
  const { row, tables, owner, status, named, visible, onlyHidden } = lookup;
  const [table] = tables;
  const { own, other } = sidesOf({ table, owner });
  const column = (name: string) => columnOf(table.name, name);
  const isPublished = (each: LinkTable) => {
    const side = sidesOf({ table: each, owner }).other;
    const isTarget = sql`"$seen"."document_id" = ${column(other.documentId)} and ${isVersion('$seen', 'published')}`;
    return sql`exists (
    select 1
    from ${sql.identifier(side.type.table)} as "$seen"
    where ${balanced([isTarget, ...ofSide(table.name, side)], 'and')}
  )`;
  };
  const version =
    row.locale === undefined
      ? sql`, ${column(own.locale)} as "own_locale", ${column('status')} as "own_status"`
      : sql``;
  const { locale, type } = isTyped(lookup)
    ? typedColumns(tables, other.locale)
    : { locale: localeIn(table, other.locale), type: sql`` };
  const terms = [linksOf(row, own, status, table.name)];
  const uids = tables.map(({ target }) => literal(target.uid));
  if (lookup.isPart) terms.push(sql`${column('target_type')} in (${commaList(uids)})`);
  if (named) terms.push(sql`${column(own.position)} = "$place"."position"`);
  if (named && isTyped(lookup)) terms.push(sql`${column('target_type')} = "$place"."type"`);
  const hiddenLinks = visible && tables.flatMap((each, index) => isHidden(each, owner, visible[index]));
  if (hiddenLinks && onlyHidden) terms.push(balanced(hiddenLinks, 'or'));
  const hidden = hiddenLinks ? sql`, ${onlyHidden ? sql`1` : balanced(hiddenLinks, 'or')} as "hidden"` : sql``;
  // SQLite would otherwise read all links of the row.
  const places = named ? sql`(${placesAround(lookup, named)}) as "$place" cross join ` : sql``;
  return sql`
    select
      ${column(other.documentId)} as "document_id",
      ${locale} as "locale",
      ${balanced(tables.map(isPublished), 'or')} as "published",
      cast(${column(own.position)} as integer) as "position", ${column('rowid')} as "tie"${type}${hidden}${version}
    from ${places}${sql.identifier(table.name)}
    where ${balanced(terms, 'and')}
    order by ${column(own.position)}, ${column('rowid')}`;
}
