/**
 * @module Links that the locales of a document share, and those that a new locale inherits.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { LinkTable } from '../../plan/model/links.ts';
import type { WrittenRow } from '../../plan/model/write-plan.ts';
import type { Status } from '../../request/query-params.ts';
import { nameList } from '../drizzle-pieces.ts';
import { balanced, columnOf } from '../pieces.ts';
import { isVersion, rowCondition, sidesOf } from '../versions.ts';
import { deleteRows } from './change-rows.ts';
import { documentOf, followsLocale, linkColumns, linksOf, linkTableKey, versionOf } from './links.ts';

/** Selects the ids of the document's rows in other locales and the same status. */
export function otherLocales({ type, document, locale, status }: WrittenRow): SQL {
  const terms = [
    sql`${columnOf('$other', 'document_id')} = ${document.documentId}`,
    sql`${columnOf('$other', 'locale')} <> ${locale}`,
    isVersion('$other', status),
  ];
  return sql`
    select "$other"."id"
    from ${sql.identifier(type.table)} as "$other"
    where ${balanced(terms, 'and')}`;
}

/** Copies the links of `from` to rows of the same document that meet the condition. */
function copyLinks(isRow: SQL, status: Status, from: WrittenRow, table: LinkTable): SQL {
  const { name, target } = table;
  const locale = followsLocale(table) ? sql`"$own"."locale"` : columnOf('$from', 'target_locale');
  return sql`
    insert into ${sql.identifier(name)} (${linkColumns(table)})
    select "$own"."document_id", "$own"."locale", "$target"."document_id", "$target"."locale", ${status},
      "$from"."position", "$from"."inverse_position"
    from ${sql.identifier(name)} as "$from"
      join (select * from ${sql.identifier(from.type.table)} where ${isRow}) as "$own"
      join ${sql.identifier(target.table)} as "$target"
        on "$target"."document_id" = "$from"."target_document_id" and "$target"."locale" = ${locale}
          and ${isVersion('$target', versionOf(target, status))}
    where ${linksOf(from, sidesOf({ table, owner: true }).own, from.status, '$from')}
    order by "$from"."rowid"
    on conflict (${nameList(linkTableKey(table))}) do update set "position" = excluded."position"
    where "position" <> excluded."position"`;
}

/** Gives the other locales the links of the row. */
export function shareLinks(row: WrittenRow, table: LinkTable): readonly SQL[] {
  const name = sql.identifier(table.name);
  const kept = linksOf(row, sidesOf({ table, owner: true }).own, row.status, '$from');
  return [
    deleteRows(
      table.name,
      sql`"source_document_id" = ${documentOf(row)} and "source_locale" <> ${row.locale} and "status" = ${row.status}
        and "target_document_id" not in (select "$from"."target_document_id" from ${name} as "$from" where ${kept})`,
    ),
    copyLinks(sql`"id" in (${otherLocales(row)})`, row.status, row, table),
  ];
}

/** Gives the row the links of another one. */
export const inheritLinks = (row: WrittenRow, from: WrittenRow, table: LinkTable): SQL =>
  copyLinks(rowCondition(row), row.status, from, table);
