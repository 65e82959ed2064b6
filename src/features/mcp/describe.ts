/**
 * @module Content types as a model reads them: one line for each attribute that the caller may read or write.
 */
import { type Action, actionId, type Grants } from '../../access/grants.ts';
import type { JsonObject } from '../../common/json.ts';
import { sameFor } from '../../common/same-for.ts';
import { hasComponents, isComponent, isScalar, isZone } from '../../schema/attribute-kinds.ts';
import type { ScalarType } from '../../schema/fields.ts';
import type { Attribute, ContentType, Registry } from '../../schema/model.ts';
import { DOCUMENT_ACTIONS, PUBLICATION_ACTIONS } from '../../schema/publication.ts';
import { type Shape, shapesOf } from '../description/shapes.ts';

/** What the caller may see of the model. */
export interface View {
  readonly registry: Registry;
  readonly grants: Grants;
}

const ACTIONS: readonly Action[] = [
  ...(['find', 'findOne', 'create', 'update', 'delete', 'readDrafts', 'history'] as const),
  ...DOCUMENT_ACTIONS,
];

/** Of types with drafts. */
const OF_DRAFTS: ReadonlySet<Action> = new Set(['readDrafts', ...PUBLICATION_ACTIONS]);

export const allows = ({ grants }: View, { uid }: ContentType, action: Action): boolean =>
  grants.allows(actionId(uid, action));

/** The name of a type in tools: that of its path. */
export const nameOf = ({ kind, singularName, pluralName }: ContentType): string =>
  kind === 'singleType' ? singularName : pluralName;

/** Do values name a document? */
const IS_TITLE: Readonly<Record<ScalarType, boolean>> = {
  ...sameFor(['string', 'text', 'uid', 'email'], true),
  ...sameFor(['richtext', 'password', 'enumeration', 'boolean', 'json', 'blocks'], false),
  ...sameFor(['integer', 'decimal', 'float', 'biginteger', 'date', 'time', 'datetime'], false),
};

/** Returns the first characters of the text that names a document: that of the first attribute which may be one. */
export function titleOf(document: JsonObject, { attributes }: ContentType, most: number): string {
  const isTitle = (each: Attribute) => isScalar(each) && !each.private && IS_TITLE[each.type];
  const { name = '' } = [...attributes.values()].find(isTitle) ?? {};
  return String(document[name] ?? document.documentId).slice(0, most);
}

/** Those that the caller may use in any way. */
export const knownTypes = (view: View): readonly ContentType[] =>
  [...view.registry.routes.values()].filter((type) => ACTIONS.some((action) => allows(view, type, action)));

/** Values of an enumeration in a line. */
const MAX_VALUES = 30;

const listed = (values: readonly string[]): string =>
  values.length > MAX_VALUES ? `${values.slice(0, MAX_VALUES).join(', ')}, … (${values.length})` : values.join(', ');

/** Returns undefined for what no request names. */
function kindOf(attribute: Attribute, registry: Registry): string | undefined {
  switch (attribute.kind) {
    case 'scalar':
      return attribute.enum ? `one of ${listed(attribute.enum)}` : attribute.type;
    case 'relation': {
      const target = registry.contentTypes.get(attribute.target);
      const name = target && !target.system ? nameOf(target) : attribute.target;
      return `relation to ${attribute.multiple ? 'many' : 'one'} of ${name}`;
    }
    case 'polymorphic':
      return `relation to ${attribute.multiple ? 'many documents' : 'a document'} of any type: {"documentId", "__type"}`;
    case 'media': {
      const types = attribute.allowedTypes.length > 0 ? ` (${attribute.allowedTypes.join(', ')})` : '';
      return `${attribute.multiple ? 'files' : 'one file'}${types}`;
    }
    case 'component':
      return `${attribute.repeatable ? 'list of component' : 'component'} ${attribute.component}`;
    case 'dynamiczone':
      return `zone: list of components with "__component", each of ${listed(attribute.components)}`;
    case 'localizations':
    case 'related':
    case 'creator':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

function rangeOf(min: number | undefined, max: number | undefined, unit: string): readonly string[] {
  if (min === undefined) return max === undefined ? [] : [`at most ${max}${unit}`];
  return [max === undefined ? `at least ${min}${unit}` : `${min} to ${max}${unit}`];
}

function rulesOf(attribute: Attribute): readonly string[] {
  if (hasComponents(attribute)) return rangeOf(attribute.min, attribute.max, ' entries');
  if (!isScalar(attribute)) return [];
  return [
    ...(attribute.unique ? ['unique'] : []),
    ...rangeOf(attribute.minLength, attribute.maxLength, ' characters'),
    ...rangeOf(attribute.min, attribute.max, ''),
    ...(attribute.default === undefined ? [] : [`default ${JSON.stringify(attribute.default)}`.slice(0, 60)]),
  ];
}

/** Returns a type or component by its uid, with the attributes that the caller may read and write. */
type ShapeOf = (uid: string) => Shape;

function shapesFor(view: View): ShapeOf {
  const shapes = shapesOf(view.registry, view.grants);
  return (uid) => {
    const shape = shapes.of(uid);
    const { contentType: type } = shape;
    const may = (...actions: readonly Action[]) => !type || actions.some((action) => allows(view, type, action));
    return {
      ...shape,
      shown: may('find', 'findOne') ? shape.shown : [],
      written: may('create', 'update') ? shape.written : [],
    };
  };
}

const attributesOf = ({ shown, written }: Shape): ReadonlySet<Attribute> => new Set([...written, ...shown]);

/** An attribute, what it takes, and its rules. */
type Line = readonly [name: string, kind: string, ...rules: string[]];

function linesOf(shape: Shape, registry: Registry): readonly Line[] {
  return [...attributesOf(shape)].flatMap((attribute): readonly Line[] => {
    const kind = kindOf(attribute, registry);
    if (kind === undefined) return [];
    const rules = [
      ...(attribute.required ? ['required'] : []),
      ...rulesOf(attribute),
      ...(shape.contentType?.localized && attribute.localized ? ['localized'] : []),
      ...(shape.shown.includes(attribute) ? [] : ['write only']),
      ...(shape.written.includes(attribute) ? [] : ['read only']),
    ];
    return [[attribute.name, kind, ...rules]];
  });
}

type Texts = Readonly<Record<string, string>>;

/** @param most characters of what an attribute takes; its rules are never shortened */
const textsOf = (lines: readonly Line[], most = Number.POSITIVE_INFINITY): Texts =>
  Object.fromEntries(
    lines.map(([name, kind, ...rules]) => {
      const shown = kind.length > most ? `${kind.slice(0, most)}…` : kind;
      return [name, [shown, ...rules].join('; ')];
    }),
  );

/** Adds the uids of the components that a type or component has, and of those inside. */
function addComponents(uid: string, shapeOf: ShapeOf, found: Set<string>): void {
  for (const attribute of attributesOf(shapeOf(uid))) {
    const single = isComponent(attribute) ? [attribute.component] : [];
    for (const inner of isZone(attribute) ? attribute.components : single)
      if (!found.has(inner)) addComponents(inner, shapeOf, found.add(inner));
  }
}

/** Returns the attributes of each component that some types have, by its uid. */
function describeComponents(types: readonly ContentType[], shapeOf: ShapeOf, registry: Registry) {
  const found = new Set<string>();
  for (const { uid } of types) addComponents(uid, shapeOf, found);
  return new Map([...found].map((uid) => [uid, textsOf(linesOf(shapeOf(uid), registry))]));
}

/** The components of the types that the caller may use. */
export const knownComponents = (view: View): ReadonlyMap<string, Texts> =>
  describeComponents(knownTypes(view), shapesFor(view), view.registry);

export const attributeNames = ({ uid }: ContentType, view: View): readonly string[] =>
  [...attributesOf(shapesFor(view)(uid))].map(({ name }) => name);

export const summaryOf = (type: ContentType, view: View) => ({
  type: nameOf(type),
  uid: type.uid,
  name: type.displayName,
  ...(type.description !== '' && { description: type.description.slice(0, 200) }),
  kind: type.kind,
  hasDrafts: type.draftAndPublish,
  hasLocales: type.localized,
  may: ACTIONS.filter((action) => (type.draftAndPublish || !OF_DRAFTS.has(action)) && allows(view, type, action)),
});

/** Characters of the description of one type. */
const MAX_DESCRIPTION = 9_500;
/** Characters of what an attribute takes: as many as have room. */
const SHORTER = [Number.POSITIVE_INFINITY, 60, 20, 10];

/** Components are left out where the description would be too long: they can be described one by one. */
export function describeType(type: ContentType, view: View) {
  const shapeOf = shapesFor(view);
  const lines = linesOf(shapeOf(type.uid), view.registry);
  const texts = SHORTER.map((most) => textsOf(lines, most));
  const attributes = texts.find((each) => JSON.stringify(each).length <= MAX_DESCRIPTION - 1_000) ?? texts.at(-1) ?? {};
  const own = { ...summaryOf(type, view), attributes };
  const components = describeComponents([type], shapeOf, view.registry);
  const whole = { ...own, ...(components.size > 0 && { components: Object.fromEntries(components) }) };
  if (JSON.stringify(whole).length <= MAX_DESCRIPTION) return whole;
  const note = 'Components are left out: call describe with "component"';
  return { ...own, components: [...components.keys()].slice(0, 100), note };
}
