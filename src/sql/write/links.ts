/**
 * @module Link tables: making the links of a row what a write wants them to be. Both ends of a link are named alike, so
 * each statement is written once, for the end at hand (`near`) and the other one (`far`).
 */
import { type SQL, type SQLChunk, sql } from 'drizzle-orm';
import type { Link, LinkEnd, LinkTable } from '../../plan/model/links.ts';
import type { DeletedRows, LinkedRow, PositionedLink, RowRef, WriteOp } from '../../plan/model/write-plan.ts';
import type { ContentType } from '../../registry/model.ts';
import { LINK_STEP } from '../../registry/names.ts';
import type { Status } from '../../request/query-params.ts';
import { balanced, columnOf, valuesOf } from '../pieces.ts';
import { nameList } from '../render.ts';
import { type EndColumns, endsOf, isDocument, isEnd, isVersion, rowCondition } from '../versions.ts';

type LinkOp = Extract<WriteOp, { kind: 'link' }>;

const typesOf = ({ table, owner }: LinkEnd): { readonly near: ContentType; readonly far: ContentType } =>
  owner ? { near: table.source, far: table.target } : { near: table.target, far: table.source };

/** The version of a type that a link of a version leads to: without drafts there is only one. */
const versionOf = ({ draftAndPublish }: ContentType, status: Status): Status =>
  draftAndPublish ? status : 'published';

/** Links of a row have the locale of the row, where both ends have locales. */
export const followsLocale = (end: LinkEnd): boolean => {
  const { near, far } = typesOf(end);
  return near.localized && far.localized;
};

/** What a row that is known in part has in a column. */
const ofOwn = (row: LinkedRow, value: SQL): SQL => sql`(
  select ${value}
  from ${sql.identifier(row.type.table)} as "$own"
  where ${rowCondition(row, '$own')}
)`;

const documentOf = (row: LinkedRow): SQLChunk => row.documentId ?? ofOwn(row, sql`"$own"."document_id"`);

const localeOf = (row: LinkedRow): SQLChunk => row.locale ?? ofOwn(row, sql`min("$own"."locale")`);

/** The links that an end has in a version. */
export const linksOf = (row: LinkedRow, { documentId, locale }: EndColumns, status: Status, link: string): SQL =>
  sql`${columnOf(link, documentId)} = ${documentOf(row)} and ${columnOf(link, locale)} = ${localeOf(row)} and ${columnOf(link, 'status')} = ${status}`;

const pair = ({ documentId, locale }: EndColumns): SQL =>
  sql`(${sql.identifier(documentId)}, ${sql.identifier(locale)})`;

const FOUR = sql`"source_document_id", "source_locale", "target_document_id", "target_locale"`;
export const LINK_COLUMNS = sql`${FOUR}, "status", "position", "inverse_position"`;
const KEY = sql`(${FOUR}, "status")`;

/** `document_id`, `locale`, `position` of each link of a list, bound as one parameter. */
function listed(links: readonly (Link | PositionedLink)[], locale: string | undefined): SQL {
  const list = links.map((link) => [link.documentId, locale ?? link.locale, 'position' in link ? link.position : 0]);
  return sql`(
    select "value" ->> '$[0]' as "document_id", "value" ->> '$[1]' as "locale", "value" ->> '$[2]' as "position"
    from json_each(${JSON.stringify(list)})
  )`;
}

/** The place behind the last link of an end. */
export function lastPlace(
  table: string,
  { documentId, locale, position }: EndColumns,
  of: (column: string) => SQL,
): SQL {
  return sql`coalesce((
    select max(${columnOf('$last', position)})
    from ${sql.identifier(table)} as "$last"
    where ${columnOf('$last', documentId)} = ${of('document_id')}
      and ${columnOf('$last', locale)} = ${of('locale')}
      and ${columnOf('$last', 'status')} = ${of('status')}
  ), 0) + ${LINK_STEP}`;
}

/** Links of `far` ends to others than the row go, where an end may be linked to one document alone. */
function takeFromOthers(op: LinkEnd, row: RowRef, status: Status, taken: SQL): SQL {
  const { near, far } = endsOf(op.owner);
  return sql`
    delete from ${sql.identifier(op.table.name)}
    where ${pair(far)} in (${taken}) and "status" = ${status} and ${sql.identifier(near.documentId)} <> ${row.documentId}`;
}

const isExclusive = ({ table, owner }: LinkEnd): boolean => (owner ? table.exclusive.source : table.exclusive.target);

function removal({ row, owner, table, status, change }: LinkOp, placed: SQL, locale: string | undefined): SQL[] {
  const { near, far } = endsOf(owner);
  const own = linksOf(row, near, status, table.name);
  const pairs = (list: SQL) => sql`(select "document_id", "locale" from ${list})`;
  if (change.removed === 'others')
    return [sql`delete from ${sql.identifier(table.name)} where ${own} and ${pair(far)} not in ${pairs(placed)}`];
  if (change.removed.length === 0) return [];
  const gone = pairs(listed(change.removed, locale));
  return [sql`delete from ${sql.identifier(table.name)} where ${own} and ${pair(far)} in ${gone}`];
}

/** Links of a row in one version; what stays as it is, is not written. Only versions that are there are linked to. */
export function link(op: LinkOp): readonly SQL[] {
  const { row, table, owner, status, change, isNew } = op;
  const { near, far } = endsOf(owner);
  const name = sql.identifier(table.name);
  const target = typesOf(op).far;
  const locale = followsLocale(op) ? row.locale : undefined;
  const placed = listed(change.positioned, locale);
  const place = sql.identifier(near.position);
  const shifts = change.shifts.map(
    ({ from, by }) => sql`
      update ${name}
      set ${place} = ${place} + ${by}
      where ${linksOf(row, near, status, table.name)} and ${place} >= ${from}`,
  );
  const before = [...shifts, ...(isNew ? [] : removal(op, placed, locale))];
  if (change.positioned.length === 0) return before;
  const taken = sql`select "document_id", "locale" from ${placed}`;
  const of = (column: string) => (column === 'status' ? sql`${status}` : columnOf('$far', column));
  const columns = [near.documentId, near.locale, far.documentId, far.locale, 'status', near.position, far.position];
  return [
    ...before,
    ...(isExclusive(op) ? [takeFromOthers(op, row, status, taken)] : []),
    sql`
      insert into ${name} (${nameList(columns)})
      select ${row.documentId}, ${row.locale}, "$far"."document_id", "$far"."locale", ${status}, "$placed"."position",
        ${lastPlace(table.name, far, of)}
      from ${placed} as "$placed" join ${sql.identifier(target.table)} as "$far"
        on "$far"."document_id" = "$placed"."document_id" and "$far"."locale" = "$placed"."locale"
          and ${isVersion('$far', versionOf(target, status))}
      where true
      on conflict ${KEY} do update set ${place} = excluded.${place}
      where ${place} <> excluded.${place}`,
  ];
}

/** Is the other side of a link `$draft` published, and free where a one-way link may not take it over? */
function isPublishable({ table, owner }: LinkEnd): SQL {
  const { far } = endsOf(owner);
  const isPublished = sql`exists (
    select 1 from ${sql.identifier(typesOf({ table, owner }).far.table)} as "$far"
    where ${isEnd('$draft', far, '$far')} and ${isVersion('$far', 'published')}
  )`;
  if (owner || table.mutual || !table.single) return isPublished;
  return sql`${isPublished} and not exists (
    select 1 from ${sql.identifier(table.name)} as "$present"
    where ${columnOf('$present', far.documentId)} = ${columnOf('$draft', far.documentId)}
      and ${columnOf('$present', far.locale)} = ${columnOf('$draft', far.locale)} and "$present"."status" = 'published'
  )`;
}

/** Deletes the published links of a row that its draft does not have. */
function removeStale(draft: RowRef, { table, owner }: LinkEnd): SQL {
  const { near, far } = endsOf(owner);
  const same = [near.documentId, near.locale, far.documentId, far.locale].map(
    (column) => sql`${columnOf('$draft', column)} = ${columnOf(table.name, column)}`,
  );
  return sql`
    delete from ${sql.identifier(table.name)}
    where ${linksOf(draft, near, 'published', table.name)} and not exists (
      select 1
      from ${sql.identifier(table.name)} as "$draft"
      where ${balanced(same, 'and')} and "$draft"."status" = 'draft'
    )`;
}

/**
 * Replaces the published links of a row with those of its draft, as far as both sides are published. Targets of
 * exclusive relations are unlinked from other documents. A one-way link belongs to its holder: its target removes none,
 * and adds none to a holder that may have one link and has it. Writes only differences.
 * @param isNew the row is new, and had no links
 */
export function publishLinks(draft: RowRef, end: LinkEnd, isNew: boolean): readonly SQL[] {
  const { table, owner } = end;
  const { near, far } = endsOf(owner);
  const drafts = sql`from ${sql.identifier(table.name)} as "$draft" where ${linksOf(draft, near, 'draft', '$draft')}`;
  const statements: SQL[] = [];
  if (!isNew && (owner || table.mutual)) statements.push(removeStale(draft, end));
  if (isExclusive(end)) {
    const taken = sql`select ${columnOf('$draft', far.documentId)}, ${columnOf('$draft', far.locale)} ${drafts}`;
    statements.push(takeFromOthers(end, draft, 'published', taken));
  }
  statements.push(sql`
    insert into ${sql.identifier(table.name)} (${LINK_COLUMNS})
    select ${FOUR}, 'published', "position", "inverse_position"
    ${drafts} and ${isPublishable(end)}
    order by "$draft"."rowid"
    on conflict ${KEY} do update set "position" = excluded."position", "inverse_position" = excluded."inverse_position"
    where "position" <> excluded."position" or "inverse_position" <> excluded."inverse_position"`);
  return statements;
}

const isAnyOf = (column: SQL, locale: string | readonly string[]): SQL =>
  typeof locale === 'string' ? sql`${column} = ${locale}` : sql`${column} in ${valuesOf(locale)}`;

/** The rows that a delete is about. */
export function deletedRows({ type, documentId, locale, ids }: DeletedRows): SQL {
  const terms: SQL[] = [];
  if (ids) terms.push(sql`${columnOf(type.table, 'id')} in ${valuesOf(ids)}`);
  if (documentId !== undefined) terms.push(isDocument({ type, documentId }));
  if (locale !== undefined) terms.push(isAnyOf(columnOf(type.table, 'locale'), locale));
  return balanced(terms, 'and');
}

/** Links that have lost the end at hand: its row is gone, or all of its rows are. */
export function unlink(rows: DeletedRows, { table, owner }: LinkEnd): SQL {
  const { near } = endsOf(owner);
  const { type, documentId, locale } = rows;
  const column = (name: string) => columnOf(table.name, name);
  const of = (status: Status) =>
    sql`(${isEnd(table.name, near, '$left')} and ${isVersion('$left', status)} and ${column('status')} = ${status})`;
  // Spelled out for each version, since the indexes of documents are partial.
  const row = type.draftAndPublish
    ? sql`${of('draft')} or ${of('published')}`
    : sql`${isEnd(table.name, near, '$left')} and ${isVersion('$left', 'published')}`;
  const terms: SQL[] = [];
  if (documentId !== undefined) terms.push(sql`${column(near.documentId)} = ${documentId}`);
  if (locale !== undefined) terms.push(isAnyOf(column(near.locale), locale));
  return sql`
    delete from ${sql.identifier(table.name)}
    where ${balanced(terms, 'and')} and not exists (
      select 1
      from ${sql.identifier(type.table)} as "$left"
      where ${row}
    )`;
}

/** The other locales of a row's document in the same status, under the name `$other`. */
export function otherLocales(row: RowRef): SQL {
  const { type, documentId, locale, status } = row;
  const terms = [sql`${columnOf('$other', 'locale')} <> ${locale}`, isVersion('$other', status)];
  if (documentId !== undefined) terms.unshift(sql`${columnOf('$other', 'document_id')} = ${documentId}`);
  return sql`
    select "$other"."id"
    from ${sql.identifier(type.table)} as "$other"
    where ${balanced(terms, 'and')}`;
}

/** Links of `from` as those of a row `$own` of the same document. */
function copiedTo(own: SQL, status: Status, from: RowRef, { name, source, target }: LinkTable): SQL {
  const follows = source.localized && target.localized;
  const locale = follows ? sql`"$own"."locale"` : columnOf('$from', 'target_locale');
  return sql`
    insert into ${sql.identifier(name)} (${LINK_COLUMNS})
    select "$own"."document_id", "$own"."locale", "$far"."document_id", "$far"."locale", ${status},
      "$from"."position", "$from"."inverse_position"
    from ${sql.identifier(name)} as "$from" join ${own} as "$own"
      join ${sql.identifier(target.table)} as "$far"
        on "$far"."document_id" = "$from"."target_document_id" and "$far"."locale" = ${locale}
          and ${isVersion('$far', versionOf(target, status))}
    where ${linksOf(from, endsOf(true).near, from.status, '$from')}
    order by "$from"."rowid"
    on conflict ${KEY} do update set "position" = excluded."position"
    where "position" <> excluded."position"`;
}

/** The other locales have the same links as the row. */
export function shareLinks(row: RowRef, table: LinkTable): readonly SQL[] {
  const name = sql.identifier(table.name);
  const kept = sql`
    select "$from"."target_document_id"
    from ${name} as "$from"
    where ${linksOf(row, endsOf(true).near, row.status, '$from')}`;
  const others = sql`(
    select *
    from ${sql.identifier(row.type.table)}
    where "id" in (${otherLocales(row)})
  )`;
  return [
    sql`
      delete from ${name}
      where "source_document_id" = ${documentOf(row)} and "source_locale" <> ${row.locale} and "status" = ${row.status}
        and "target_document_id" not in (${kept})`,
    copiedTo(others, row.status, row, table),
  ];
}

/** The row has the links of another one. */
export function inheritLinks(row: RowRef, from: RowRef, table: LinkTable): SQL {
  const own = sql`(
    select *
    from ${sql.identifier(row.type.table)}
    where ${rowCondition(row)}
  )`;
  return copiedTo(own, row.status, from, table);
}
