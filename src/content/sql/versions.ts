/**
 * @module Versions of documents as conditions. The indexes of documents are partial, one for published rows and one for
 * drafts, so every condition is spelled for one of them.
 */
import { type AnyColumn, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { memoized } from '../../common/cache.ts';
import { type DocumentRef, single } from '../../schema/document-ref.ts';
import type { ContentType } from '../../schema/model.ts';
import type { LinkTable } from '../plan/model/links.ts';
import type { Versions } from '../plan/model/read-plan.ts';
import type { LinkedRow, RowRef } from '../plan/model/write-plan.ts';
import type { Status } from '../request/query-params.ts';
import { balanced, columnOf, commaList, literal, valuesOf } from './pieces.ts';
import { rendered } from './render.ts';

const ROWS_OF = {
  draft: memoized((table: string) => rendered(sql`${columnOf(table, 'published_at')} is null`)),
  published: memoized((table: string) => rendered(sql`${columnOf(table, 'published_at')} is not null`)),
};

export const isVersion = (table: string, status: Status): SQL => ROWS_OF[status](table);

export const statusColumn = memoized((table: string) =>
  rendered(sql`iif(${columnOf(table, 'published_at')} is null, 'draft', 'published')`),
);

const LINKS_OF = {
  draft: memoized((link: string) => rendered(sql`${columnOf(link, 'status')} = 'draft'`)),
  published: memoized((link: string) => rendered(sql`${columnOf(link, 'status')} = 'published'`)),
};

/** The version is a literal, since a deep populate has no parameters to spare. */
export const isLinkVersion = (link: string, version: Status): SQL => LINKS_OF[version](link);

/** Without statistics SQLite would prefer an index by locale to one by the searched value. */
export const isLocale = (table: string, locale: string): SQL =>
  sql`likelihood(${columnOf(table, 'locale')} = ${locale}, 0.9)`;

/** Rows of either status; types without drafts have only published ones. */
export function ofAnyVersion(term: SQL, { draftAndPublish }: ContentType, table: string): SQL {
  const published = sql`(${term} and ${isVersion(table, 'published')})`;
  return draftAndPublish ? sql`((${term} and ${isVersion(table, 'draft')}) or ${published})` : published;
}

/** Is a row one of the document? A single type has no other rows. */
export function ofDocument(document: DocumentRef, type: ContentType, column: SQL): SQL | undefined {
  if (document.kind === 'named') return sql`${column} = ${document.documentId}`;
  single(type);
  return undefined;
}

/** The rows of one document. */
export function isDocument({ type, document }: Pick<RowRef, 'type' | 'document'>, table: string = type.table): SQL {
  const isOf = ofDocument(document, type, columnOf(table, 'document_id'));
  return isOf ? ofAnyVersion(isOf, type, table) : sql`1`;
}

/** The only row of a document whose type has neither locales nor drafts. */
export const isOnlyRow = (
  documentId: string | Placeholder,
  table: { readonly documentId: AnyColumn; readonly locale: AnyColumn; readonly publishedAt: AnyColumn },
): SQL => sql`(${table.documentId} = ${documentId} and ${table.locale} = '' and ${table.publishedAt} is not null)`;

/** One version of a document; without a locale, in every locale. */
export function rowCondition({ type, document, locale, status }: LinkedRow, table: string = type.table): SQL {
  const isOf = isVersion(table, status);
  const inLocale = locale === undefined ? isOf : sql`${columnOf(table, 'locale')} = ${locale} and ${isOf}`;
  const isOfDocument = ofDocument(document, type, columnOf(table, 'document_id'));
  return isOfDocument ? sql`${isOfDocument} and ${inLocale}` : inLocale;
}

/** One side of a link table: its type and its columns. `position` orders the links of a row on this side. */
export interface LinkSide {
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string;
  readonly position: string;
  /** What the links of this side have in the column `target_type`; absent on a table without it. */
  readonly targetType?: string | undefined;
  /** Is the row the one of a link? */
  isRow(link: string, row: string): SQL;
}

function sideOf(documentId: string, locale: string, position: string): Omit<LinkSide, 'type'> {
  const isRow = memoized((link: string) =>
    memoized((row: string) =>
      rendered(
        sql`${columnOf(row, 'document_id')} = ${columnOf(link, documentId)} and ${columnOf(row, 'locale')} = ${columnOf(link, locale)}`,
      ),
    ),
  );
  return { documentId, locale, position, isRow: (link, row) => isRow(link)(row) };
}

const SOURCE_SIDE = sideOf('source_document_id', 'source_locale', 'position');
const TARGET_SIDE = sideOf('target_document_id', 'target_locale', 'inverse_position');

/** The sides of a link table, of a polymorphic one those of its links to the target's type. */
export function sidesOf({ table, owner }: { readonly table: LinkTable; readonly owner: boolean }) {
  const source: LinkSide = { ...SOURCE_SIDE, type: table.source };
  const target: LinkSide = { ...TARGET_SIDE, type: table.target, targetType: table.targetType };
  return owner ? { own: source, other: target } : { own: target, other: source };
}

/** Is the link one of this side? Empty if all are. */
export const ofSide = (link: string, { targetType }: LinkSide): readonly SQL[] =>
  targetType === undefined ? [] : [sql`${columnOf(link, 'target_type')} = ${literal(targetType)}`];

/** Is a row on this side of a link? */
export const isLinked = (link: string, side: LinkSide, row: string): SQL => {
  const isRow = side.isRow(link, row);
  const terms = ofSide(link, side);
  return terms.length > 0 ? balanced([isRow, ...terms], 'and') : isRow;
};

/** Locales that are bound one by one: rows of a list in one parameter count as read. */
const FEW = 3;

/** Returns `(a, b)`. */
export const listOf = (locales: readonly string[]): SQL => sql`(${commaList(locales.map((locale) => sql`${locale}`))})`;

/** The rows of a status and of some locales, in the terms of the partial indexes. */
export function compileVersions({ status, locales }: Versions, table: string): SQL[] {
  const terms = [isVersion(table, status)];
  if (!locales) return terms;
  const [only, ...more] = locales;
  const isOnly = only !== undefined && more.length === 0;
  if (isOnly) return [...terms, isLocale(table, only)];
  const list = locales.length <= FEW ? listOf(locales) : valuesOf(locales);
  return [...terms, sql`${columnOf(table, 'locale')} in ${list}`];
}
