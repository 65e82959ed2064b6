/**
 * @module Copies the links of a row from one version of its document to the other.
 */
import { type SQL, sql } from 'drizzle-orm';
import { LINK_STEP } from '../../../schema/names.ts';
import type { LinkEnd, LinkTable } from '../../plan/model/links.ts';
import type { PublishedEnd, WrittenRow } from '../../plan/model/write-plan.ts';
import type { CopiedLinks } from '../../plan/write/preconditions.ts';
import type { Status } from '../../request/query-params.ts';
import { nameList } from '../drizzle-pieces.ts';
import { balanced, columnOf, commaList, literal } from '../pieces.ts';
import { jsonRow } from '../read/populate.ts';
import { isLinked, isVersion, type LinkSide, sidesOf } from '../versions.ts';
import { deleteRows, updateRows } from './change-rows.ts';
import {
  isExclusive,
  linkColumns,
  linksOf,
  linkTableColumns,
  linkTableKey,
  type TableEnd,
  unlinkFromOthers,
  versionOf,
} from './links.ts';
import { nextPosition } from './next-position.ts';

/** The columns of a link, but for another status and other positions. */
const copies = (table: LinkTable, status: Status, positions: Readonly<Record<string, SQL>> = {}): SQL =>
  commaList(
    linkTableColumns(table).map((column) =>
      column === 'status' ? literal(status) : (positions[column] ?? sql.identifier(column)),
    ),
  );

/** Is it the link `$draft` in another version? */
const sameLink = (table: LinkTable, link: string): SQL =>
  balanced(
    linkTableKey(table)
      .filter((column) => column !== 'status')
      .map((column) => sql`${columnOf('$draft', column)} = ${columnOf(link, column)}`),
    'and',
  );

/** Has the other side of a link `$draft` this version? */
function hasTarget(end: TableEnd, status: Status): SQL {
  const { other } = sidesOf(end);
  return sql`exists (
    select 1 from ${sql.identifier(other.type.table)} as "$target"
    where ${isLinked('$draft', other, '$target')} and ${isVersion('$target', versionOf(other.type, status))}
  )`;
}

/** Is a link `$draft` published, too? It may lead to a document that is not published any more. */
const isPresent = (table: LinkTable): SQL => sql`exists (
  select 1 from ${sql.identifier(table.name)} as "$present"
  where ${sameLink(table, '$present')} and "$present"."status" = 'published'
)`;

/** Is the other side of a link `$draft` published, and free if a one-way link may not take it over? */
function isPublishable(end: TableEnd): SQL {
  const { table, owner } = end;
  const { other } = sidesOf(end);
  const isPublished = hasTarget(end, 'published');
  if (owner || table.mutual || !table.single) return isPublished;
  return sql`${isPublished} and not exists (
    select 1 from ${sql.identifier(table.name)} as "$present"
    where ${columnOf('$present', other.documentId)} = ${columnOf('$draft', other.documentId)}
      and ${columnOf('$present', other.locale)} = ${columnOf('$draft', other.locale)} and "$present"."status" = 'published'
  )`;
}

/** A copy of the links of a row from one version, as `$draft`, to the other. */
interface LinkCopy {
  readonly row: WrittenRow;
  readonly end: TableEnd;
  readonly from: Status;
  readonly to: Status;
}

/** Deletes the links of a row that its other version does not have. */
function removeStale({ row, end, from, to }: LinkCopy): SQL {
  const { own } = sidesOf(end);
  const link = end.table.name;
  return deleteRows(
    link,
    sql`${linksOf(row, own, to, link)} and not exists (
      select 1
      from ${sql.identifier(link)} as "$draft"
      where ${sameLink(end.table, link)} and "$draft"."status" = ${literal(from)}
    )`,
  );
}

/** Copies the links that meet a condition, and writes only differences. Links of both versions get the `updated` columns. */
function copyLinks({ row, end, from, to }: LinkCopy, isCopied: SQL, copied: SQL, updated: readonly string[]) {
  const { table } = end;
  const { own, other } = sidesOf(end);
  const links = sql`from ${sql.identifier(table.name)} as "$draft" where ${linksOf(row, own, from, '$draft')}`;
  const targets = sql`select ${columnOf('$draft', other.documentId)}, ${columnOf('$draft', other.locale)} ${links}`;
  return [
    ...(isExclusive(end) ? [unlinkFromOthers(end, row, to, targets)] : []),
    sql`
      insert into ${sql.identifier(table.name)} (${linkColumns(table)})
      select ${copied}
      ${links} and ${isCopied}
      order by "$draft"."rowid"
      on conflict (${nameList(linkTableKey(table))}) do update
      set ${commaList(updated.map((column) => sql`${sql.identifier(column)} = ${columnOf('excluded', column)}`))}
      where ${balanced(
        updated.map((column) => sql`${sql.identifier(column)} <> ${columnOf('excluded', column)}`),
        'or',
      )}`,
  ];
}

/**
 * Replaces the published links of a row with those of its draft of which both sides are published, or were. A link keeps
 * its place in the list of its other side, whose draft may be numbered in another way. Targets of exclusive relations are
 * unlinked from other documents. A one-way link belongs to its source: its target removes none, and adds none to a source
 * that may have one link and has it, unless the body changes it.
 * @param isNew the row had no links before
 */
export function publishLinks(
  draft: WrittenRow,
  { tables, owner, isChanged }: PublishedEnd,
  isNew: boolean,
): readonly SQL[] {
  const [table] = tables;
  const copy: LinkCopy = { row: draft, end: { table, owner }, from: 'draft', to: 'published' };
  const isCopied = balanced([isPresent(table), ...tables.map((each) => isPublishable({ table: each, owner }))], 'or');
  const { own } = sidesOf(copy.end);
  return [
    ...(!isNew && (owner || table.mutual || isChanged) ? [removeStale(copy)] : []),
    ...copyLinks(copy, isCopied, copies(table, 'published'), [own.position]),
  ];
}

/**
 * Returns as a JSON list for each end whether the draft of a row and its published version have the same links, in the
 * same places of the row. Then a publication changes none: what is published was copied, and an exclusive target is linked
 * from here.
 */
export function equalLinks({ row, ends }: CopiedLinks): SQL {
  const isEqual = [...ends.values()].map(({ tables: [table], owner }) => {
    const { own, other } = sidesOf({ table, owner });
    const columns = nameList(
      linkTableColumns(table).filter((column) => column !== 'status' && column !== other.position),
    );
    return sql`not exists (
      select 1
      from ${sql.identifier(table.name)} as "$link"
      where ${balanced([linksOf(row, own, 'draft', '$link'), linksOf(row, own, 'published', '$link')], 'or')}
      group by ${columns}
      having count(*) < 2
    )`;
  });
  return sql`select ${jsonRow(isEqual)} as "equal"`;
}

/** The position that a copy of a link `$draft` has in the list of its other side: the same, or the last if that is taken. */
function freePosition({ name }: LinkTable, side: LinkSide, status: Status): SQL {
  const of = (column: string) =>
    column === 'status' ? literal(status) : columnOf('$draft', column === 'locale' ? side.locale : side.documentId);
  return sql`iif(exists (
    select 1 from ${sql.identifier(name)} as "$taken"
    where ${columnOf('$taken', side.documentId)} = ${columnOf('$draft', side.documentId)}
      and ${columnOf('$taken', side.locale)} = ${columnOf('$draft', side.locale)} and "$taken"."status" = ${literal(status)}
      and ${columnOf('$taken', side.position)} = ${columnOf('$draft', side.position)}
  ), ${nextPosition(name, side, of)}, ${columnOf('$draft', side.position)})`;
}

/** Numbers the published links of a row in their order: they may have equal positions, those of a draft may not. */
function renumber({ row, end }: LinkCopy): SQL {
  const { own } = sidesOf(end);
  const { name } = end.table;
  const position = columnOf('$ranked', 'position');
  const ranked = sql`(
      select "$link"."rowid" as "row",
        ${LINK_STEP} * row_number() over (order by ${columnOf('$link', own.position)}, "$link"."rowid") as "position"
      from ${sql.identifier(name)} as "$link"
      where ${linksOf(row, own, 'published', '$link')}
    ) as "$ranked"`;
  return updateRows(
    name,
    sql`${sql.identifier(own.position)} = ${position}`,
    sql`${columnOf(name, 'rowid')} = "$ranked"."row" and ${columnOf(name, own.position)} <> ${position}`,
    ranked,
  );
}

/** Replaces the links of a draft with the published ones, in their places, so that both lists are numbered alike. */
export function discardLinks(draft: WrittenRow, { tables, owner }: LinkEnd): readonly SQL[] {
  const [table] = tables;
  const copy: LinkCopy = { row: draft, end: { table, owner }, from: 'published', to: 'draft' };
  const isCopied = balanced(
    tables.map((each) => hasTarget({ table: each, owner }, 'draft')),
    'or',
  );
  const { own, other } = sidesOf(copy.end);
  const positions = { [other.position]: freePosition(table, { ...other, targetType: undefined }, 'draft') };
  return [
    renumber(copy),
    removeStale(copy),
    ...copyLinks(copy, isCopied, copies(table, 'draft', positions), [own.position]),
  ];
}
