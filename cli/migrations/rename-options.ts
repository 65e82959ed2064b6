/**
 * @module The options of `npx edgewise generate` that declare renames: `--rename article.oldName=newName`,
 * `--rename-type oldType=newType` and `--rename-component old.uid=new.uid`, and what the names in them mean.
 */

import { nearest } from '../../src/common/near-words.ts';
import type { Registry } from '../../src/schema/model.ts';
import { snakeCase } from '../../src/schema/names.ts';
import { UserError } from '../core/terminal.ts';
import { type Layout, nameOfType } from './layout.ts';

export type Rename = Readonly<{ from: string; to: string }>;

/** `type` is as it was written, or the uid that it means. */
export type AttributeRename = Rename & { readonly type: string };

export interface Renames {
  readonly attributes: readonly AttributeRename[];
  /** Names of content types as they were written, or their tables. */
  readonly tables: readonly Rename[];
  /** `category.name`, or `category`. */
  readonly components: readonly Rename[];
}

export const NO_RENAMES: Renames = { attributes: [], tables: [], components: [] };

export const joinRenames = (all: readonly Renames[]): Renames => ({
  attributes: all.flatMap(({ attributes }) => attributes),
  tables: all.flatMap(({ tables }) => tables),
  components: all.flatMap(({ components }) => components),
});

const FORMS = {
  rename: [/^(?<type>.+)\.(?<from>[\w-]+)=(?:\1\.)?(?<to>[\w-]+)$/, 'type.oldName=newName'],
  'rename-type': [/^(?<from>[\w:.-]+)=(?<to>[\w:.-]+)$/, 'oldType=newType'],
  // Both names with a category, or neither.
  'rename-component': [
    /^(?<from>[\w-]+(?:(?<dot>\.)[\w-]+)?)=(?<to>[\w-]+\k<dot>[\w-]*)$/,
    'category.oldName=category.newName, or oldCategory=newCategory',
  ],
} as const;

function parse(option: keyof typeof FORMS, text: string): AttributeRename {
  const [form, expected] = FORMS[option];
  const { type = '', from = '', to = '' } = form.exec(text)?.groups ?? {};
  if (to === '') throw new UserError(`--${option} ${text}: expected ${expected}`);
  return { type, from, to };
}

function parseNames(option: keyof typeof FORMS, text: string): Rename {
  const { from, to } = parse(option, text);
  return { from, to };
}

/** @throws UserError for options in another form. */
export const parseRenames = (
  attributes: readonly string[],
  tables: readonly string[],
  components: readonly string[] = [],
): Renames => ({
  attributes: attributes.map((text) => parse('rename', text)),
  tables: tables.map((text) => parseNames('rename-type', text)),
  components: components.map((text) => parseNames('rename-component', text)),
});

/** A content type or component by its names; matches in the first list win. */
type Named = Readonly<{ uid: string; table?: string; names: readonly (readonly string[])[] }>;

/** Types before the migration: the plural name is known only where the table has it. */
const formerTypes = ({ types }: Layout): readonly Named[] =>
  Object.entries(types).map(([uid, { table }]) => ({ uid, table, names: [[uid, nameOfType(uid)], [table]] }));

const typesOf = ({ contentTypes }: Registry): readonly Named[] =>
  [...contentTypes.values()]
    .filter(({ system }) => !system)
    .map(({ uid, table, singularName, pluralName }) => {
      const exact = [uid, singularName];
      return { uid, table, names: [exact, [pluralName, table]] };
    });

const componentsOf = ({ components }: Registry): readonly Named[] =>
  [...components.keys()].map((uid) => ({ uid, names: [[uid], [nameOfType(uid)]] }));

function matching(name: string, all: readonly Named[]): readonly Named[] {
  const found = [0, 1].map((list) => all.filter(({ names }) => names[list]?.includes(name)));
  return found.find(({ length }) => length > 0) ?? all.filter(({ table }) => table === snakeCase(name));
}

/** @throws UserError where nothing has the name, or several have. */
function onlyOne(option: string, name: string, found: readonly Named[], none: string, all: readonly Named[]): Named {
  const [one, ...more] = found;
  if (more.length > 0)
    throw new UserError(`${option}: ${name} may be ${found.map(({ uid }) => uid).join(' or ')}; write the uid`);
  if (one) return one;
  const known = all.flatMap(({ names }) => names.flat());
  const near = nearest(name, known);
  throw new UserError(`${option}: ${none} ${name}${near === undefined ? '' : `. Did you mean ${near}?`}`);
}

/** Of several matches, those whose table the other side does not have. */
function moved(name: string, all: readonly Named[], elsewhere: readonly Named[]): readonly Named[] {
  const found = matching(name, all);
  const own = found.filter(({ table }) => !elsewhere.some((other) => other.table === table));
  return own.length > 0 ? own : found;
}

function resolveTable({ from, to }: Rename, layout: Layout, registry: Registry): Rename {
  const option = `--rename-type ${from}=${to}`;
  const [former, now] = [formerTypes(layout), typesOf(registry)];
  const before = onlyOne(option, from, moved(from, former, now), 'there was no content type', former);
  const after = onlyOne(option, to, moved(to, now, former), 'there is no content type', now);
  return { from: before.table ?? from, to: after.table ?? to };
}

function resolveAttribute(
  rename: AttributeRename,
  { tables, components }: Omit<Renames, 'attributes'>,
  layout: Layout,
  registry: Registry,
): AttributeRename {
  const now = [...typesOf(registry), ...componentsOf(registry)];
  const option = `--rename ${rename.type}.${rename.from}=${rename.to}`;
  const present = matching(rename.type, now);
  const [former] = matching(rename.type, formerTypes(layout));
  const table = tables.find(({ from }) => from === former?.table)?.to ?? former?.table;
  const renamed = components.find(({ from }) => rename.type === from || rename.type.startsWith(`${from}.`));
  const component = renamed && `${renamed.to}${rename.type.slice(renamed.from.length)}`;
  const isMeant = (named: Named) => (named.table ? named.table === table : named.uid === component);
  const owners = present.length > 0 ? present : now.filter(isMeant);
  return { ...rename, type: onlyOne(option, rename.type, owners, 'there is no content type or component', now).uid };
}

/**
 * Renames with the uids of attributes' owners and the tables of content types in place of other names: a content type by its
 * uid, its singular or plural name or its table, a component by its uid or, where it is the only one, by its name without the
 * category. A content type whose table stays needs none.
 * @throws UserError that names the option, where a name means nothing or several things.
 */
export function resolveRenames(renames: Renames, layout: Layout, registry: Registry): Renames {
  const { components } = renames;
  const resolved = renames.tables.map((rename) => resolveTable(rename, layout, registry));
  const others = { tables: resolved.filter(({ from, to }) => from !== to), components };
  return {
    attributes: renames.attributes.map((rename) => resolveAttribute(rename, others, layout, registry)),
    ...others,
  };
}
