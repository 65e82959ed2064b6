/**
 * @module Migrates the links of a relation that gets another target, that becomes one-to-one or to-one, or whose table moves
 * to its other side.
 */
import { linkTable } from '../../src/registry/names.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { type Layout, type Links, type LinksPlace, linksOf, withType } from './layout.ts';
import { countOf, formerTable, lose, type Work } from './migration-work.ts';
import { EMPTY_SNAPSHOT, linkTableSnapshot, statementsBetween } from './snapshot.ts';

const ENDS = {
  source: { far: 'target', position: '"position"', can: 'can hold one document only' },
  target: { far: 'source', position: '"inverse_position"', can: 'can be held by one document only' },
} as const;

/** A condition on a row `link` of `links`: its end has a link to another document, which comes first. */
function isBeyondFirst(links: string, end: keyof typeof ENDS): string {
  const far = `"${ENDS[end].far}_document_id"`;
  const names = [`"${end}_document_id"`, `"${end}_locale"`, '"status"'];
  const same = names.map((name) => `"first".${name} = "link".${name}`);
  return `"link".${far} <> (SELECT "first".${far} FROM ${links} AS "first" WHERE ${same.join(' AND ')} ORDER BY "first".${ENDS[end].position}, "first"."rowid" LIMIT 1)`;
}

/** Leaves one document at the ends that may have only one from now on. */
function narrow(work: Work, subject: string, from: LinksPlace, to: LinksPlace): void {
  const { table } = from;
  let present = identifier(formerTable(work, table));
  const isNarrowed = {
    source: from.multiple && !to.multiple,
    target: from.exclusive === false && to.exclusive === true,
  };
  for (const end of ['source', 'target'] as const) {
    if (!isNarrowed[end]) continue;
    const goes = isBeyondFirst(present, work.turned.has(table) ? ENDS[end].far : end);
    const count = `SELECT count(*) AS "rows" FROM ${present} AS "link" WHERE ${goes}`;
    lose(work, subject, `${ENDS[end].can}: only the first is kept`, count);
    present = `(SELECT "rowid", * FROM ${present} AS "link" WHERE NOT (${goes}))`;
    work.statements.push(`DELETE FROM ${identifier(table)} AS "link" WHERE ${isBeyondFirst(identifier(table), end)}`);
  }
}

/** @param subject what the attribute is called in messages. */
export function changeLinks(work: Work, subject: string, from: LinksPlace, to: LinksPlace): void {
  if (from.target === to.target) narrow(work, subject, from, to);
  else {
    lose(work, subject, `pointed to ${from.target}, now to ${to.target}`, countOf(work, from.table));
    work.statements.push(`DELETE FROM ${identifier(from.table)}`);
  }
}

/** Finds the attribute of the target that gets the table of a relation, if it had no table before. */
function newOwner({ types }: Layout, next: Layout, { source, name, target }: Links): string | undefined {
  if (next.types[source]?.attributes[name]) return undefined;
  const owner = linksOf(next).find(
    (links) => links.source === target && links.target === source && links.inverse === name,
  );
  return owner && !types[target]?.attributes[owner.name] ? owner.name : undefined;
}

const COLUMNS =
  '"source_document_id", "source_locale", "target_document_id", "target_locale", "status", "position", "inverse_position"';
const EXCHANGED =
  '"target_document_id", "target_locale", "source_document_id", "source_locale", "status", "inverse_position", "position"';

async function turn(work: Work, links: Links, owner: string): Promise<void> {
  const [source, target] = [work.layout.types[links.source], work.layout.types[links.target]];
  if (!source || !target) return;
  const table = linkTable(target.table, owner);
  const made = linkTableSnapshot(table);
  work.statements.push(
    ...(await statementsBetween(EMPTY_SNAPSHOT, made)),
    `INSERT INTO ${identifier(table)} (${COLUMNS}) SELECT ${EXCHANGED} FROM ${identifier(links.table)} ORDER BY "rowid"`,
  );
  Object.assign(work.tables, made.tables);
  work.formerNames.set(table, formerTable(work, links.table));
  work.turned.add(table);
  const ends = { multiple: links.exclusive !== true, exclusive: !links.multiple };
  const turned: LinksPlace = { kind: 'links', table, target: links.source, ...ends };
  const { [links.name]: _, ...others } = source.attributes;
  const left = withType(work.layout, links.source, { ...source, attributes: others });
  const now = left.types[links.target] ?? target;
  work.layout = withType(left, links.target, { ...now, attributes: { ...now.attributes, [owner]: turned } });
}

/** Moves links to the tables of their new owners, also in `work.layout`. Their former tables are dropped with all others. */
export async function turnLinks(work: Work): Promise<void> {
  const { layout } = work;
  for (const links of linksOf(layout)) {
    const owner = newOwner(layout, work.next, links);
    if (owner !== undefined) await turn(work, links, owner);
  }
}
