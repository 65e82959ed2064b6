/**
 * @module Statements that copy or move stored content into the table of what is kept, before a save changes or drops where
 * it is stored.
 */
import { valueIn } from '../migrations/attribute-changes.ts';
import type { Layout, Place, TypeLayout } from '../migrations/layout.ts';
import { statusOf } from '../migrations/migration-work.ts';
import { identifier, literal } from '../migrations/sql-text.ts';
import { nameOfType } from '../migrations/type-changes.ts';
import { formName, formOf } from './forms.ts';
import { KEPT, KEPT_COLUMNS, type KeptKind } from './kept-table.ts';
import { allLinks, type End, isEnd } from './versions.ts';

/** SQL: a condition on a row, by the name of its table. */
export type RowCondition = (row: string) => string;

const ROW = '"row"';

const subjectOf = (uid: string, name: string): string => `${nameOfType(uid)}.${name}`;

/** Statements that put entries in; those of the same version, attribute and form are replaced. */
const insert = (
  kind: KeptKind,
  table: string,
  attribute: string,
  form: string,
  subject: string,
  rest: string,
): string =>
  `INSERT OR REPLACE INTO ${KEPT} ${KEPT_COLUMNS} SELECT ${[kind, table, attribute, form, subject].map(literal).join(', ')}, ${rest}`;

/** A link as the entries hold it. */
const LINK = `json_array("link"."status", "link"."target_document_id", "link"."target_locale", "link"."position", "link"."inverse_position")`;

/** SQL for the value of an attribute in `ROW`; all of its links as one list. */
function storedIn(type: TypeLayout, name: string, place: Place): string {
  if (place.kind !== 'links') return valueIn(place, name);
  return `(SELECT json_group_array(json(${LINK}) ORDER BY "link"."position") FROM ${identifier(place.table)} AS "link" WHERE ${isEnd(ROW, type, '"link"', 'source')})`;
}

/** Copies the values of an attribute, of all rows or of some. */
export function copyAttribute(
  layout: Layout,
  uid: string,
  name: string,
  where: RowCondition = () => '1',
): readonly string[] {
  const type = layout.types[uid];
  const place = type?.attributes[name];
  if (!type || !place) return [];
  const kind = place.kind === 'links' ? 'links' : 'value';
  const version = `"document_id", "locale", ${statusOf(ROW)}, '', "updated_at"`;
  const rest = `${version}, ${storedIn(type, name, place)} FROM ${identifier(type.table)} AS ${ROW} WHERE ${where(ROW)}`;
  return [insert(kind, type.table, name, formName(formOf(place, layout)), subjectOf(uid, name), rest)];
}

export interface Rows {
  readonly where: RowCondition;
  /** Does a link to a type of this uid stay where another version of the document remains? */
  keepsLinksWith(uid: string): boolean;
}

/** Moves the links of all types that have one of the rows at an end; what the rows link to is in their own entries. */
function moveLinks(layout: Layout, uid: string, type: TypeLayout, { where, keepsLinksWith }: Rows): readonly string[] {
  const rows = identifier(type.table);
  const remains = `EXISTS (SELECT 1 FROM ${rows} AS "other" WHERE "other"."document_id" = ${ROW}."document_id" AND "other"."locale" = ${ROW}."locale" AND NOT (${where('"other"')}))`;
  const touches = (end: End, other: string) =>
    `EXISTS (SELECT 1 FROM ${rows} AS ${ROW} WHERE ${isEnd(ROW, type, '"link"', end)} AND ${where(ROW)}${keepsLinksWith(other) ? ` AND NOT ${remains}` : ''})`;
  return allLinks(layout).flatMap(({ owner, uid: source, name, place }) => {
    const table = identifier(place.table);
    const own = source === uid ? [`DELETE FROM ${table} AS "link" WHERE ${touches('source', place.target)}`] : [];
    if (place.target !== uid) return own;
    const target = `"link"."target_document_id" || '/' || "link"."target_locale"`;
    const touched = touches('target', source);
    const rest = `"link"."source_document_id", "link"."source_locale", "link"."status", ${target}, NULL, ${LINK} FROM ${table} AS "link" WHERE ${touched}`;
    const form = formName(formOf(place, layout));
    return [
      insert('link', owner.table, name, form, subjectOf(source, name), rest),
      `DELETE FROM ${table} AS "link" WHERE ${touched}`,
      ...own,
    ];
  });
}

/**
 * Moves rows of a type with all that they hold and the links to them. An entry notes whether nothing remains of its
 * document, since one whose other versions are deleted meanwhile must not come back.
 */
export function moveRows(layout: Layout, uid: string, rows: Rows): readonly string[] {
  const { where } = rows;
  const type = layout.types[uid];
  if (!type) return [];
  const table = identifier(type.table);
  const remains = `SELECT 1 FROM ${table} AS "other" WHERE "other"."document_id" = ${ROW}."document_id" AND NOT (${where('"other"')})`;
  const value = `json_object('id', "id", 'published_at', "published_at", 'created_at', "created_at", 'alone', NOT EXISTS (${remains}))`;
  const rest = `"document_id", "locale", ${statusOf(ROW)}, '', "updated_at", ${value} FROM ${table} AS ${ROW} WHERE ${where(ROW)}`;
  return [
    insert('row', type.table, '', '', nameOfType(uid), rest),
    ...Object.keys(type.attributes).flatMap((name) => copyAttribute(layout, uid, name, where)),
    ...moveLinks(layout, uid, type, rows),
    `DELETE FROM ${table} AS ${ROW} WHERE ${where(ROW)}`,
  ];
}

/** A version that has lost its value since it was kept in another form stays without one. */
export function clearNulls(layout: Layout, uid: string, name: string): readonly string[] {
  const type = layout.types[uid];
  const place = type?.attributes[name];
  if (!type || !place || place.kind === 'links') return [];
  const own = `"own"."table" = ${KEPT}."table" AND "own"."kind" = 'value' AND "own"."attribute" = ${KEPT}."attribute" AND "own"."form" = ${literal(formName(formOf(place, layout)))}`;
  const same = `"own"."document_id" = ${KEPT}."document_id" AND "own"."locale" = ${KEPT}."locale" AND "own"."status" = ${KEPT}."status"`;
  const cleared = `SELECT 1 FROM ${KEPT} AS "own" WHERE ${own} AND ${same} AND "own"."value" IS NULL AND "own"."updated_at" > ${KEPT}."updated_at"`;
  return [
    `UPDATE ${KEPT} SET "value" = NULL WHERE "table" = ${literal(type.table)} AND "kind" = 'value' AND "attribute" = ${literal(name)} AND EXISTS (${cleared})`,
  ];
}
