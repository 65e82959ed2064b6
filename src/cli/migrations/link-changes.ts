/**
 * @module Migrates the links of a relation that gets another target, that becomes one-to-one or to-one, or whose table moves
 * to its other side.
 */
import { linkTable } from '../../registry/names.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { type Layout, type Place, withType } from './layout.ts';
import { countOf, formerTable, lose, type Work } from './migration-work.ts';
import { EMPTY_SNAPSHOT, linkTableSnapshot, statementsBetween } from './snapshot.ts';

type Links = Extract<Place, { kind: 'links' }>;
type End = 'source' | 'target';

const FAR: Readonly<Record<End, End>> = { source: 'target', target: 'source' };
const PLACE: Readonly<Record<End, string>> = { source: '"position"', target: '"inverse_position"' };
const REASON: Readonly<Record<End, string>> = {
  source: 'can hold one document only: only the first is kept',
  target: 'can be held by one document only: only the first is kept',
};

/** A condition on a row `link` of `links`: its end has a link to another document, which comes first. */
function isBeyondFirst(links: string, end: End): string {
  const far = `"${FAR[end]}_document_id"`;
  const same = [`"${end}_document_id"`, `"${end}_locale"`, '"status"'].map(
    (name) => `"first".${name} = "link".${name}`,
  );
  return `"link".${far} <> (SELECT "first".${far} FROM ${links} AS "first" WHERE ${same.join(' AND ')} ORDER BY "first".${PLACE[end]}, "first"."rowid" LIMIT 1)`;
}

/** The ends that may have only one document from now on. */
function narrowedEnds(from: Links, to: Links): readonly End[] {
  const source = from.multiple && !to.multiple;
  const target = from.exclusive === false && to.exclusive === true;
  return [...(source ? (['source'] as const) : []), ...(target ? (['target'] as const) : [])];
}

function narrow(work: Work, subject: string, table: string, ends: readonly End[]): void {
  let present = identifier(formerTable(work, table));
  for (const end of ends) {
    const goes = isBeyondFirst(present, work.turned.has(table) ? FAR[end] : end);
    lose(work, subject, REASON[end], `SELECT count(*) AS "rows" FROM ${present} AS "link" WHERE ${goes}`);
    present = `(SELECT "rowid", * FROM ${present} AS "link" WHERE NOT (${goes}))`;
    work.statements.push(`DELETE FROM ${identifier(table)} AS "link" WHERE ${isBeyondFirst(identifier(table), end)}`);
  }
}

/** @param subject what the attribute is called in messages. */
export function changeLinks(work: Work, subject: string, from: Links, to: Links): void {
  if (from.target === to.target) narrow(work, subject, from.table, narrowedEnds(from, to));
  else {
    lose(work, subject, `pointed to ${from.target}, now to ${to.target}`, countOf(work, from.table));
    work.statements.push(`DELETE FROM ${identifier(from.table)}`);
  }
}

interface Turned {
  /** The type and the attribute that had the table. */
  readonly uid: string;
  readonly name: string;
  readonly place: Links;
  /** The attribute of the target that gets it. */
  readonly owner: string;
}

/** Finds the attribute of the target that gets the table of a relation, if it had no table before. */
function newOwner({ types }: Layout, next: Layout, uid: string, name: string, target: string): string | undefined {
  if (next.types[uid]?.attributes[name]) return undefined;
  const owner = Object.entries(next.types[target]?.attributes ?? {}).find(
    ([, place]) => place.kind === 'links' && place.target === uid && place.inverse === name,
  );
  return owner && !types[target]?.attributes[owner[0]] ? owner[0] : undefined;
}

const turnedOf = (layout: Layout, next: Layout): readonly Turned[] =>
  Object.entries(layout.types).flatMap(([uid, { attributes }]) =>
    Object.entries(attributes).flatMap(([name, place]) => {
      const owner = place.kind === 'links' ? newOwner(layout, next, uid, name, place.target) : undefined;
      return owner !== undefined && place.kind === 'links' ? [{ uid, name, place, owner }] : [];
    }),
  );

const COLUMNS =
  '"source_document_id", "source_locale", "target_document_id", "target_locale", "status", "position", "inverse_position"';
const EXCHANGED =
  '"target_document_id", "target_locale", "source_document_id", "source_locale", "status", "inverse_position", "position"';

async function turn(work: Work, { uid, name, place, owner }: Turned): Promise<void> {
  const [source, target] = [work.layout.types[uid], work.layout.types[place.target]];
  if (!source || !target) return;
  const table = linkTable(target.table, owner);
  const made = linkTableSnapshot(table);
  work.statements.push(
    ...(await statementsBetween(EMPTY_SNAPSHOT, made)),
    `INSERT INTO ${identifier(table)} (${COLUMNS}) SELECT ${EXCHANGED} FROM ${identifier(place.table)} ORDER BY "rowid"`,
  );
  Object.assign(work.tables, made.tables);
  work.formerNames.set(table, formerTable(work, place.table));
  work.turned.add(table);
  const { multiple, exclusive } = place;
  const turned: Place = { kind: 'links', table, target: uid, multiple: exclusive !== true, exclusive: !multiple };
  const { [name]: _, ...others } = source.attributes;
  const left = withType(work.layout, uid, { ...source, attributes: others });
  const now = left.types[place.target] ?? target;
  work.layout = withType(left, place.target, { ...now, attributes: { ...now.attributes, [owner]: turned } });
}

/** Moves links to the tables of their new owners, also in `work.layout`. Their former tables are dropped with all others. */
export async function turnLinks(work: Work, next: Layout): Promise<void> {
  for (const turned of turnedOf(work.layout, next)) await turn(work, turned);
}
