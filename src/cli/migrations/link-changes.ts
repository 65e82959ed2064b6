/**
 * @module What a migration does about the links of a relation that points elsewhere, or of which an end may have one
 * document alone from now on.
 */

import { identifier } from '../core/sql/sql-text.ts';
import type { Place } from './layout.ts';
import { countOf, formerTable, type Work } from './migration-work.ts';

type Links = Extract<Place, { kind: 'links' }>;
type End = 'source' | 'target';

interface Subject {
  readonly work: Work;
  lose(reason: string, counts: readonly string[]): void;
}

const FAR: Readonly<Record<End, End>> = { source: 'target', target: 'source' };
const PLACE: Readonly<Record<End, string>> = { source: '"position"', target: '"inverse_position"' };
const REASON: Readonly<Record<End, string>> = {
  source: 'can hold one document only: all but the first of several go',
  target: 'can be held by one document only: all but the first of several go',
};

/** Of a row `link` of `links`: does its end have a link to another document, which comes first? */
function isBeyondFirst(links: string, end: End): string {
  const far = `"${FAR[end]}_document_id"`;
  const same = [`"${end}_document_id"`, `"${end}_locale"`, '"status"'].map(
    (name) => `"first".${name} = "link".${name}`,
  );
  return `"link".${far} <> (SELECT "first".${far} FROM ${links} AS "first" WHERE ${same.join(' AND ')} ORDER BY "first".${PLACE[end]}, "first"."rowid" LIMIT 1)`;
}

/** The ends that may have one document alone from now on. */
function narrowedEnds(from: Links, to: Links): readonly End[] {
  const source = from.multiple && !to.multiple;
  const target = from.exclusive === false && to.exclusive === true;
  return [...(source ? (['source'] as const) : []), ...(target ? (['target'] as const) : [])];
}

function narrow({ work, lose }: Subject, table: string, ends: readonly End[]): void {
  let present = identifier(formerTable(work, table));
  for (const end of ends) {
    const goes = isBeyondFirst(present, work.turned.has(table) ? FAR[end] : end);
    lose(REASON[end], [`SELECT count(*) AS "rows" FROM ${present} AS "link" WHERE ${goes}`]);
    present = `(SELECT "rowid", * FROM ${present} AS "link" WHERE NOT (${goes}))`;
    work.statements.push(`DELETE FROM ${identifier(table)} AS "link" WHERE ${isBeyondFirst(identifier(table), end)}`);
  }
}

export function changeLinks(subject: Subject, from: Links, to: Links): void {
  const { work, lose } = subject;
  if (from.target === to.target) narrow(subject, from.table, narrowedEnds(from, to));
  else {
    lose(`pointed to ${from.target}, now to ${to.target}`, [countOf(work, from.table)]);
    work.statements.push(`DELETE FROM ${identifier(from.table)}`);
  }
}
