/**
 * @module Versions of documents in the tables of a local database and in what it keeps, and how one finds the other after
 * drafts or locales were turned on or off.
 */
import type { Layout, TypeLayout } from '../migrations/layout.ts';
import { statusOf } from '../migrations/migration-work.ts';
import { identifier, literal } from '../migrations/sql-text.ts';

/** SQL: is `there`, the locale of a row, the one that was `kept`? What has no locales is in the default one. */
export const isLocale = (there: string, kept: string, defaultLocale: string): string => {
  const own = literal(defaultLocale);
  return `(${there} = ${kept} OR (${there} = '' AND ${kept} = ${own}) OR (${there} = ${own} AND ${kept} = ''))`;
};

/** SQL: is `row` of the status? Types without drafts have one row for both. */
export const isStatus = (row: string, { draftAndPublish }: TypeLayout, status: string): string =>
  draftAndPublish ? `${statusOf(row)} = ${status}` : '1';

/** One end of a link table. */
export type End = 'source' | 'target';

/** SQL: is `row`, of a type, the version that a link has at one end? */
export const isEnd = (row: string, type: TypeLayout, link: string, end: End): string =>
  `${row}."document_id" = ${link}."${end}_document_id" AND ${row}."locale" = ${link}."${end}_locale" AND ${isStatus(row, type, `${link}."status"`)}`;

export interface OwnedLinks {
  readonly owner: TypeLayout;
  readonly uid: string;
  readonly name: string;
  readonly place: Extract<TypeLayout['attributes'][string], { kind: 'links' }>;
}

/** All relations and files of a layout. */
export const allLinks = ({ types }: Layout): readonly OwnedLinks[] =>
  Object.entries(types).flatMap(([uid, owner]) =>
    Object.entries(owner.attributes).flatMap(([name, place]) =>
      place.kind === 'links' ? [{ owner, uid, name, place }] : [],
    ),
  );

/** SQL for the first document of a table, which remains where a type becomes a single type. */
export const firstDocument = (table: string, defaultLocale: string): string =>
  `(SELECT "document_id" FROM ${identifier(table)} ORDER BY "published_at" IS NULL, "locale" <> ${literal(defaultLocale)}, "id" LIMIT 1)`;
