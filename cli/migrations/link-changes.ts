/**
 * @module Migrates the links of a relation that gets another target or has room for fewer of them, or whose table moves to its
 * other side.
 */
import { linkTable } from '../../src/schema/names.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { statementsBetween } from './drizzle-kit.ts';
import { type Layout, type Links, type LinksPlace, linksOf, withType } from './layout.ts';
import { countOf, formerTable, lose, openPlace, type Work } from './migration-work.ts';
import { EMPTY_SNAPSHOT, linkTableSnapshot } from './snapshot.ts';

/**
 * Links of a relation stay if it still has room for all of them, and points to the same type.
 * @param subject what the attribute is called in messages.
 */
export function changeLinks(work: Work, subject: string, from: LinksPlace, to: LinksPlace): void {
  const { table } = from;
  const counts = [countOf(work, table)];
  const isShared = from.exclusive === false && to.exclusive === true;
  if (from.target !== to.target) lose(work, subject, `pointed to ${from.target}, now to ${to.target}`, ...counts);
  else if (isShared || (from.multiple && !to.multiple)) {
    const reason = `can ${isShared ? 'be held by' : 'hold'} one document only: no link is kept`;
    work.losses.push({ subject, reason, counts, byHand: true });
    if (work.isByHand) work.last.push(openPlace(subject, `DELETE the surplus rows of ${identifier(table)}`));
  } else return;
  if (from.target !== to.target || !work.isByHand) work.statements.push(`DELETE FROM ${identifier(table)}`);
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
