/**
 * @module What clients meet of the registry: content types and components under the names that the descriptions give
 * them, with the attributes that answers show and bodies take.
 */
import { actionId, type Grants } from '../auth/grants.ts';
import type { Attribute, Component, ContentType, Registry } from '../registry/model.ts';
import { isHidden } from '../registry/model.ts';

/** A content type or component as a client sees it. */
export interface Shape {
  readonly uid: string;
  /** `Article`, `SharedSeo`, `UploadFile`: unique, also with `SUFFIXES` behind it. */
  readonly name: string;
  /** Absent: a component. */
  readonly contentType?: ContentType;
  readonly title: string;
  /** May a required attribute be missing, because the document may be a draft? Components do not know their owner. */
  readonly drafts: boolean;
  /** Attributes of answers: neither private ones nor passwords. */
  readonly shown: readonly Attribute[];
  /** Attributes of bodies; `publishedAt` and `locale`, which are taken but ignored, are left out. */
  readonly written: readonly Attribute[];
}

export interface ApiShapes {
  /** Content types, system types, components; each group in the order of its names. */
  readonly all: readonly Shape[];
  /** What an attribute refers to by uid. */
  of(uid: string): Shape;
}

/** What the descriptions put behind a name: none of these may belong to another shape. */
const SUFFIXES = ['', 'Input', 'Update', 'Created', 'Filters', 'Fields'] as const;

/** Names of the descriptions' own types, and global types that they use. */
const RESERVED = `
  BlocksContent BlockNode ComponentInput Connection ContentTypes Count Created DocumentReference DraftInput
  FileFormat InlineNode LinkNode ListItemNode ListNode Missing Position AnsweredFile FileInfo Status
  TextNode ToManyInput ToOneInput Partial Omit Error Pagination RelationFilter S TextFilter IntegerFilter
  BigintegerFilter DecimalFilter FloatFilter BooleanFilter DateFilter DatetimeFilter TimeFilter
`;

const IGNORED: ReadonlySet<string> = new Set(['publishedAt', 'locale']);

/** `site-setting` → `SiteSetting`, `shared.seo` → `SharedSeo`; a leading digit gets an underscore. */
export function pascalCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
  return /^[A-Za-z]/.test(name) ? name : `_${name}`;
}

/** The first of `Base`, `Base2`, `Base3`… that is free; it is taken from then on. */
function claimName(base: string, taken: Set<string>): string {
  const fits = (name: string) => SUFFIXES.every((suffix) => !taken.has(name + suffix));
  let name = base;
  for (let count = 2; !fits(name); count += 1) name = `${base}${count}`;
  for (const suffix of SUFFIXES) taken.add(name + suffix);
  return name;
}

const inOrder = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const byUid = (a: { readonly uid: string }, b: { readonly uid: string }): number => inOrder(a.uid, b.uid);

/** Relations to what a caller may not list are unknown to answers and bodies alike. */
const isReachable = (attribute: Attribute, grants: Grants | undefined): boolean =>
  !grants || attribute.kind !== 'relation' || grants.allows(actionId(attribute.target, 'find'));

/** What counts only under a condition is never sure to be there. */
const promised = (attribute: Attribute): Attribute =>
  attribute.visible === undefined ? attribute : { ...attribute, required: false };

interface Attributes {
  readonly shown: readonly Attribute[];
  readonly written: readonly Attribute[];
}

function attributesFor(all: ReadonlyMap<string, Attribute>, grants: Grants | undefined): Attributes {
  const reachable = [...all.values()].filter((attribute) => isReachable(attribute, grants)).map(promised);
  return {
    shown: reachable.filter((attribute) => !isHidden(attribute)),
    written: reachable.filter((item) => item.writable && !IGNORED.has(item.name) && !(grants && item.private)),
  };
}

function shapeOfType(type: ContentType, name: string, grants: Grants | undefined): Shape {
  return {
    uid: type.uid,
    name,
    contentType: type,
    title: [type.displayName, type.description].filter((text) => text !== '').join(': '),
    drafts: type.draftAndPublish,
    ...attributesFor(type.attributes, grants),
  };
}

function shapeOfComponent(
  { uid, displayName, attributes }: Component,
  name: string,
  grants: Grants | undefined,
): Shape {
  return { uid, name, title: displayName, drafts: true, ...attributesFor(attributes, grants) };
}

/**
 * Names everything that clients meet. The same registry gives the same names and order, however its files were read.
 * @param grants of whom the shapes are for: private attributes are nowhere, nor are relations to what may not be found.
 */
export function shapesOf(registry: Registry, grants?: Grants): ApiShapes {
  const types = [...registry.contentTypes.values()];
  const own = types.filter(({ system }) => !system).toSorted((a, b) => inOrder(a.singularName, b.singularName));
  const system = types.filter((type) => type.system && type.uid.startsWith('plugin::'));
  const components = [...registry.components.values()];
  const taken = new Set(RESERVED.trim().split(/\s+/));
  const claim = (text: string) => claimName(pascalCase(text), taken);
  const all = [
    ...own.map((type) => shapeOfType(type, claim(type.singularName), grants)),
    ...system.toSorted(byUid).map((type) => shapeOfType(type, claim(type.uid.replace('plugin::', '')), grants)),
    ...components.toSorted(byUid).map((component) => shapeOfComponent(component, claim(component.uid), grants)),
  ];
  const known = new Map(all.map((shape) => [shape.uid, shape]));
  const of = (uid: string): Shape => {
    const shape = known.get(uid);
    if (!shape) throw new Error(`the registry has no ${uid}`);
    return shape;
  };
  return { all, of };
}

/** Shapes that have endpoints, by their path segment, in its order. */
export function routedShapes(
  registry: Registry,
  shapes: ApiShapes,
): readonly (readonly [string, Shape, ContentType])[] {
  return [...registry.routes]
    .toSorted(([a], [b]) => inOrder(a, b))
    .map(([segment, type]) => [segment, shapes.of(type.uid), type]);
}
