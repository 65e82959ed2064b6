/**
 * @module What is meant by a name in `--rename` and `--rename-type`: a content type by its uid, its singular or plural name
 * or its table, a component by its uid or, where one alone has it, by its name without the category.
 */
import type { ContentType, Registry } from '../../registry/model.ts';
import { snakeCase } from '../../registry/names.ts';
import { nearest } from '../core/near-words.ts';
import { UserError } from '../core/terminal.ts';
import type { Layout } from './layout.ts';
import type { AttributeRename, ComponentRename, Renames, TableRename } from './rename-options.ts';
import { nameOfType } from './type-changes.ts';

/** A content type or component by all its names; those that are documented first, since they win. */
interface Named {
  readonly uid: string;
  readonly table?: string;
  readonly names: readonly string[];
  readonly others: readonly string[];
}

const namedType = ({ uid, table, singularName, pluralName }: ContentType): Named => ({
  ...{ uid, table },
  names: [uid, singularName],
  others: [pluralName, table],
});

const namedComponent = (uid: string): Named => ({ uid, names: [uid], others: [nameOfType(uid)] });

/** Types as they were: the plural name is known only where the table has it. */
const formerTypes = ({ types }: Layout): readonly Named[] =>
  Object.entries(types).map(([uid, { table }]) => ({ uid, table, names: [uid, nameOfType(uid)], others: [table] }));

const typesOf = ({ contentTypes }: Registry): readonly Named[] =>
  [...contentTypes.values()].filter(({ system }) => !system).map(namedType);

function matching(name: string, all: readonly Named[]): readonly Named[] {
  const by = (names: (named: Named) => readonly string[]) => all.filter((named) => names(named).includes(name));
  const [exact, others] = [by(({ names }) => names), by((named) => named.others)];
  if (exact.length > 0) return exact;
  return others.length > 0 ? others : all.filter(({ table }) => table === snakeCase(name));
}

/** @throws UserError where no thing has the name, or several have. */
function onlyOne(option: string, name: string, found: readonly Named[], none: string, all: readonly Named[]): Named {
  const [one, ...more] = found;
  if (more.length > 0)
    throw new UserError(`${option}: ${name} may be ${found.map(({ uid }) => uid).join(' or ')}; write the uid`);
  if (one) return one;
  const near = nearest(
    name,
    all.flatMap(({ names, others }) => [...names, ...others]),
  );
  throw new UserError(`${option}: ${none} ${name}${near === undefined ? '' : `. Did you mean ${near}?`}`);
}

/** Where several have the name, those whose table only one side has are meant. */
function moved(found: readonly Named[], elsewhere: readonly Named[]): readonly Named[] {
  const tables = new Set(elsewhere.map(({ table }) => table));
  const own = found.filter(({ table }) => !tables.has(table));
  return own.length > 0 ? own : found;
}

function resolveTable({ from, to }: TableRename, layout: Layout, registry: Registry): TableRename {
  const option = `--rename-type ${from}=${to}`;
  const [former, now] = [formerTypes(layout), typesOf(registry)];
  const before = onlyOne(option, from, moved(matching(from, former), now), 'there was no content type', former);
  const after = onlyOne(option, to, moved(matching(to, now), former), 'there is no content type', now);
  return { from: before.table ?? from, to: after.table ?? to };
}

/** The uid that a component has after the renames, where it was named by its former one. */
function renamedComponent(uid: string, renames: readonly ComponentRename[]): string | undefined {
  const rename = renames.find(({ from }) => uid === from || uid.startsWith(`${from}.`));
  return rename && `${rename.to}${uid.slice(rename.from.length)}`;
}

/** Owners of an attribute by the names that they have now, else by those that they had. */
function ownersOf(
  name: string,
  { tables, components }: Omit<Renames, 'attributes'>,
  layout: Layout,
  now: readonly Named[],
) {
  const found = matching(name, now);
  if (found.length > 0) return found;
  const [before] = matching(name, formerTypes(layout));
  const table = tables.find(({ from }) => from === before?.table)?.to ?? before?.table;
  const component = renamedComponent(name, components);
  return now.filter((named) => (named.table ? named.table === table : named.uid === component));
}

function resolveAttribute(
  rename: AttributeRename,
  renames: Omit<Renames, 'attributes'>,
  layout: Layout,
  registry: Registry,
): AttributeRename {
  const option = `--rename ${rename.type}.${rename.from}=${rename.to}`;
  const now = [...typesOf(registry), ...[...registry.components.keys()].map(namedComponent)];
  const owners = ownersOf(rename.type, renames, layout, now);
  const { uid } = onlyOne(option, rename.type, owners, 'there is no content type or component', now);
  return { ...rename, type: uid };
}

/**
 * Renames with the uids of attributes' owners and the tables of content types in place of other names. A content type whose
 * table stays needs none.
 * @throws UserError that names the option, where a name means nothing or several things.
 */
export function resolveRenames(renames: Renames, layout: Layout, registry: Registry): Renames {
  const tables = renames.tables
    .map((rename) => resolveTable(rename, layout, registry))
    .filter(({ from, to }) => from !== to);
  const { components } = renames;
  const attributes = renames.attributes.map((rename) =>
    resolveAttribute(rename, { tables, components }, layout, registry),
  );
  return { attributes, tables, components };
}
