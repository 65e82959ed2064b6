/**
 * @module Keeps versions of documents in the batch that changes them. An entry has the values of the row by column, and the
 * links that the document owns by attribute.
 */
import { type SQL, sql } from 'drizzle-orm';
import { memoized } from '../../../common/cache.ts';
import type { Removal } from '../../../content/plan/model/change.ts';
import { keptAttributes, typesOf } from '../../../content/plan/model/kept-entry.ts';
import type { NamedRow } from '../../../content/plan/model/write-plan.ts';
import type { Status } from '../../../content/request/query-params.ts';
import { nameList } from '../../../content/sql/drizzle-pieces.ts';
import { balanced, columnOf, integer, literal, unionAll } from '../../../content/sql/pieces.ts';
import { ownedLinks } from '../../../content/sql/read/kept-links.ts';
import { rendered, toStatement } from '../../../content/sql/render.ts';
import { objectOf, pairsOfRow } from '../../../content/sql/row-values.ts';
import { fitting, type Statement } from '../../../content/sql/statement.ts';
import { statusColumn } from '../../../content/sql/versions.ts';
import { namedRow } from '../../../content/sql/write/attach-rows.ts';
import { deletedRows } from '../../../content/sql/write/links.ts';
import { type Actor, storedActor } from '../../../content/sql/write/stored-actor.ts';
import type { ContentType } from '../../../schema/model.ts';
import { oldestVersions } from './prune.ts';
import { isKeptRow } from './read.ts';
import { history } from './table.ts';

/** Versions of a document that a write makes, in one locale: what it does by version. */
export interface MadeVersions {
  readonly type: ContentType;
  readonly rows: readonly NamedRow[];
  /** Does the write create the document, which has no versions yet? */
  readonly isNew?: boolean;
  readonly operations: Readonly<Partial<Record<Status, string>>>;
}

/** How many versions of a row are kept, and how many bytes of all. */
export interface KeptLimits {
  readonly versions: number;
  readonly bytes: number;
}

/** A write, as its versions say. */
export interface HistoryMoment {
  readonly now: number;
  readonly actor: Actor;
  /** The number of steps of renames before it. */
  readonly renames: number;
}

const madeRows = ({ type, rows }: Pick<MadeVersions, 'type' | 'rows'>): SQL =>
  balanced(
    rows.map((row) => sql`(${namedRow(row, type)})`),
    'or',
  );

/** Bytes of an entry; a value on D1 has 2 MB. */
const MAX_ENTRY = 1_500_000;
/** Milliseconds in which a caller's saves of a draft replace one another. */
const SAME_SITTING = 600_000;

/** Links of a type without drafts are kept in both versions. */
const ofKeptVersion = ({ draftAndPublish, table }: ContentType, link: string): SQL => {
  const isOf = sql`${columnOf(link, 'source_document_id')} = ${columnOf(table, 'document_id')}
    and ${columnOf(link, 'source_locale')} = ${columnOf(table, 'locale')}`;
  return draftAndPublish ? sql`${isOf} and ${columnOf(link, 'status')} = ${statusColumn(table)}` : isOf;
};

/** Characters of the links that one statement keeps, beside the values. */
const MAX_LINKS = 40_000;

/** The links of a row: an object for each statement that keeps some of them. */
const linksOfRow = memoized((type: ContentType): readonly SQL[] => {
  const owned = ownedLinks(type).map(
    ({ name, links, columns }) => sql`${literal(name)}, (
      select json_group_array(json_array(${nameList(columns)}))
      from (select * from ${sql.identifier(links)} where ${ofKeptVersion(type, links)} order by "position", "rowid")
    )`,
  );
  const parts = fitting(owned, (some) => ({ ...toStatement(objectOf(some)), object: objectOf(some) }), MAX_LINKS);
  return parts.map(({ object }) => rendered(object));
}, new WeakMap());

/** The values, links and types of a row. `missing`: how many objects of links `addLinks` has yet to add. */
const entryOf = memoized((type: ContentType) => {
  const [links = sql`json_object()`, ...more] = linksOfRow(type);
  const values = objectOf(pairsOfRow(keptAttributes(type), type.table));
  const types = JSON.stringify(typesOf(type));
  const missing = more.length > 0 ? sql`, 'missing', ${integer(more.length)}` : sql``;
  return memoized((renames: number) =>
    rendered(sql`json_object(
      'values', ${values}, 'links', ${links}, 'types', json(${types}), 'renames', ${integer(renames)}${missing}
    )`),
  );
}, new WeakMap());

/** Adds the links that had no place in the statement which has just kept rows. */
function addLinks(type: ContentType, rows: SQL): readonly Statement[] {
  const [, ...more] = linksOfRow(type);
  if (more.length === 0) return [];
  const isNext = (missing: number) => sql`
    ${isKeptRow(type)} and ${history.entry} ->> '$.missing' = ${integer(missing)} and (${rows})`;
  const additions = more.map((links, index) => {
    const missing = more.length - index;
    return sql`
      update ${history} set "entry" = json_set(
        ${history.entry}, '$.links', json_patch(${history.entry} -> '$.links', ${links}), '$.missing', ${integer(missing - 1)}
      )
      from ${sql.identifier(type.table)} where ${isNext(missing)}`;
  });
  const whole = sql`json_remove(${history.entry}, '$.missing')`;
  const fits = sql`octet_length(${whole}) <= ${MAX_ENTRY}`;
  const end = sql`
    update ${history} set "entry" = iif(${fits}, ${whole}, null), "size" = iif(${fits}, octet_length(${whole}), 0)
    from ${sql.identifier(type.table)} where ${isNext(0)}`;
  return [...additions, end].map(toStatement);
}

const COLUMNS = nameList(
  'rowid type document_id locale version at id operation actor actor_id actor_name entry size'.split(' '),
);

const updatedAt = memoized(
  ({ table }: ContentType) => rendered(sql`coalesce(${columnOf(table, 'updated_at')}, 0)`),
  new WeakMap(),
);

/**
 * The time of the last import, 0 without one: no version of before is of what is there now. The sign keeps SQLite from an
 * index by time, of which it would read all versions.
 */
const importedAt = memoized(
  ({ uid }: ContentType) =>
    rendered(sql`(
      select coalesce(max(+${history.at}), 0) from ${history}
      where ${history.type} = ${literal(uid)} and ${history.documentId} = ''
    )`),
  new WeakMap(),
);

/** The earliest time of a row's first version since the last import. */
const ofFirst = memoized(
  (type: ContentType) => rendered(sql`max(${updatedAt(type)}, ${importedAt(type)} + 1)`),
  new WeakMap(),
);

/** The earliest time of a version that may follow others of its row. */
const ofNext = memoized(
  (type: ContentType) =>
    rendered(sql`max(
      ${ofFirst(type)}, (select coalesce(max(${history.at}) + 1, 0) from ${history} where ${isKeptRow(type)})
    )`),
  new WeakMap(),
);

interface KeptRows {
  readonly type: ContentType;
  readonly where: SQL;
  readonly earliest: SQL;
  /** When and by what, of a row with the columns `version` and `$earliest`. */
  readonly at: SQL;
  readonly operation: SQL | string;
  readonly who: SQL;
  readonly entry: SQL;
  /** Of the version that the new one of a row replaces; absent: of none. */
  readonly replaced?: SQL;
}

/** Keeps rows of a type. Their entries are materialized: SQLite would make one for each use of it. */
const keepRows = ({ type, where, earliest, at, operation, who, entry, replaced = sql`null` }: KeptRows): Statement =>
  toStatement(sql`
    insert or replace into ${history} (${COLUMNS})
    with "$row" as materialized (
      select
        ${columnOf(type.table, 'document_id')}, ${columnOf(type.table, 'locale')}, ${statusColumn(type.table)} as "version",
        ${entry} as "entry",
        ${earliest} as "$earliest",
        ${replaced} as "$replaced"
      from ${sql.identifier(type.table)}
      where ${where}
    )
    select
      "$replaced", ${type.uid}, "document_id", "locale", "version", ${at}, 'rev_' || lower(hex(randomblob(12))), ${operation}, ${who},
      iif(octet_length("entry") <= ${MAX_ENTRY}, "entry", null),
      iif(octet_length("entry") <= ${MAX_ENTRY}, octet_length("entry"), 0)
    from "$row"`);

/** When and by whom, of what a write makes and removes. */
function stampOf({ now, actor }: HistoryMoment): Pick<KeptRows, 'at' | 'who'> {
  const { kind, id, name } = storedActor(actor);
  return { at: sql`max(${now}, "$earliest")`, who: sql`${kind}, ${id}, ${name}` };
}

const since = memoized(
  (type: ContentType) =>
    type.localized ? importedAt(type) : rendered(sql`max(${updatedAt(type)}, ${importedAt(type)})`),
  new WeakMap(),
);

/**
 * Keeps the rows that have no history yet, or have been imported or changed without one since. Of a localized type, what the other locales
 * share changes a row without it, too. Runs before they change.
 */
const keepFormer = (type: ContentType, rows: SQL, { now, renames }: HistoryMoment): readonly Statement[] => [
  keepRows({
    type,
    where: sql`(${rows}) and not exists (
      select 1 from ${history}
      where ${isKeptRow(type)} and ${history.at} >= ${since(type)}
    )`,
    // What versions there are, are older.
    earliest: ofFirst(type),
    at: sql`min("$earliest", ${now - 1})`,
    operation: 'before',
    who: sql`'unknown', null, null`,
    entry: entryOf(type)(renames),
  }),
  ...addLinks(type, rows),
];

export const keepFormerVersions = (made: MadeVersions, moment: HistoryMoment): readonly Statement[] =>
  keepFormer(made.type, madeRows(made), moment);

/** Keeps the removal of rows, without values, and what was there. Runs before they are deleted. */
export function keepRemoval({ operation, rows }: Removal, moment: HistoryMoment): readonly Statement[] {
  const { type } = rows;
  const where = deletedRows(rows);
  const removed = { type, where, operation, entry: sql`null`, earliest: ofNext(type), ...stampOf(moment) };
  return [...keepFormer(type, where, moment), keepRows(removed)];
}

/** The newest version of a draft, if the same caller has saved it in the same sitting: a client of a user is another one. */
function repeatedSave(type: ContentType, { now, actor }: HistoryMoment): SQL {
  const { kind, id, name } = storedActor(actor);
  return sql`(
    select iif(
      ${history.version} = 'draft' and ${history.operation} = 'update' and ${history.at} > ${now - SAME_SITTING}
        and ${history.actor} = ${kind} and ${history.actorId} is ${id} and ${history.actorName} is ${name}, "rowid", null
    )
    from ${history}
    where ${isKeptRow(type)}
    order by ${history.at} desc
    limit 1
  )`;
}

/** Keeps the versions that a write has made. They have the order of the commits, whatever the clocks of Workers are. */
export function keepMade(made: MadeVersions, moment: HistoryMoment): readonly Statement[] {
  const { type, operations, isNew = false } = made;
  const { draft = null, published = null } = operations;
  const where = madeRows(made);
  const kept = keepRows({
    type,
    where,
    operation: sql`iif("version" = 'draft', ${draft}, ${published})`,
    entry: entryOf(type)(moment.renames),
    earliest: isNew ? ofFirst(type) : ofNext(type),
    ...(draft === 'update' && { replaced: repeatedSave(type, moment) }),
    ...stampOf(moment),
  });
  return [kept, ...addLinks(type, where)];
}

/** Returns the rowids of the versions of changed rows beyond the number to keep. */
const surplusVersions = (made: Pick<MadeVersions, 'type' | 'rows'>, versions: number): SQL => sql`
  select ${history}."rowid"
  from ${sql.identifier(made.type.table)} cross join ${history} on ${isKeptRow(made.type)} and ${history.at} <= (
    select ${history.at} from ${history} where ${isKeptRow(made.type)}
    order by ${history.at} desc limit 1 offset ${versions}
  )
  where ${madeRows(made)}`;

/**
 * Deletes the versions of changed rows beyond the number to keep, and a few of the oldest of their type while all versions have
 * more bytes. Runs after the new ones are kept.
 * @param rows that have had versions before
 */
export function deleteOldest(
  type: ContentType,
  rows: MadeVersions['rows'],
  limits: KeptLimits,
  now: number,
): Statement {
  const surplus = rows.length > 0 ? [surplusVersions({ type, rows }, limits.versions)] : [];
  const deleted = unionAll([...surplus, oldestVersions(type, limits.bytes, now)]);
  return toStatement(sql`delete from ${history} where "rowid" in (${deleted})`);
}
