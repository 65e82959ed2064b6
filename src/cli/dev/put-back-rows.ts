/**
 * @module Statements that put kept versions of documents back into the table of a type that can hold them again.
 */
import type { TypeLayout } from '../migrations/layout.ts';
import { statusOf } from '../migrations/migration-work.ts';
import { identifier, literal } from '../migrations/sql-text.ts';
import { KEPT } from './kept-table.ts';
import type { Target } from './slots.ts';
import { allLinks, isEnd, isLocale } from './versions.ts';

const ROW = '"row"';

const keptRow = (table: string): string => `"kept"."table" = ${literal(table)} AND "kept"."kind" = 'row'`;

/** SQL: can the type hold the version of an entry? */
function fits({ table, draftAndPublish, localized, kind }: TypeLayout, defaultLocale: string): string {
  const first = `coalesce((SELECT "document_id" FROM ${identifier(table)} LIMIT 1), (SELECT "kept"."document_id" FROM ${KEPT} AS "kept" WHERE ${keptRow(table)} ORDER BY "kept"."status" DESC, "kept"."value" ->> '$.id' LIMIT 1))`;
  return [
    keptRow(table),
    ...(draftAndPublish ? [] : [`"kept"."status" = 'published'`]),
    ...(localized ? [] : [`"kept"."locale" IN ('', ${literal(defaultLocale)})`]),
    ...(kind === 'singleType' ? [`"kept"."document_id" = ${first}`] : []),
  ].join(' AND ');
}

/**
 * Where drafts were turned on, each document has got a draft: the kept one is the right one. Its links are copies, too, unless they
 * were between drafts already.
 */
function dropNewDrafts(uid: string, type: TypeLayout, { layout, defaultLocale }: Target): readonly string[] {
  const same = `"kept"."document_id" = ${ROW}."document_id" AND "kept"."status" = 'draft' AND ${isLocale(`${ROW}."locale"`, '"kept"."locale"', defaultLocale)}`;
  const isKept = `${ROW}."published_at" IS NULL AND EXISTS (SELECT 1 FROM ${KEPT} AS "kept" WHERE ${keptRow(type.table)} AND ${same})`;
  const rows = `SELECT 1 FROM ${identifier(type.table)} AS ${ROW} WHERE ${isKept}`;
  const hasDrafts = (other: string) => other !== uid && layout.types[other]?.draftAndPublish === true;
  const links = allLinks(layout).flatMap(({ uid: source, place }) =>
    (['source', 'target'] as const)
      .filter((end) => (end === 'source' ? source : place.target) === uid)
      .filter((end) => !hasDrafts(end === 'source' ? place.target : source))
      .map(
        (end) =>
          `DELETE FROM ${identifier(place.table)} AS "link" WHERE EXISTS (${rows} AND ${isEnd(ROW, type, '"link"', end)})`,
      ),
  );
  return [...links, `DELETE FROM ${identifier(type.table)} AS ${ROW} WHERE ${isKept}`];
}

/** @param isAlone versions of documents of which nothing remained; the others follow what is there. */
function insertRows(type: TypeLayout, defaultLocale: string, isAlone: boolean): string {
  const table = identifier(type.table);
  const isTaken = `SELECT 1 FROM ${table} AS ${ROW} WHERE ${ROW}."id" = "kept"."value" ->> '$.id'`;
  const remains = `"kept"."document_id" IN (SELECT "document_id" FROM ${table})`;
  const locale = type.localized ? `iif("kept"."locale" = '', ${literal(defaultLocale)}, "kept"."locale")` : `''`;
  return `INSERT OR IGNORE INTO ${table} ("id", "document_id", "locale", "published_at", "created_at", "updated_at") SELECT iif(EXISTS (${isTaken}), NULL, "kept"."value" ->> '$.id'), "kept"."document_id", ${locale}, "kept"."value" ->> '$.published_at', "kept"."value" ->> '$.created_at', "kept"."updated_at" FROM ${KEPT} AS "kept" WHERE ${fits(type, defaultLocale)} AND ${isAlone ? `"kept"."value" ->> '$.alone'` : remains} ORDER BY "kept"."value" ->> '$.id'`;
}

/** Every published version has a draft beside it. */
function insertDrafts({ table }: TypeLayout): string {
  const columns = '"document_id", "locale", "created_at", "updated_at"';
  const name = identifier(table);
  const draft = `SELECT 1 FROM ${name} AS "draft" WHERE "draft"."document_id" = ${ROW}."document_id" AND "draft"."locale" = ${ROW}."locale" AND "draft"."published_at" IS NULL`;
  return `INSERT INTO ${name} (${columns}) SELECT ${columns} FROM ${name} AS ${ROW} WHERE ${ROW}."published_at" IS NOT NULL AND NOT EXISTS (${draft})`;
}

export function putBackRows(uid: string, target: Target): readonly string[] {
  const { before, layout, defaultLocale } = target;
  const type = layout.types[uid];
  if (!type) return [];
  const was = Object.values(before.types).find(({ table }) => table === type.table);
  const row = `SELECT 1 FROM ${identifier(type.table)} AS ${ROW} WHERE ${ROW}."document_id" = "kept"."document_id" AND ${isLocale(`${ROW}."locale"`, '"kept"."locale"', defaultLocale)} AND ${statusOf(ROW)} = "kept"."status"`;
  return [
    ...(type.draftAndPublish && was?.draftAndPublish === false ? dropNewDrafts(uid, type, target) : []),
    insertRows(type, defaultLocale, true),
    insertRows(type, defaultLocale, false),
    ...(type.draftAndPublish ? [insertDrafts(type)] : []),
    `DELETE FROM ${KEPT} AS "kept" WHERE ${keptRow(type.table)} AND EXISTS (${row})`,
  ];
}
