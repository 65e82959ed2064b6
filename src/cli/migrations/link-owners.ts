/**
 * @module Relations whose table goes to their other side: the links stay, with their ends exchanged.
 */
import { linkTable } from '../../registry/names.ts';
import { identifier } from '../core/sql/sql-text.ts';
import type { Layout, Place, TypeLayout } from './layout.ts';
import { formerTable, type Work } from './migration-work.ts';
import { diffSnapshots, EMPTY_SNAPSHOT, linkTableSnapshot } from './snapshot.ts';

interface Turned {
  /** The type and the attribute that have had the table. */
  readonly uid: string;
  readonly name: string;
  readonly place: Extract<Place, { kind: 'links' }>;
  /** The attribute of the target that has it from now on. */
  readonly owner: string;
}

/** Finds the attribute that has the table of a relation from now on, if it is another one and had none of its own. */
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

const withAttributes = (
  { types, components }: Layout,
  uid: string,
  change: (before: TypeLayout['attributes']) => TypeLayout['attributes'],
): Layout => {
  const type = types[uid] as TypeLayout;
  return { types: { ...types, [uid]: { ...type, attributes: change(type.attributes) } }, components };
};

async function turn(work: Work, { uid, name, place, owner }: Turned): Promise<void> {
  const table = linkTable((work.layout.types[place.target] as TypeLayout).table, owner);
  const made = linkTableSnapshot(table);
  work.statements.push(
    ...(await diffSnapshots(EMPTY_SNAPSHOT, made)),
    `INSERT INTO ${identifier(table)} (${COLUMNS}) SELECT ${EXCHANGED} FROM ${identifier(place.table)} ORDER BY "rowid"`,
  );
  Object.assign(work.tables, made.tables);
  work.formerNames.set(table, formerTable(work, place.table));
  work.turned.add(table);
  const { multiple, exclusive } = place;
  const turned: Place = { kind: 'links', table, target: uid, multiple: exclusive !== true, exclusive: !multiple };
  const left = withAttributes(work.layout, uid, ({ [name]: _, ...others }) => others);
  work.layout = withAttributes(left, place.target, (others) => ({ ...others, [owner]: turned }));
}

/** Afterwards `work.layout` knows the links where they are. The tables that have held them go with what is left over. */
export async function turnLinks(work: Work, next: Layout): Promise<void> {
  for (const turned of turnedOf(work.layout, next)) await turn(work, turned);
}
