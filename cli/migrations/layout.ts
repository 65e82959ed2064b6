/**
 * @module The layout: which attribute is stored in which column or table, which a Drizzle snapshot does not contain
 * (`drizzle/meta/_NNNN_layout.json`).
 */
import { kindOf } from '../../src/common/kinds.ts';
import { hasComponents, isScalar } from '../../src/schema/attribute-kinds.ts';
import { FIELDS, type ScalarType } from '../../src/schema/fields.ts';
import { searchedAttributes } from '../../src/schema/indexes.ts';
import type { Attribute, ContentType, Registry, ScalarAttribute } from '../../src/schema/model.ts';
import {
  linkTable,
  MAX_ATTRIBUTE_COLUMNS,
  OVERFLOW_COLUMN,
  SYSTEM_COLUMNS,
  typedLinkTable,
} from '../../src/schema/names.ts';
import { FILE_UID } from '../../src/schema/system-types.ts';
import { identifier, jsonPath } from '../core/sql/sql-text.ts';
import { UserError } from '../core/terminal.ts';

type Stored =
  | { readonly kind: 'scalar'; readonly type: ScalarType; readonly column: string; readonly overflow: boolean }
  | { readonly kind: 'component'; readonly component: string; readonly repeatable: boolean; readonly column: string }
  | { readonly kind: 'dynamiczone'; readonly components: readonly string[]; readonly column: string }
  | {
      readonly kind: 'links';
      readonly table: string;
      readonly target: string;
      readonly multiple: boolean;
      /** May each target have one source alone? Absent for media. */
      readonly exclusive?: boolean;
      /** The attribute of the target that shows the same links. */
      readonly inverse?: string;
    };

/** The target of a polymorphic relation, whose links name their type. */
export const ANY = '*';

/** Where an attribute is stored. Attributes that store nothing on their own side have no place. */
export type Place = Stored & {
  /** Does each locale of a document have its own value? */
  readonly localized?: true;
  /** While a migration is planned: the column and the attribute before it, if they are renamed. */
  readonly was?: { readonly column: string; readonly name: string };
};

export type Places = Readonly<Record<string, Place>>;

export const mapPlaces = (places: Places, map: (place: Place, name: string) => Place): Places =>
  Object.fromEntries(Object.entries(places).map(([name, place]) => [name, map(place, name)]));

export type BlocksPlace = Extract<Place, { kind: 'component' | 'dynamiczone' }>;
export type LinksPlace = Extract<Place, { kind: 'links' }>;

export const isScalarPlace = kindOf('scalar');
export const isComponentPlace = kindOf('component');
export const isZonePlace = kindOf('dynamiczone');
export const isLinks = kindOf('links');
export const isBlocks = (place: Place): place is BlocksPlace => isComponentPlace(place) || isZonePlace(place);

export const blocksOf = (places: Places): readonly (readonly [string, BlocksPlace])[] =>
  Object.entries(places).flatMap(([name, place]) => (isBlocks(place) ? [[name, place] as const] : []));

export const linksIn = (places: Places): readonly (readonly [string, LinksPlace])[] =>
  Object.entries(places).flatMap(([name, place]) => (isLinks(place) ? [[name, place] as const] : []));

/** Deeper instances of a component that contains itself are neither rewritten nor counted. */
export const MAX_DEPTH = 8;

/** `api::article.article` → `article`. */
export const nameOfType = (uid: string): string => uid.replace(/^.*\./, '');

/** The components that may stand in an attribute. */
export const uidsOf = (place: BlocksPlace) => (place.kind === 'component' ? [place.component] : place.components);

export interface TypeLayout {
  readonly table: string;
  readonly kind: ContentType['kind'];
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  readonly attributes: Places;
  /** SQL for the texts that its search index has of each row. */
  readonly search?: readonly string[];
}

export interface Layout {
  /** uid → layout. */
  readonly types: Readonly<Record<string, TypeLayout>>;
  /** uid → attributes. The columns of components are keys of their owner's JSON. */
  readonly components: Readonly<Record<string, Places>>;
  /** Do triggers count the bytes of former versions? Absent in layouts of earlier versions. */
  readonly historyTotal?: true;
}

export const EMPTY_LAYOUT: Layout = { types: {}, components: {} };

const SYSTEM: readonly string[] = SYSTEM_COLUMNS;

function storedAs(attribute: Attribute, table: string): Stored | undefined {
  switch (attribute.kind) {
    case 'scalar': {
      const { kind, type, column, overflow } = attribute;
      return SYSTEM.includes(column) ? undefined : { kind, type, column, overflow };
    }
    case 'component': {
      const { kind, component, repeatable, column } = attribute;
      return { kind, component, repeatable, column };
    }
    case 'dynamiczone':
      return { kind: 'dynamiczone', components: [...attribute.components].sort(), column: attribute.column };
    case 'media':
      return { kind: 'links', table: linkTable(table, attribute.name), target: FILE_UID, multiple: attribute.multiple };
    case 'polymorphic':
      return { kind: 'links', table: typedLinkTable(table, attribute.name), target: ANY, multiple: attribute.multiple };
    case 'relation': {
      const { name, owner, target, multiple, relation, inverse } = attribute;
      const exclusive = relation === 'oneToOne' && inverse !== undefined;
      if (!owner) return undefined;
      const links = { kind: 'links', table: linkTable(table, name), target, multiple, exclusive } as const;
      return inverse === undefined ? links : { ...links, inverse };
    }
    case 'localizations':
    case 'related':
    case 'creator':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

function placesOf(attributes: ReadonlyMap<string, Attribute>, table: string): Places {
  const places: Record<string, Place> = {};
  for (const [name, attribute] of attributes) {
    const stored = storedAs(attribute, table);
    if (stored) places[name] = attribute.localized ? { ...stored, localized: true } : stored;
  }
  return places;
}

/** SQL for the value of an attribute, with `@` as the name of the row. */
export function storedText({ name, column, type, overflow }: ScalarAttribute): string {
  if (!overflow) return `@.${identifier(column)}`;
  const stored = `@.${identifier(OVERFLOW_COLUMN)} ->> ${jsonPath(name)}`;
  return FIELDS[type].affinity === 'text' ? `(${stored})` : `cast((${stored}) as numeric)`;
}

function typeLayout(type: ContentType): TypeLayout {
  const { table, kind, draftAndPublish, localized, attributes, searchable } = type;
  const search = searchable && { search: ['@."document_id"', ...searchedAttributes(type).map(storedText).sort()] };
  return { table, kind, draftAndPublish, localized, attributes: placesOf(attributes, table), ...search };
}

export function layoutOf(registry: Registry): Layout {
  const types = [...registry.contentTypes.values()].map((type) => [type.uid, typeLayout(type)]);
  const components = [...registry.components.values()].map(({ uid, attributes }) => [uid, placesOf(attributes, '')]);
  return { types: Object.fromEntries(types), components: Object.fromEntries(components), historyTotal: true };
}

/** The table of links under another name. */
export const linksTable = ({ target }: LinksPlace, table: string, attribute: string): string =>
  target === ANY ? typedLinkTable(table, attribute) : linkTable(table, attribute);

/** Links with the type and the attribute that has their table. */
export type Links = LinksPlace & { readonly source: string; readonly name: string };

export const linksOf = ({ types }: Layout): readonly Links[] =>
  Object.entries(types).flatMap(([source, { attributes }]) =>
    linksIn(attributes).map(([name, place]) => ({ ...place, source, name })),
  );

/** The names of all attributes of a content type or component, with the other sides of relations. */
export function attributeNames(layout: Layout, uid: string): ReadonlySet<string> | undefined {
  const places = layout.types[uid]?.attributes ?? layout.components[uid];
  if (!places) return undefined;
  const inverses = linksOf(layout).flatMap(({ target, inverse }) => (target === uid && inverse ? [inverse] : []));
  return new Set([...Object.keys(places), ...inverses]);
}

/** The type whose rows are in `table`; the uid may have changed. */
export const typeByTable = ({ types }: Layout, table: string): readonly [string, TypeLayout] | undefined =>
  Object.entries(types).find(([, type]) => type.table === table);

export const withType = (layout: Layout, uid: string, type: TypeLayout): Layout => ({
  ...layout,
  types: { ...layout.types, [uid]: type },
});

/** The scalars without a column: those that have one claim it first, then new ones in file order. */
function surplusOf(type: ContentType, previous: Places): readonly string[] {
  const declared = [...type.attributes.values()].filter((item) => storedAs(item, type.table) !== undefined);
  const scalars = declared.filter(isScalar);
  const others = declared.filter(hasComponents).length;
  const room = MAX_ATTRIBUTE_COLUMNS - others;
  if (room < 0)
    throw new UserError(
      `${type.uid}: attributes: at most ${MAX_ATTRIBUTE_COLUMNS} components and dynamic zones; there are ${others}`,
    );
  const overflowed = (place: Place | undefined) => (isScalarPlace(place) ? place.overflow : undefined);
  const kept = scalars.filter(({ name }) => overflowed(previous[name]) === false);
  const added = scalars.filter(({ name }) => overflowed(previous[name]) === undefined);
  const withColumn = new Set([...kept, ...added].slice(0, room));
  return scalars.filter((item) => !withColumn.has(item)).map(({ name }) => name);
}

/**
 * The attributes without a column, by uid. An attribute keeps its column, or its place in the overflow column; new ones get
 * columns while there is room.
 */
export function overflowOf(registry: Registry, previous: Layout): Readonly<Record<string, readonly string[]>> {
  const overflow: Record<string, readonly string[]> = {};
  for (const type of registry.contentTypes.values()) {
    const names = type.system ? [] : surplusOf(type, typeByTable(previous, type.table)?.[1].attributes ?? {});
    if (names.length > 0) overflow[type.uid] = names;
  }
  return overflow;
}
