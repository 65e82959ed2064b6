/**
 * @module Reads former versions of documents. One is read like any document: in its statement the tables of its type have its
 * row and its links in place of the present ones, so selections, populates and conditions work as ever.
 */
import { type SQL, sql } from 'drizzle-orm';
import { memoized } from '../../../common/cache.ts';
import { keptAttributes, rowAttributes, typesOf } from '../../../content/plan/model/kept-entry.ts';
import type { Status } from '../../../content/request/query-params.ts';
import { isOverflow } from '../../../content/sql/columns.ts';
import { type Compiled, constant, mapped, query, together } from '../../../content/sql/compiled.ts';
import { nameList } from '../../../content/sql/drizzle-pieces.ts';
import { balanced, columnOf, commaList, integer, literal, valuesOf } from '../../../content/sql/pieces.ts';
import { type GrantConditions, isGranted } from '../../../content/sql/read/granted-rows.ts';
import { ownedLinks } from '../../../content/sql/read/kept-links.ts';
import { rendered, toStatement } from '../../../content/sql/render.ts';
import { columnsOfRow, isBig } from '../../../content/sql/row-values.ts';
import { fitting, type Rendered, rewritten, type Statement } from '../../../content/sql/statement.ts';
import { users } from '../../../content/sql/system-tables.ts';
import { isVersion, ofAnyVersion, ofDocument, statusColumn } from '../../../content/sql/versions.ts';
import type { DocumentRef } from '../../../schema/document-ref.ts';
import type { ContentType } from '../../../schema/model.ts';
import { OVERFLOW_COLUMN } from '../../../schema/names.ts';
import type { HistoryParams, VersionPlace } from '../params.ts';
import { history } from './table.ts';

/** A former version. */
export interface FormerVersion {
  readonly id: string;
  /** uid */
  readonly type: string;
  readonly documentId: string;
  readonly locale: string;
  readonly version: Status;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly operation: string;
  readonly actor: string;
  readonly actorId: string | null;
  readonly actorName: string | null;
  /** 1: its values are kept. */
  readonly isKept: number;
  /** Its entry; null if the stored one is as it would be today. */
  readonly entry: string | null;
  /** 1: the versions before it on its page have so many bytes that it is for the next one. */
  readonly isBeyond?: number;
}

/** `schedule` of `schedule of user`, who made it. */
const KIND = sql`substr(${history.actor}, 1, instr(${history.actor} || ' ', ' ') - 1)`;

/** The name of a deleted user is not shown. */
const NAME = sql`iif(
  substr(${history.actor}, -4) <> 'user' or exists (select 1 from ${users} where ${users.id} = ${history.actorId}),
  ${history.actorName}, null
)`;

/** @param entry what is read of it @param from SQL from `from` on */
const formerVersions = (entry: SQL, from: SQL): Statement =>
  toStatement(sql`
    select ${history.id}, ${history.type}, ${history.documentId} as "documentId", ${history.locale}, ${history.version},
      ${history.at}, ${history.operation}, ${KIND} as "actor", ${history.actorId} as "actorId", ${NAME} as "actorName",
      ${history.entry} is not null as "isKept", ${entry}
    ${from}`);

const NO_ENTRY = sql`null as "entry"`;

const foundVersions = (statement: Statement): Compiled<readonly FormerVersion[]> =>
  query(statement, (rows) => rows as unknown as readonly FormerVersion[]);

/** The versions of a type that a caller may see. */
export interface HistoryScope {
  readonly type: ContentType;
  readonly document: DocumentRef | 'all';
  readonly seesDrafts: boolean;
  /** Of conditional grants, for what is there today. What has no values is hidden then. */
  readonly conditions?: Omit<GrantConditions, 'type'> | undefined;
}

/** Is a version one of a row of the type's table? */
export const isKeptRow = memoized(
  ({ uid, table }: ContentType) =>
    rendered(sql`${history.type} = ${literal(uid)} and ${history.documentId} = ${columnOf(table, 'document_id')}
      and ${history.locale} = ${columnOf(table, 'locale')} and ${history.version} = ${statusColumn(table)}`),
  new WeakMap(),
);

/** Is the version there today, and may the caller see it? */
function isSeenToday({ type, conditions }: HistoryScope): SQL {
  if (!conditions) return sql`1`;
  return sql`${history.entry} is not null and exists (
    select 1 from ${sql.identifier(type.table)}
    where ${ofAnyVersion(isKeptRow(type), type, type.table)} and ${isGranted({ type, ...conditions })}
  )`;
}

/** @param uid the column `type` */
function inScope(scope: HistoryScope, uid: SQL): SQL {
  const { type, document, seesDrafts } = scope;
  // The boundary of an import has no document.
  const isOf =
    (document !== 'all' && ofDocument(document, type, sql`${history.documentId}`)) || sql`${history.documentId} > ''`;
  const isShown = seesDrafts ? sql`1` : sql`${history.version} = 'published'`;
  return sql`${uid} = ${type.uid} and ${isOf} and ${isShown} and ${isSeenToday(scope)}`;
}

function inOneOf(scopes: readonly HistoryScope[]): SQL {
  // The sign keeps SQLite from an index by type: the one by time ends with the page.
  const uid = scopes.length > 1 ? sql`+${history.type}` : sql`${history.type}`;
  return balanced(
    scopes.map((scope) => inScope(scope, uid)),
    'or',
  );
}

function meets({ operations, by, from, to, after }: HistoryParams, time: SQL): readonly SQL[] {
  return [
    ...(operations ? [sql`${history.operation} in ${valuesOf(operations)}`] : []),
    ...(by ? [sql`${KIND} in ${valuesOf(by)}`] : []),
    ...(from === undefined ? [] : [sql`${time} >= ${from}`]),
    ...(to === undefined ? [] : [sql`${time} <= ${to}`]),
    ...(after ? [sql`(${time}, ${history.id}) < (${after.at}, ${after.id})`] : []),
  ];
}

/** The entries of the types' schemas and names of another time, and those with values that may stand elsewhere now. */
function outdatedEntry(scopes: readonly HistoryScope[], renames: number): SQL {
  const fixed = scopes.filter(({ type }) => !rowAttributes(type).some(isOverflow));
  const types = JSON.stringify(Object.fromEntries(fixed.map(({ type }) => [type.uid, typesOf(type)])));
  return sql`iif(
    ${history.entry} ->> '$.renames' = ${integer(renames)} and ${history.entry} -> '$.types' = ${types} -> ${history.type}
      and ${history.entry} -> ${literal(`$.values.${OVERFLOW_COLUMN}`)} is null,
    null, ${history.entry}
  )`;
}

/** Versions that a page of a limited caller examines, so that its work does not grow with what is hidden. */
const MAX_EXAMINED = 1_000;

/** The scopes as if nothing of them was hidden today. */
function inAnyUnlimited(scopes: readonly HistoryScope[]): SQL {
  if (scopes.length === 1) return inOneOf(scopes.map(({ conditions: _, ...scope }) => scope));
  const isOneOf = (some: readonly HistoryScope[]) =>
    sql`+${history.type} in ${valuesOf(some.map(({ type }) => type.uid))}`;
  return sql`${isOneOf(scopes)} and (${history.version} = 'published' or ${isOneOf(scopes.filter((each) => each.seesDrafts))})`;
}

/** Of the versions that a page examines: the rows, and the place where others follow, if they do. */
function examinedVersions(scopes: readonly HistoryScope[], params: HistoryParams, time: SQL) {
  const from = sql`from ${history} where ${balanced([inAnyUnlimited(scopes), ...meets(params, time)], 'and')}
    order by ${time} desc, ${history.id} desc`;
  const end = sql`select ${history.at}, ${history.id} ${from} limit 1 offset ${MAX_EXAMINED - 1}`;
  return {
    isExamined: sql`${history}."rowid" in (select "rowid" ${from} limit ${MAX_EXAMINED})`,
    end: query(toStatement(end), ([row]) => row as VersionPlace | undefined),
  };
}

interface VersionList {
  readonly versions: readonly FormerVersion[];
  /** Where the next page begins, although this one may not be full. */
  readonly end?: VersionPlace | undefined;
}

/** Bytes of the versions of a page, whose entries are read and written again as they would be today. */
const MAX_PAGE_BYTES = 8_000_000;

/** The versions of a page with their entries. @param page SQL from `from` on, with its order and limit */
function versionsWithEntries(entry: SQL, page: SQL): Statement {
  const order = sql`order by "at" desc, "id" desc`;
  const rows = sql`select "rowid" as "row", "at", "id", "size" ${page}`;
  const isBeyond = sql`"$page"."before" >= ${MAX_PAGE_BYTES}`;
  return formerVersions(
    sql`iif(${isBeyond}, null, ${entry}) as "entry", ${isBeyond} as "isBeyond"`,
    sql`from (select "row", sum("size") over (${order}) - "size" as "before" from (${rows})) as "$page"
      cross join ${history} on ${history}."rowid" = "$page"."row"
      order by ${history.at} desc, ${history.id} desc`,
  );
}

/** A round trip that reads nothing. */
export const roundTrip: Compiled<undefined> = query(toStatement(sql`select 1`), () => undefined);

/**
 * Returns versions, the newest first; for a limited caller those that are seen today, of so many. Types whose conditions are too long for one statement have several.
 * @param renames the number of steps of renames until now; absent: no entry is read
 */
export function selectHistory(
  scopes: readonly HistoryScope[],
  params: HistoryParams,
  renames?: number,
): Compiled<VersionList> {
  const isOfDocument = scopes.some(({ document }) => document !== 'all' && document.kind === 'named');
  // The sign keeps SQLite from an index by time, for a document that has its own few.
  const time = isOfDocument ? sql`+${history.at}` : sql`${history.at}`;
  const isLimited = scopes.some(({ conditions }) => conditions);
  const { isExamined, end } = isLimited
    ? examinedVersions(scopes, params, time)
    : { isExamined: undefined, end: constant(undefined) };
  const chosen = isExamined ? [isExamined] : meets(params, time);
  const statements = fitting(scopes, (some) => {
    const page = sql`from ${history} where ${balanced([inOneOf(some), ...chosen], 'and')}
      order by ${time} desc, ${history.id} desc
      limit ${params.limit}`;
    return renames === undefined
      ? formerVersions(NO_ENTRY, page)
      : versionsWithEntries(outdatedEntry(some, renames), page);
  });
  return mapped(together([together(statements.map(foundVersions)), end]), ([lists, place]) => {
    const versions = lists
      .flat()
      .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
      .slice(0, params.limit);
    const cut = versions.findIndex(({ isBeyond }) => isBeyond === 1);
    return cut < 0 ? { versions, end: place } : { versions: versions.slice(0, cut), end: versions[cut - 1] };
  });
}

/** Reads one version, with its entry. */
export const selectFormer = (scope: HistoryScope, id: string): Compiled<readonly FormerVersion[]> =>
  foundVersions(
    formerVersions(sql`${history.entry}`, sql`from ${history} where ${inOneOf([scope])} and ${history.id} = ${id}`),
  );

const FORMER = sql.identifier('$former');
const ofFormer = (column: string): SQL => sql`(select ${sql.identifier(column)} from ${FORMER})`;

/** The former version itself. What follows names it without parameters: D1 binds at most 100. */
function withFormer(type: ContentType, { documentId, locale, version, id, entry }: FormerVersion): SQL {
  const stored = sql`select "document_id", "locale", "version", "entry" from ${history}
    where ${history.type} = ${literal(type.uid)} and ${history.documentId} = ${documentId} and ${history.id} = ${id}`;
  const given = sql`values (${documentId}, ${locale}, ${version}, ${entry})`;
  return sql`${FORMER} ("document_id", "locale", "version", "entry") as materialized (${entry === null ? stored : given})`;
}

/** The table of the type with the former row in place of the present one. */
function withFormerRow(type: ContentType, version: Status): SQL {
  const kept = columnsOfRow(keptAttributes(type));
  const others = columnsOfRow(rowAttributes(type)).filter((name) => !kept.includes(name));
  const big = keptAttributes(type)
    .filter(isBig)
    .map(({ column }) => column);
  const values = kept.map((column) => {
    // An entry has the locale of then; migrations move former versions to that of today.
    if (column === 'locale') return sql`"locale"`;
    const value = sql`"entry" ->> ${literal(`$.values.${column}`)}`;
    return big.includes(column) ? sql`cast(${value} as integer)` : value;
  });
  const table = sql.identifier(type.table);
  const names = nameList([...kept, ...others]);
  return sql`${table} (${names}) as (
    select ${names} from main.${table}
    where not ("document_id" = ${ofFormer('document_id')} and "locale" = ${ofFormer('locale')} and ${isVersion(type.table, version)})
    union all select ${commaList([...values, ...others.map(() => sql`null`)])} from ${FORMER}
  )`;
}

/** The same of a link table. */
function withFormerLinks(type: ContentType, { name, links, columns }: ReturnType<typeof ownedLinks>[number]): SQL {
  const table = sql.identifier(links);
  const names = nameList(['source_document_id', 'source_locale', ...columns, 'rowid']);
  // Only a locale may be null: that of the row.
  const values = columns.map((_, place) => sql`coalesce("$link"."value" ->> ${literal(`$[${place}]`)}, "locale")`);
  const isOfVersion = type.draftAndPublish ? sql` and "status" = ${ofFormer('version')}` : sql``;
  return sql`${table} (${names}) as (
    select ${names} from main.${table}
    where not ("source_document_id" = ${ofFormer('document_id')} and "source_locale" = ${ofFormer('locale')}${isOfVersion})
    union all select ${columnOf('$former', 'document_id')}, ${columnOf('$former', 'locale')}, ${commaList(values)}, "$link"."key"
    from ${FORMER}, json_each("entry", ${literal(`$.links."${name}"`)}) as "$link"
  )`;
}

/** A statement with the former version in the tables that it reads. */
function withFormerTables({ sql: text, params }: Rendered, type: ContentType, former: FormerVersion): Rendered {
  const links = ownedLinks(type).filter((owned) => text.includes(`"${owned.links}"`));
  const tables = toStatement(
    commaList([
      withFormer(type, former),
      withFormerRow(type, former.version),
      ...links.map((link) => withFormerLinks(type, link)),
    ]),
  );
  const numbered = text.replaceAll(/\?(\d+)/g, (_, number) => `?${Number(number) + tables.params.length}`);
  return {
    sql: numbered.replace(/^(\s*with\s)?/i, (own) => `with ${tables.sql}${own ? ',' : ''} `),
    params: [...tables.params, ...params],
  };
}

/** Reads the document as if the former version were the present one. */
export const asOf = <T>(
  { statements, decode }: Compiled<T>,
  type: ContentType,
  former: FormerVersion,
): Compiled<T> => ({
  statements: statements.map((statement) => rewritten(statement, (each) => withFormerTables(each, type, former))),
  decode,
});
