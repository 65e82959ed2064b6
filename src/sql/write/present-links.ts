/**
 * @module What a write asks about links: the rows that a body names, and the links that a row has.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { LinkedRow, RowRef } from '../../plan/model/write-plan.ts';
import type { InnerLookup } from '../../plan/relations/inner-targets.ts';
import type { TargetLookup } from '../../plan/relations/plan-relations.ts';
import type { LinkLookup } from '../../plan/write/preconditions.ts';
import type { ContentType } from '../../registry/model.ts';
import { balanced, columnOf, commaList, valuesOf } from '../pieces.ts';
import { endsOf, isDocument, isVersion, ofAnyVersion } from '../versions.ts';
import { followsLocale, linksOf } from './links.ts';

export const TARGET = ['id', 'document_id', 'locale', 'published'] as const;

/** Rows by their numbers, each with the other version of its document in the same locale. */
function numbered(type: ContentType, ids: readonly number[]): SQL {
  const named = sql`"id" in ${valuesOf(ids)}`;
  if (!type.draftAndPublish) return named;
  const same = sql`("document_id", "locale") in (select "document_id", "locale" from ${sql.identifier(type.table)} where ${named})`;
  return ofAnyVersion(same, type, type.table);
}

/** Rows of the documents that a body names, with the columns `TARGET`. */
export function targetRows({ type, documentIds, ids }: TargetLookup): SQL {
  const terms: SQL[] = [];
  if (documentIds.length > 0)
    terms.push(ofAnyVersion(sql`"document_id" in ${valuesOf(documentIds)}`, type, type.table));
  if (ids.length > 0) terms.push(numbered(type, ids));
  return sql`
    select "id", "document_id", "locale", "published_at" is not null as "published"
    from ${sql.identifier(type.table)}
    where ${balanced(terms, 'or')}
    order by "id"`;
}

/** Rows that the components of any version of a document link to, with the columns `TARGET`. */
export function innerTargets(row: RowRef, { type, columns }: InnerLookup): SQL {
  const json = columns.map(({ column }) => sql`json(${columnOf(row.type.table, column)})`);
  const named = sql`
    select "$node"."value" ->> '$.documentId'
    from ${sql.identifier(row.type.table)}, json_tree(json_array(${commaList(json)})) as "$node"
    where ${isDocument(row)} and "$node"."type" = 'object'`;
  return sql`
    select "id", "document_id", "locale", "published_at" is not null as "published"
    from ${sql.identifier(type.table)} as "$inner"
    where ${ofAnyVersion(sql`"$inner"."document_id" in (${named})`, type, '$inner')}
    order by "id"`;
}

const lookedUp = (lookup: TargetLookup): SQL => sql`select "document_id" from (${targetRows(lookup)})`;

export const LINK = ['document_id', 'locale', 'published', 'position'] as const;

/** Places of the links that are named, of their neighbours, and of both ends of the list. */
function placesAround(row: LinkedRow, { table, owner, status }: LinkLookup, named: TargetLookup): SQL {
  const { near, far } = endsOf(owner);
  const name = sql.identifier(table.name);
  const place = columnOf('$near', near.position);
  const own = (end: 'max' | 'min', where: SQL) => sql`
    select ${end === 'max' ? sql`max(${place})` : sql`min(${place})`}
    from ${name} as "$near"
    where ${linksOf(row, near, status, '$near')} and ${where}`;
  return sql`
    with "$named" as (
      select ${place} as "place"
      from ${name} as "$near"
      where ${linksOf(row, near, status, '$near')} and ${columnOf('$near', far.documentId)} in (${lookedUp(named)})
    )
    select "place" from "$named"
    union all select (${own('max', sql`${place} < "$named"."place"`)}) from "$named"
    union all select (${own('min', sql`${place} > "$named"."place"`)}) from "$named"
    union all select * from (${own('max', sql`1`)})
    union all select * from (${own('min', sql`1`)})`;
}

/** What a row is linked to in a version, in order, seen from its side, with the columns `LINK`. */
export function presentLinks(row: LinkedRow, question: LinkLookup): SQL {
  const { table, owner, status, named } = question;
  const { near, far } = endsOf(owner);
  const column = (name: string) => columnOf(table.name, name);
  const other = owner ? table.target : table.source;
  const published = sql`exists (
    select 1
    from ${sql.identifier(other.table)} as "$seen"
    where "$seen"."document_id" = ${column(far.documentId)} and ${isVersion('$seen', 'published')}
  )`;
  const terms = [linksOf(row, near, status, table.name)];
  if (named) terms.push(sql`${column(near.position)} in (${placesAround(row, question, named)})`);
  return sql`
    select
      ${column(far.documentId)} as "document_id",
      ${followsLocale(question) ? sql`''` : column(far.locale)} as "locale",
      ${published} as "published",
      cast(${column(near.position)} as integer) as "position"
    from ${sql.identifier(table.name)}
    where ${balanced(terms, 'and')}
    order by ${column(near.position)}, ${column('rowid')}`;
}
