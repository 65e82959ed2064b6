/**
 * @module Writes links. Each statement serves both sides of a link table: the row is on its own side.
 */
import { type SQL, type SQLChunk, sql } from 'drizzle-orm';
import { knownDocumentId } from '../../../schema/document-ref.ts';
import type { ContentType } from '../../../schema/model.ts';
import type { Link, LinkEnd, LinkTable } from '../../plan/model/links.ts';
import type { DeletedRows, LinkedRow, PositionedLink, WriteOp, WrittenRow } from '../../plan/model/write-plan.ts';
import type { Status } from '../../request/query-params.ts';
import { nameList } from '../drizzle-pieces.ts';
import { balanced, columnOf, commaList, literal, valuesOf } from '../pieces.ts';
import { toStatement } from '../render.ts';
import type { Statement } from '../statement.ts';
import {
  isDocument,
  isLinked,
  isVersion,
  type LinkSide,
  ofDocument,
  ofSide,
  rowCondition,
  sidesOf,
} from '../versions.ts';
import { deleteRows, updateRows } from './change-rows.ts';
import { nextPosition } from './next-position.ts';

type LinkOp = Extract<WriteOp, { kind: 'link' }>;
export type TableEnd = Parameters<typeof sidesOf>[0];

/** The version that a link leads to: types without drafts have only published rows. */
export const versionOf = ({ draftAndPublish }: ContentType, status: Status): Status =>
  draftAndPublish ? status : 'published';

/** Links between types without drafts are published ones. */
const hasVersion = ({ source, target }: LinkTable, status: Status): boolean =>
  status === 'published' || source.draftAndPublish || target.draftAndPublish;

/** Links have the locale of their row if both sides are localized. */
export const followsLocale = ({ source, target }: LinkTable): boolean => source.localized && target.localized;

const ofOwn = (row: LinkedRow, value: SQL): SQL => sql`(
  select ${value}
  from ${sql.identifier(row.type.table)} as "$own"
  where ${rowCondition(row, '$own')}
)`;

export const documentOf = (row: LinkedRow): SQLChunk =>
  knownDocumentId(row.document) ?? ofOwn(row, sql`"$own"."document_id"`);

/** The links of a row in a version; without a locale, of every version. */
export const linksOf = (row: LinkedRow, side: LinkSide, status: Status, link: string): SQL => {
  const isOfDocument = sql`${columnOf(link, side.documentId)} = ${documentOf(row)}`;
  const isOfVersion = sql`${columnOf(link, side.locale)} = ${row.locale} and ${columnOf(link, 'status')} = ${status}`;
  const isOfRow = row.locale === undefined ? isOfDocument : sql`${isOfDocument} and ${isOfVersion}`;
  return balanced([isOfRow, ...ofSide(link, side)], 'and');
};

/** The columns that name the document of a side. */
const namesOf = ({ documentId, locale, targetType }: LinkSide): readonly string[] =>
  targetType === undefined ? [documentId, locale] : [documentId, locale, 'target_type'];

const tuple = (side: LinkSide): SQL => sql`(${nameList(namesOf(side))})`;

const LINK_KEY_COLUMNS = ['source_document_id', 'source_locale', 'target_document_id', 'target_locale'];
export const linkTableKey = ({ targetType }: LinkTable): readonly string[] =>
  targetType === undefined ? [...LINK_KEY_COLUMNS, 'status'] : [...LINK_KEY_COLUMNS, 'status', 'target_type'];
export const linkTableColumns = (table: LinkTable): readonly string[] => [
  ...linkTableKey(table),
  'position',
  'inverse_position',
];
export const linkColumns = (table: LinkTable): SQL => nameList(linkTableColumns(table));

/** `document_id`, `locale`, `position`, `type` of each link of a list, bound as one parameter. */
function listed(
  links: readonly (Link & Partial<PositionedLink>)[],
  row: WrittenRow,
  tables: readonly LinkTable[],
): SQL {
  const list = links.map((link) => {
    // The side that is pointed at has one table, and names no type.
    const table = link.type === undefined ? tables[0] : tables.find(({ targetType }) => targetType === link.type);
    const locale = table && followsLocale(table) ? row.locale : link.locale;
    return [link.documentId, locale, link.position ?? 0, ...(link.type ? [link.type] : [])];
  });
  const type = tables[0]?.targetType === undefined ? sql`` : sql`, "value" ->> '$[3]' as "target_type"`;
  return sql`(
    select "value" ->> '$[0]' as "document_id", "value" ->> '$[1]' as "locale", "value" ->> '$[2]' as "position"${type}
    from json_each(${JSON.stringify(list)})
  )`;
}

/** Unlinks the other side from other documents than the row's, for exclusive relations. */
export function unlinkFromOthers(end: TableEnd, row: WrittenRow, status: Status, targets: SQL): SQL {
  const { own, other } = sidesOf(end);
  return deleteRows(
    end.table.name,
    sql`${tuple(other)} in (${targets}) and "status" = ${status} and ${sql.identifier(own.documentId)} <> ${row.document.documentId}`,
  );
}

export const isExclusive = ({ table, owner }: TableEnd): boolean =>
  owner ? table.exclusive.source : table.exclusive.target;

/** The columns of `listed` that name a document of a side. */
const listedNames = (side: LinkSide): SQL =>
  nameList(namesOf(side).map((name) => (name === 'target_type' ? name : name.replace(/^(source|target)_/, ''))));

function removal(op: LinkOp): readonly SQL[] {
  const { row, tables, owner, status, change } = op;
  if (change.removed.length === 0) return [];
  const [table] = tables;
  const { own, other } = sidesOf({ table, owner });
  const isOthers = change.removed === 'others';
  const list = listed(change.removed === 'others' ? change.positioned : change.removed, row, tables);
  return [
    deleteRows(
      table.name,
      sql`${linksOf(row, own, status, table.name)}
        and ${tuple(other)} ${isOthers ? sql`not in` : sql`in`} (select ${listedNames(other)} from ${list})`,
    ),
  ];
}

/** Places the links to documents that are not published any more. */
function repositioning({ row, status, owner, tables }: LinkOp, links: readonly PositionedLink[], table: LinkTable) {
  const { own, other } = sidesOf({ table, owner });
  if (status === 'draft' || !other.type.draftAndPublish) return [];
  const position = columnOf('$positioned', 'position');
  const isSame = [
    sql`${columnOf(table.name, other.documentId)} = ${columnOf('$positioned', 'document_id')}`,
    sql`${columnOf(table.name, other.locale)} = ${columnOf('$positioned', 'locale')}`,
    ...ofSide(table.name, other),
  ];
  return [
    updateRows(
      table.name,
      sql`${sql.identifier(own.position)} = ${position}`,
      sql`${balanced([linksOf(row, own, status, table.name), ...isSame], 'and')}
        and ${columnOf(table.name, own.position)} <> ${position}`,
      sql`${listed(links, row, tables)} as "$positioned"`,
    ),
  ];
}

/** Links a row to existing rows of one type. */
function insertion({ row, status, owner, tables }: LinkOp, links: readonly PositionedLink[], table: LinkTable) {
  const end = { table, owner };
  const { own, other } = sidesOf(end);
  const positioned = listed(links, row, tables);
  const position = sql.identifier(own.position);
  const of = (column: string) => (column === 'status' ? sql`${status}` : columnOf('$target', column));
  const columns = [own.documentId, own.locale, other.documentId, other.locale, 'status', own.position, other.position];
  const typed = table.targetType === undefined ? [] : [literal(table.targetType)];
  const exclusive = isExclusive(end)
    ? [unlinkFromOthers(end, row, status, sql`select ${listedNames(other)} from ${positioned}`)]
    : [];
  return [
    ...exclusive,
    sql`
      insert into ${sql.identifier(table.name)} (${nameList(table.targetType === undefined ? columns : [...columns, 'target_type'])})
      select ${row.document.documentId}, ${row.locale}, "$target"."document_id", "$target"."locale", ${status}, "$positioned"."position",
        ${commaList([nextPosition(table.name, other, of, !owner && typed.length > 0), ...typed])}
      from ${positioned} as "$positioned" join ${sql.identifier(other.type.table)} as "$target"
        on "$target"."document_id" = "$positioned"."document_id" and "$target"."locale" = "$positioned"."locale"
          and ${isVersion('$target', versionOf(other.type, status))}
      where true
      on conflict (${nameList(linkTableKey(table))}) do update set ${position} = excluded.${position}
      where ${position} <> excluded.${position}`,
  ];
}

/** Changes the links of a row in one version. Links only to existing rows, and writes only differences. */
export function link(op: LinkOp): readonly SQL[] {
  const { row, tables, owner, status, change, isNew } = op;
  const [table] = tables;
  const { own } = sidesOf({ table, owner });
  const position = sql.identifier(own.position);
  const shifts = change.shifts.map(({ from, by }) =>
    updateRows(
      table.name,
      sql`${position} = ${position} + ${by}`,
      sql`${linksOf(row, own, status, table.name)} and ${position} >= ${from}`,
    ),
  );
  const inserted = tables.flatMap((each) => {
    const links = change.positioned.filter(({ type }) => !owner || type === each.targetType);
    if (links.length === 0 || !hasVersion(each, status)) return [];
    return [...repositioning(op, links, each), ...insertion(op, links, each)];
  });
  return [...shifts, ...(isNew ? [] : removal(op)), ...inserted];
}

const isAnyOf = (column: SQL, locale: string | readonly string[]): SQL =>
  typeof locale === 'string' ? sql`${column} = ${locale}` : sql`${column} in ${valuesOf(locale)}`;

/** The rows in every locale and version. */
export function countedRows(rows: DeletedRows, table: string = rows.type.table): SQL {
  const hasId = (ids: readonly number[]) => sql`${columnOf(table, 'id')} in ${valuesOf(ids)}`;
  switch (rows.kind) {
    case 'document':
      return isDocument(rows, table);
    case 'ids':
      return hasId(rows.ids);
    case 'idsOfDocument':
      return sql`${hasId(rows.ids)} and ${isDocument(rows, table)}`;
    default:
      return rows satisfies never;
  }
}

export function deletedRows(rows: DeletedRows): SQL {
  const { type, locale, status } = rows;
  const terms: SQL[] = [];
  if (status !== undefined) terms.push(isVersion(type.table, status));
  terms.push(countedRows(rows));
  if (locale !== undefined) terms.push(isAnyOf(columnOf(type.table, 'locale'), locale));
  return balanced(terms, 'and');
}

/** Is a link one of deleted rows? Only those of a document can still be named. */
function ofDeleted(rows: DeletedRows, documentId: SQL): SQL | undefined {
  switch (rows.kind) {
    case 'document':
    case 'idsOfDocument':
      return ofDocument(rows.document, rows.type, documentId);
    case 'ids':
      return undefined;
    default:
      return rows satisfies never;
  }
}

/** Deletes the links of rows that no longer exist; the published links of a document that still has a draft stay. */
export function unlink(rows: DeletedRows, { tables: [table], owner }: LinkEnd): SQL {
  const { type, locale } = rows;
  const { own } = sidesOf({ table, owner });
  const link = table.name;
  const column = (name: string) => columnOf(link, name);
  const isRow = isLinked(link, own, '$remaining');
  const of = (status: Status) => sql`${isRow} and ${isVersion('$remaining', status)}`;
  // Each version is spelled for its partial index.
  const isRemaining = type.draftAndPublish
    ? sql`(${of('draft')}) or (${of('published')} and ${column('status')} = 'published')`
    : of('published');
  const terms: SQL[] = [...ofSide(link, own)];
  const isOfDocument = ofDeleted(rows, column(own.documentId));
  if (isOfDocument) terms.push(isOfDocument);
  if (locale !== undefined) terms.push(isAnyOf(column(own.locale), locale));
  return deleteRows(
    link,
    sql`${balanced(terms, 'and')} and not exists (
      select 1
      from ${sql.identifier(type.table)} as "$remaining"
      where ${isRemaining}
    )`,
  );
}

export const unlinkAll = (rows: DeletedRows, ends: readonly LinkEnd[]): readonly Statement[] =>
  ends.map((end) => toStatement(unlink(rows, end)));
