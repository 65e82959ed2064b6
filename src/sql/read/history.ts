/**
 * @module Reads former versions of documents. One is read like any document: in its statement the tables of its type have its
 * row and its links in place of the present ones, so selections, populates and conditions work as ever.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ContentType } from '../../registry/model.ts';
import { OVERFLOW_COLUMN } from '../../registry/names.ts';
import type { HistoryParams } from '../../request/history-params.ts';
import type { Status } from '../../request/query-params.ts';
import { isOverflow } from '../columns.ts';
import { type Compiled, query } from '../compiled.ts';
import { balanced, columnOf, commaList, literal, valuesOf } from '../pieces.ts';
import { toStatement } from '../render.ts';
import { columnsOfRow, isBig, objectOf, partOfOverflow } from '../row-values.ts';
import { rewritten } from '../statement.ts';
import { history, users } from '../system-tables.ts';
import { isVersion } from '../versions.ts';
import {
  keptAttributes,
  keptLinkColumns,
  type OwnedLinks,
  ownedLinks,
  rowAttributes,
  typesOf,
} from './history-entry.ts';

/** A former version, without its values. */
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
  /** Are its values kept? */
  readonly isKept: boolean;
  /** Its entry, if the stored one has other names than those of today. */
  readonly entry?: string;
}

/** The name of a deleted user is not shown. */
const NAME = sql`iif(
  ${history.actor} not in ('user', 'schedule of user')
  or exists (select 1 from ${users} where ${users.id} = cast(${history.actorId} as integer)),
  ${history.actorName}, null
)`;

const COLUMNS = sql`
  ${history.id}, ${history.type}, ${history.documentId} as "documentId", ${history.locale}, ${history.version}, ${history.at},
  ${history.operation}, ${history.actor}, ${history.actorId} as "actorId", ${NAME} as "actorName",
  ${history.entry} is not null as "isKept"`;

const formerVersions = (select: SQL): Compiled<readonly FormerVersion[]> =>
  query(toStatement(select), (rows) =>
    rows.map((row) => ({ ...(row as unknown as FormerVersion), isKept: row.isKept === 1 })),
  );

/** The versions of a type that a caller may see. */
export interface HistoryScope {
  readonly type: ContentType;
  /** Absent: of every document. */
  readonly documentId?: string | undefined;
  readonly versions: readonly Status[];
}

const inScope = ({ type, documentId, versions }: HistoryScope): SQL => {
  const isOf = sql`${history.type} = ${type.uid} and ${history.version} in ${valuesOf(versions)}`;
  return documentId === undefined ? isOf : sql`${isOf} and ${history.documentId} = ${documentId}`;
};

const inOneOf = (scopes: readonly HistoryScope[]): SQL => {
  const [scope] = scopes;
  if (scope && scopes.length === 1) return inScope(scope);
  const pairs = scopes.flatMap(({ type, versions }) => versions.map((version) => [type.uid, version]));
  // The signs keep SQLite from an index by type: the one by time ends with the page.
  return sql`(+${history.type}, +${history.version}) in (
    select "value" ->> 0, "value" ->> 1 from json_each(${JSON.stringify(pairs)})
  )`;
};

/** Who made a version when it was scheduled. */
const actorsOf = (kind: string): readonly string[] =>
  kind === 'schedule' ? ['schedule', 'schedule of user', 'schedule of token'] : [kind];

function meets({ operations, by, from, to, after }: HistoryParams, time: SQL): readonly SQL[] {
  return [
    ...(operations ? [sql`${history.operation} in ${valuesOf(operations)}`] : []),
    ...(by ? [sql`${history.actor} in ${valuesOf(by.flatMap(actorsOf))}`] : []),
    ...(from === undefined ? [] : [sql`${time} >= ${from}`]),
    ...(to === undefined ? [] : [sql`${time} <= ${to}`]),
    ...(after ? [sql`(${time}, ${history.id}) < (${after.at}, ${after.id})`] : []),
  ];
}

/** Returns versions, the newest first. */
export function selectHistory(scopes: readonly HistoryScope[], params: HistoryParams) {
  const isOfDocument = scopes.some(({ documentId }) => documentId !== undefined);
  // The sign keeps SQLite from an index by time, for a document that has its own few.
  const time = isOfDocument ? sql`+${history.at}` : sql`${history.at}`;
  return formerVersions(sql`
    select ${COLUMNS} from ${history}
    where ${balanced([inOneOf(scopes), ...meets(params, time)], 'and')}
    order by ${time} desc, ${history.id} desc
    limit ${params.limit}`);
}

export const selectFormer = (scope: HistoryScope, id: string): Compiled<readonly FormerVersion[]> =>
  formerVersions(sql`select ${COLUMNS} from ${history} where ${inScope(scope)} and ${history.id} = ${id}`);

/** The values and links of a version, as JSON. */
export const selectEntry = (scope: HistoryScope, id: string): Compiled<string | undefined> =>
  query(
    toStatement(sql`select ${history.entry} from ${history} where ${inScope(scope)} and ${history.id} = ${id}`),
    ([row]) => (typeof row?.entry === 'string' ? row.entry : undefined),
  );

const FORMER = sql.identifier('$former');
const ofFormer = (column: string): SQL => sql`(select ${sql.identifier(column)} from ${FORMER})`;

/** The former version itself. What follows names it without parameters: D1 binds at most 100. */
function withFormer(type: ContentType, { documentId, locale, version, id, entry }: FormerVersion): SQL {
  const stored = sql`select "document_id", "locale", "version", "entry" from ${history}
    where ${history.type} = ${literal(type.uid)} and ${history.documentId} = ${documentId} and ${history.id} = ${id}`;
  const translated = sql`select ${documentId} as "document_id", ${locale} as "locale", ${version} as "version", ${entry} as "entry"`;
  return sql`${FORMER} as materialized (${entry === undefined ? stored : translated})`;
}

/** The table of the type with the former row in place of the present one; what had another type is null. */
function withFormerRow(type: ContentType, version: Status): SQL {
  const kept = keptAttributes(type);
  const columns = columnsOfRow(kept);
  const others = columnsOfRow(rowAttributes(type)).filter((name) => !columns.includes(name));
  const types = typesOf(type);
  const overflow = kept.filter(isOverflow);
  const byColumn = new Map(kept.filter((each) => !isOverflow(each)).map((each) => [each.column, each]));
  const values = columns.map((column) => {
    const value = sql`"entry" ->> ${literal(`$.values.${column}`)}`;
    const attribute = byColumn.get(column);
    if (overflow.length > 0 && column === OVERFLOW_COLUMN) {
      const now = objectOf(overflow.map(({ name }) => sql`${literal(name)}, ${literal(types[name] ?? '')}`));
      return partOfOverflow(value, sql`"entry" -> '$.types' ->> "$field"."key" = ${now} ->> "$field"."key"`);
    }
    if (!attribute) return value;
    const isSame = sql`"entry" ->> ${literal(`$.types."${attribute.name}"`)} = ${literal(types[attribute.name] ?? '')}`;
    return sql`iif(${isSame}, ${isBig(attribute) ? sql`cast(${value} as integer)` : value}, null)`;
  });
  const table = sql.identifier(type.table);
  const names = commaList([...columns, ...others].map((name) => sql.identifier(name)));
  return sql`${table} (${names}) as (
    select ${names} from main.${table}
    where not ("document_id" = ${ofFormer('document_id')} and "locale" = ${ofFormer('locale')} and ${isVersion(type.table, version)})
    union all select ${commaList([...values, ...others.map(() => sql`null`)])} from ${FORMER}
  )`;
}

/** The same of a link table. */
function withFormerLinks(type: ContentType, { name, links, isTyped }: OwnedLinks): SQL {
  const table = sql.identifier(links);
  const columns = keptLinkColumns(isTyped);
  const names = commaList(['source_document_id', 'source_locale', ...columns].map((each) => sql.identifier(each)));
  const values = columns.map((_, place) => sql`"$link"."value" ->> ${literal(`$[${place}]`)}`);
  const isOfVersion = type.draftAndPublish ? sql` and "status" = ${ofFormer('version')}` : sql``;
  return sql`${table} (${names}, "rowid") as (
    select ${names}, "rowid" from main.${table}
    where not ("source_document_id" = ${ofFormer('document_id')} and "source_locale" = ${ofFormer('locale')}${isOfVersion})
    union all select ${columnOf('$former', 'document_id')}, ${columnOf('$former', 'locale')}, ${commaList(values)}, "$link"."key"
    from ${FORMER}, json_each("entry", ${literal(`$.links."${name}"`)}) as "$link"
  )`;
}

/** Reads the document as if the former version were the present one. */
export function asOf<T>({ statements, decode }: Compiled<T>, type: ContentType, former: FormerVersion): Compiled<T> {
  const tables = toStatement(
    commaList([
      withFormer(type, former),
      withFormerRow(type, former.version),
      ...ownedLinks(type).map((link) => withFormerLinks(type, link)),
    ]),
  );
  const numberedAfter = (text: string) =>
    text.replaceAll(/\?(\d+)/g, (_, number) => `?${Number(number) + tables.params.length}`);
  return {
    statements: statements.map((statement) =>
      rewritten(statement, ({ sql: text, params }) => ({
        sql: /^\s*with\s/i.test(text)
          ? numberedAfter(text).replace(/^\s*with\s/i, `with ${tables.sql}, `)
          : `with ${tables.sql} ${numberedAfter(text)}`,
        params: [...tables.params, ...params],
      })),
    ),
    decode,
  };
}
