/**
 * @module Link tables: reading the links of a row, and making them what a write wants them to be.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { TargetLookup } from '../plan/plan-relations.ts';
import type { DeletedRows, LinkTable, RowRef, WriteOp } from '../plan/write-plan.ts';
import { balanced, columnOf, identifier, type Statement, toStatement, valuesOf } from './statement.ts';
import { isDocument, isVersion, ofAnyVersion, rowCondition } from './versions.ts';

type LinkOp = Extract<WriteOp, { kind: 'link' }>;
type LinkBackOp = Extract<WriteOp, { kind: 'link-back' }>;

const rowId = (row: RowRef): SQL =>
  sql`(
    select "$own"."id"
    from ${identifier(row.type.table)} as "$own"
    where ${rowCondition(row, '$own')}
  )`;

/** `key`, `document_id`, `locale` of each link of a list, bound as one parameter. */
function wantedLinks(links: LinkOp['links']): SQL {
  const list = JSON.stringify(links.map(({ documentId, locale }) => [documentId, locale]));
  return sql`(
    select "key", "value" ->> '$[0]' as "document_id", "value" ->> '$[1]' as "locale"
    from json_each(${list})
  )`;
}

/** The columns of a link besides its source. */
const LINK_ENDS = sql`"target_document_id", "target_locale", "position", "inverse_position"`;
const LINK_COLUMNS = sql`"source_id", ${LINK_ENDS}`;
const CONFLICT_KEY = sql`("source_id", "target_document_id", "target_locale")`;

/** The links whose source meets a condition about `$scope`; it is looked up link by link. */
const linksFrom = ({ name, source }: LinkTable, condition: SQL): SQL =>
  sql`exists (
    select 1
    from ${identifier(source.table)} as "$scope"
    where "$scope"."id" = ${columnOf(name, 'source_id')} and ${condition}
  )`;

/** The place behind the last link of the same target, or of the same source. */
function lastPosition(table: Pick<LinkTable, 'name'>, column: 'position' | 'inverse_position', match: SQL): SQL {
  return sql`coalesce((
    select max(${columnOf('$last', column)})
    from ${identifier(table.name)} as "$last"
    where ${match}
  ), 0) + 1`;
}

/** Links of one row; those that stay keep their place among the links of their target. */
export function link({ row, table, links, exclusive, fresh }: LinkOp): readonly SQL[] {
  const name = identifier(table.name);
  const wanted = wantedLinks(links);
  const statements: SQL[] = [];
  if (!fresh)
    statements.push(sql`
      delete from ${name}
      where "source_id" = ${rowId(row)}
        and ("target_document_id", "target_locale") not in (select "document_id", "locale" from ${wanted})`);
  if (exclusive) {
    const others = [sql`"$scope"."document_id" <> ${row.documentId}`];
    if (row.type.localized) others.push(sql`"$scope"."locale" = ${row.locale}`);
    statements.push(sql`
      delete from ${name}
      where ("target_document_id", "target_locale") in (select "document_id", "locale" from ${wanted})
        and ${linksFrom(table, balanced(others, 'and'))}`);
  }
  const last = lastPosition(
    table,
    'inverse_position',
    sql`${columnOf('$last', 'target_document_id')} = "$wanted"."document_id"`,
  );
  statements.push(sql`
    insert into ${name} (${LINK_COLUMNS})
    select ${rowId(row)}, "$wanted"."document_id", "$wanted"."locale", "$wanted"."key" + 1, ${last}
    from ${wanted} as "$wanted"
    where true
    on conflict ${CONFLICT_KEY} do update set "position" = excluded."position"`);
  return statements;
}

/** The locale under which the rows of `source` name a document of `target`; `''` where they follow their own. */
const namedLocale = ({ source, target }: LinkTable, locale: string): string =>
  target.localized && !source.localized ? locale : '';

/** Links from every version of other documents to this one. */
export function linkBack({ row, table, links, exclusive, fresh }: LinkBackOp): readonly SQL[] {
  const name = identifier(table.name);
  const source = identifier(table.source.table);
  const locale = namedLocale(table, row.locale);
  const wanted = wantedLinks(links);
  const follows = table.source.localized && table.target.localized;
  const sameLocale = (alias: string) => sql`${columnOf(alias, 'locale')} = ${row.locale}`;
  const named = ofAnyVersion(sql`"$source"."document_id" = "$wanted"."document_id"`, table.source, '$source');
  const chosen = follows ? sameLocale('$source') : sql`"$source"."locale" = "$wanted"."locale"`;
  const on = table.source.localized ? sql`${named} and ${chosen}` : named;
  const joined = sql`${wanted} as "$wanted" join ${source} as "$source" on ${on}`;
  const own = sql`"target_document_id" = ${row.documentId} and "target_locale" = ${locale}`;
  const statements: SQL[] = [];
  if (!fresh) {
    const inScope = follows ? sql` and ${linksFrom(table, sameLocale('$scope'))}` : sql``;
    statements.push(sql`
      delete from ${name}
      where ${own}${inScope} and "source_id" not in (select "$source"."id" from ${joined})`);
  }
  if (exclusive)
    statements.push(sql`
      delete from ${name}
      where not (${own}) and "source_id" in (select "$source"."id" from ${joined})`);
  const last = lastPosition(table, 'position', sql`${columnOf('$last', 'source_id')} = "$source"."id"`);
  statements.push(sql`
    insert into ${name} (${LINK_COLUMNS})
    select "$source"."id", ${row.documentId}, ${locale}, ${last}, "$wanted"."key" + 1
    from ${joined}
    where true
    on conflict ${CONFLICT_KEY} do update set "inverse_position" = excluded."inverse_position"`);
  return statements;
}

/** The published row, once it is there, gets the links of its draft; as in the reference not those to its document. */
export function copyLinks(draft: RowRef, { name, source, target }: LinkTable): SQL {
  const others = source === target ? sql` and "target_document_id" <> ${draft.documentId}` : sql``;
  return sql`
    insert into ${identifier(name)} (${LINK_COLUMNS})
    select ${rowId({ ...draft, status: 'published' })}, ${LINK_ENDS}
    from ${identifier(name)}
    where "source_id" = ${rowId(draft)}${others}`;
}

/** The locale of the target that a link means: the one it names, or that of its source. */
const meantLocale = ({ name, source }: LinkTable): SQL => {
  const named = columnOf(name, 'target_locale');
  const followed = sql`(select "locale" from ${identifier(source.table)} where "id" = ${columnOf(name, 'source_id')})`;
  return source.localized ? sql`coalesce(nullif(${named}, ''), ${followed})` : named;
};

/** A document that is published for the first time comes last in the published documents that were linked to it. */
export function appendAppearing(row: RowRef, table: LinkTable): SQL {
  const { name, target } = table;
  const meant = target.localized ? sql` and ${meantLocale(table)} = ${row.locale}` : sql``;
  return sql`
    update ${identifier(name)}
    set "position" = (
      select max("position") + 1
      from ${identifier(name)} as "$last"
      where "$last"."source_id" = ${columnOf(name, 'source_id')}
    )
    where "target_document_id" = ${row.documentId}
      and ${linksFrom(table, isVersion('$scope', 'published'))}${meant}
      and ${rowId(row)} is null`;
}

export const dropLinks = (row: RowRef, { name }: LinkTable): SQL =>
  sql`delete from ${identifier(name)} where "source_id" = ${rowId(row)}`;

/** The rows that a delete is about. */
export function deletedRows({ type, documentId, locale, ids }: DeletedRows): SQL {
  const terms: SQL[] = [];
  if (ids) terms.push(sql`${columnOf(type.table, 'id')} in ${valuesOf(ids)}`);
  if (documentId !== undefined) terms.push(isDocument({ type, documentId }));
  if (locale !== undefined) terms.push(sql`${columnOf(type.table, 'locale')} = ${locale}`);
  return balanced(terms, 'and');
}

export const unlinkRows = (rows: DeletedRows, { name }: LinkTable): SQL => sql`
  delete from ${identifier(name)}
  where "source_id" in (
    select ${columnOf(rows.type.table, 'id')}
    from ${identifier(rows.type.table)}
    where ${deletedRows(rows)}
  )`;

/** Links to a document, or to a locale of it, of which no row is left. */
export function unlinkTargets({ documentId }: DeletedRows, table: LinkTable): SQL {
  const { name, target } = table;
  const own = documentId === undefined ? sql`true` : sql`"target_document_id" = ${documentId}`;
  const terms = [ofAnyVersion(sql`"$left"."document_id" = ${columnOf(name, 'target_document_id')}`, target, '$left')];
  if (target.localized) terms.push(sql`"$left"."locale" = ${meantLocale(table)}`);
  return sql`
    delete from ${identifier(name)}
    where ${own} and not exists (
      select 1
      from ${identifier(target.table)} as "$left"
      where ${balanced(terms, 'and')}
    )`;
}

/** The other locales of a row's document in the same status, under the name `$other`. */
export function otherLocales(row: RowRef): SQL {
  const { type, documentId, locale, status } = row;
  const terms = [sql`${columnOf('$other', 'locale')} <> ${locale}`, isVersion('$other', status)];
  if (documentId !== undefined) terms.unshift(sql`${columnOf('$other', 'document_id')} = ${documentId}`);
  return sql`
    select "$other"."id"
    from ${identifier(type.table)} as "$other"
    where ${balanced(terms, 'and')}`;
}

/** The other locales have the same links as the row. */
export const shareLinks = (row: RowRef, { name }: LinkTable): readonly SQL[] => [
  sql`delete from ${identifier(name)} where "source_id" in (${otherLocales(row)})`,
  sql`
    insert into ${identifier(name)} (${LINK_COLUMNS})
    select "$others"."id", ${LINK_ENDS}
    from ${identifier(name)} join (${otherLocales(row)}) as "$others"
    where "source_id" = ${rowId(row)}`,
];

/** The row has the links of another one. */
export const adoptLinks = (row: RowRef, from: RowRef, { name }: LinkTable): SQL => sql`
  insert into ${identifier(name)} (${LINK_COLUMNS})
  select ${rowId(row)}, ${LINK_ENDS}
  from ${identifier(name)}
  where "source_id" = ${rowId(from)}`;

export const TARGET = ['id', 'document_id', 'locale', 'published'] as const;

/** Rows of the documents that a body names, with the columns `TARGET`. */
export function targetRows({ type, documentIds, ids }: TargetLookup): SQL {
  const terms: SQL[] = [];
  if (documentIds.length > 0)
    terms.push(ofAnyVersion(sql`"document_id" in ${valuesOf(documentIds)}`, type, type.table));
  if (ids.length > 0) terms.push(sql`"id" in ${valuesOf(ids)}`);
  return sql`
    select "id", "document_id", "locale", "published_at" is not null as "published"
    from ${identifier(type.table)}
    where ${balanced(terms, 'or')}
    order by "id"`;
}

export const LINK = ['document_id', 'locale', 'published'] as const;

/** Links one row, whichever version it is of, to a document without a locale, behind what it is linked to. */
export function attachToRow(rowNumber: number, documentId: string, { name, source }: LinkTable): Statement {
  const place = (column: 'position' | 'inverse_position', match: SQL) => lastPosition({ name }, column, match);
  const last = place('position', sql`"$last"."source_id" = ${rowNumber}`);
  const inverse = place('inverse_position', sql`"$last"."target_document_id" = ${documentId}`);
  return toStatement(sql`
    insert into ${identifier(name)} (${LINK_COLUMNS})
    select "id", ${documentId}, '', ${last}, ${inverse}
    from ${identifier(source.table)}
    where "id" = ${rowNumber}`);
}

function ownedLinks(row: RowRef, { name, target }: LinkTable): SQL {
  const published = sql`exists (
    select 1
    from ${identifier(target.table)} as "$seen"
    where "$seen"."document_id" = ${columnOf(name, 'target_document_id')} and ${isVersion('$seen', 'published')}
  )`;
  return sql`
    select "target_document_id" as "document_id", "target_locale" as "locale", ${published} as "published"
    from ${identifier(name)}
    where "source_id" = ${rowId(row)}
    order by "position"`;
}

/** What a row is linked to, in order, seen from the side of `row`, with the columns `LINK`. */
export function presentLinks(row: RowRef, table: LinkTable, owner: boolean): SQL {
  if (owner) return ownedLinks(row, table);
  const { source } = table;
  const link = (column: string) => columnOf(table.name, column);
  const follows = source.localized && row.type.localized;
  const scope = follows ? sql` and "$source"."locale" = ${row.locale}` : sql``;
  const locale = source.localized && !follows ? sql`"$source"."locale"` : sql`''`;
  return sql`
    select
      "$source"."document_id" as "document_id",
      ${locale} as "locale",
      max("$source"."published_at" is not null) as "published"
    from ${identifier(table.name)}
    join ${identifier(source.table)} as "$source" on "$source"."id" = ${link('source_id')}
    where ${link('target_document_id')} = ${row.documentId}
      and ${link('target_locale')} = ${namedLocale(table, row.locale)}${scope}
    group by 1, 2
    order by min(${link('inverse_position')})`;
}
