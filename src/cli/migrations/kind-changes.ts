/**
 * @module What a migration does about a collection type that becomes a single type: one document stays. To requests all
 * rows of a single type are its only document.
 */

import { columnIn, identifier, literal } from '../core/sql/sql-text.ts';
import { type Layout, linksOf } from './layout.ts';
import { countOf, formerTable, type Work } from './migration-work.ts';
import { nameOfType } from './type-changes.ts';

/** Rows of all documents but the first: of the published ones, else of the drafts; in the default locale, else in any. */
const isBeyondFirst = (table: string, locale: string): string =>
  `${columnIn(table, 'document_id')} <> (SELECT "document_id" FROM ${identifier(table)} ORDER BY "published_at" IS NULL, "locale" <> ${literal(locale)}, "id" LIMIT 1)`;

function keepFirst(work: Work, next: Layout, uid: string, table: string, locale: string): void {
  work.losses.push({
    subject: nameOfType(uid),
    reason: 'collection type becomes single type: all documents but the first go',
    counts: [countOf(work, table, isBeyondFirst(formerTable(work, table), locale))],
  });
  work.statements.push(`DELETE FROM ${identifier(table)} WHERE ${isBeyondFirst(table, locale)}`);
  work.recounts.add(uid);
  for (const links of linksOf(next))
    for (const end of ['source', 'target'] as const)
      if (links[end] === uid)
        work.statements.push(
          `DELETE FROM ${identifier(links.table)} WHERE "${end}_document_id" NOT IN (SELECT "document_id" FROM ${identifier(table)})`,
        );
}

/** The tables have their new form already. */
export function changeKinds(work: Work, next: Layout, locale: string): void {
  for (const [uid, { kind, table }] of Object.entries(next.types))
    if (kind === 'singleType' && work.layout.types[uid]?.kind === 'collectionType')
      keepFirst(work, next, uid, table, locale);
}
