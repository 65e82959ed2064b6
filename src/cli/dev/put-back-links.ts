/**
 * @module Statements that put kept links back between versions of documents that are there, as far as the relation has
 * room for them.
 */
import type { Place, TypeLayout } from '../migrations/layout.ts';
import { statusOf } from '../migrations/migration-work.ts';
import { identifier } from '../migrations/sql-text.ts';
import { KEPT, KEPT_COLUMNS } from './kept-table.ts';
import { dropServed, isOf, ofEntry, type Slot } from './slots.ts';
import { isEnd, isLocale, isStatus } from './versions.ts';

type Links = Extract<Place, { kind: 'links' }>;

const COLUMNS =
  '"source_document_id", "source_locale", "target_document_id", "target_locale", "status", "position", "inverse_position"';
const ROW = '"row"';
const FAR = '"far"';

/** A kept link, as `set-aside.ts` writes it. */
const PART = { status: 0, document: 1, locale: 2, position: 3, inverse: 4 } as const;
const part = (link: string, name: keyof typeof PART): string => `(${link} ->> ${PART[name]})`;

/** What a link needs that goes back from `ROW` to `FAR`. @param status SQL for the version that it gets. */
function isPossible({ type, layout, defaultLocale }: Slot, place: Links, link: string, status: string): string {
  const far = layout.types[place.target] as TypeLayout;
  const table = identifier(place.table);
  const own = `"own"."source_document_id" = ${ROW}."document_id" AND "own"."source_locale" = ${ROW}."locale" AND "own"."status" = ${status}`;
  const isTaken = `"own"."position" = ${part(link, 'position')}`;
  const holder = `"own"."target_document_id" = ${FAR}."document_id" AND "own"."target_locale" = ${FAR}."locale" AND "own"."status" = ${status} AND "own"."source_document_id" <> ${ROW}."document_id"`;
  return [
    `${FAR}."document_id" = ${part(link, 'document')}`,
    isLocale(`${FAR}."locale"`, part(link, 'locale'), defaultLocale),
    isStatus(FAR, far, status),
    ...(type.localized && far.localized ? [`${FAR}."locale" = ${ROW}."locale"`] : []),
    ...(type.draftAndPublish || far.draftAndPublish ? [] : [`${status} = 'published'`]),
    `NOT EXISTS (SELECT 1 FROM ${table} AS "own" WHERE ${own} AND ${place.multiple ? isTaken : `"own"."target_document_id" <> ${FAR}."document_id"`})`,
    ...(place.exclusive ? [`NOT EXISTS (SELECT 1 FROM ${table} AS "own" WHERE ${holder})`] : []),
  ].join(' AND ');
}

const insert = (place: Links, status: string, link: string, from: string): string =>
  `INSERT OR IGNORE INTO ${identifier(place.table)} (${COLUMNS}) SELECT ${ROW}."document_id", ${ROW}."locale", ${FAR}."document_id", ${FAR}."locale", ${status}, ${part(link, 'position')}, ${part(link, 'inverse')} FROM ${from}`;

/** Links of a relation of which a version holds others than kept ones stay kept: they were exchanged meanwhile. */
export function putBackLinks(slot: Slot, place: Links): readonly string[] {
  const { type, layout, group } = slot;
  const far = layout.types[place.target];
  if (!far) return [];
  const link = '"link"."value"';
  const status = type.draftAndPublish ? statusOf(ROW) : part(link, 'status');
  const entry = ofEntry(slot, 'value');
  const others = `SELECT 1 FROM ${identifier(place.table)} AS "own" WHERE ${isEnd(ROW, type, '"own"', 'source')} AND "own"."target_document_id" NOT IN (SELECT "link"."value" ->> 1 FROM json_each(${entry}) AS "link")`;
  const from = `${identifier(type.table)} AS ${ROW}, json_each(${entry}) AS "link", ${identifier(far.table)} AS ${FAR} WHERE ${isPossible(slot, place, link, status)} AND NOT EXISTS (${others})`;
  if (!slot.isSame) return [insert(place, status, link, from)];
  const isMissing = `NOT EXISTS (SELECT 1 FROM ${identifier(far.table)} AS ${FAR} WHERE ${FAR}."document_id" = ${part(link, 'document')})`;
  const columns = `'link', "kept"."table", "kept"."attribute", "kept"."form", "kept"."subject", "kept"."document_id", "kept"."locale", ${part(link, 'status')}, ${part(link, 'document')} || '/' || ${part(link, 'locale')}, NULL, ${link}`;
  return [
    insert(place, status, link, from),
    // What its target has to come back for first.
    `INSERT OR IGNORE INTO ${KEPT} ${KEPT_COLUMNS} SELECT ${columns} FROM ${KEPT} AS "kept", json_each("kept"."value") AS "link" WHERE ${isOf('"kept"', group)} AND ${isMissing}`,
    dropServed(slot),
  ];
}

/** Links to versions that had gone alone. */
export function putBackSingleLinks(slot: Slot, place: Links): readonly string[] {
  const { type, layout, group, defaultLocale } = slot;
  const far = layout.types[place.target];
  if (!far) return [];
  const link = '"kept"."value"';
  const status = '"kept"."status"';
  const ends = [
    `${ROW}."document_id" = "kept"."document_id" AND ${isLocale(`${ROW}."locale"`, '"kept"."locale"', defaultLocale)} AND ${isStatus(ROW, type, status)}`,
    `${FAR}."document_id" = ${part(link, 'document')} AND ${isLocale(`${FAR}."locale"`, part(link, 'locale'), defaultLocale)} AND ${isStatus(FAR, far, status)}`,
  ].join(' AND ');
  const tables = `${identifier(type.table)} AS ${ROW}, ${identifier(far.table)} AS ${FAR}`;
  const from = `${KEPT} AS "kept", ${tables} WHERE ${isOf('"kept"', group)} AND ${ends} AND ${isPossible(slot, place, link, status)}`;
  return [
    insert(place, status, link, from),
    `DELETE FROM ${KEPT} AS "kept" WHERE ${isOf('"kept"', group)} AND EXISTS (SELECT 1 FROM ${tables} WHERE ${ends})`,
  ];
}
