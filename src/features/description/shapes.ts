/**
 * @module Content types and components as clients see them: named, with the attributes of responses and bodies.
 */
import { type Action, actionId, type Grants, ruleOf } from '../../access/grants.ts';
import { isHidden, isRelation } from '../../schema/attribute-kinds.ts';
import type { Attribute, ContentType, Registry } from '../../schema/model.ts';
import { PUBLICATION_ACTIONS } from '../../schema/publication.ts';
import { isPolymorphicTarget } from '../../schema/system-types.ts';

export interface Shape {
  readonly uid: string;
  /** `Article`, `SharedSeo`, `UploadFile`: unique, also with each of the `SUFFIXES`. */
  readonly name: string;
  /** Absent: a component. */
  readonly contentType?: ContentType;
  readonly title: string;
  /** May it be a draft, or part of one? */
  readonly drafts: boolean;
  /** Attributes of responses. */
  readonly shown: readonly Attribute[];
  /** Attributes of bodies, without `publishedAt` and `locale`, which are ignored. */
  readonly written: readonly Attribute[];
}

export interface ApiShapes {
  /** Content types, system types, components, each sorted. */
  readonly all: readonly Shape[];
  /** What polymorphic relations link to. */
  readonly targets: readonly Shape[];
  of(uid: string): Shape;
}

/** Suffixes of names in descriptions. */
const SUFFIXES = ['', 'Input', 'Update', 'Created', 'Filters', 'Fields', 'Typed', 'Model'] as const;

/** Types that the descriptions define or use. */
const RESERVED = `
  BatchRequest BatchResponse BlocksContent BlockNode ComponentInput Connection ContentTypes Count Created DocumentReference DraftInput
  DocumentFacet Facets FileFormat Highlight Highlights InlineNode LinkNode ListItemNode ListNode Missing Position AnsweredFile FileInfo PublicationAction ScheduledPublication Status
  TextNode TypedDocument ToManyInput ToOneInput TypedInput TypedReference ValueFacet Partial Omit Error Pagination Populated RelationFilter S TextFilter IntegerFilter
  BigintegerFilter DecimalFilter FloatFilter BooleanFilter DateFilter DatetimeFilter TimeFilter
  Filter NumberFilter FilterGroups ValueOperators OrderOperators TextOperators FileUseModel
`;

const IGNORED: ReadonlySet<string> = new Set(['publishedAt', 'locale']);

/** `site-setting` → `SiteSetting`, `shared.seo` → `SharedSeo`; a leading digit gets an underscore. */
export function pascalCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
  return /^[A-Za-z]/.test(name) ? name : `_${name}`;
}

/** Claims the first of `Base`, `Base2`, `Base3`… that is not taken. */
function claimName(base: string, taken: Set<string>): string {
  const fits = (name: string) => SUFFIXES.every((suffix) => !taken.has(name + suffix));
  let name = base;
  for (let count = 2; !fits(name); count += 1) name = `${base}${count}`;
  for (const suffix of SUFFIXES) taken.add(name + suffix);
  return name;
}

const inOrder = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const byUid = (a: { readonly uid: string }, b: { readonly uid: string }): number => inOrder(a.uid, b.uid);

/** Without the grant to list its target a relation is not visible. */
const isReachable = (attribute: Attribute, grants: Grants | undefined): boolean =>
  !grants || !isRelation(attribute) || grants.allows(actionId(attribute.target, 'find'));

/** A caller with this grant, or `readPrivate`, can read the names of private attributes, so bodies show them as well. */
const SCHEMAS_ACTION = 'plugin::content-type-builder.content-types.getContentTypes';

/** An attribute with a condition is never required. */
const withoutCondition = (attribute: Attribute): Attribute =>
  attribute.visible === undefined ? attribute : { ...attribute, required: false };

type Limit = ReadonlySet<string> | undefined;

/** Returns the attributes to which conditional grants limit these actions; undefined for all. */
function limitOf(uid: string, actions: readonly Action[], grants: Grants): Limit {
  const limits = actions.map((action) => ruleOf(grants, uid, action)?.fields);
  return limits.every((fields) => fields !== undefined) ? new Set(limits.flatMap((fields) => [...fields])) : undefined;
}

/**
 * Returns the limits of responses and bodies. Without the grant to read, a response shows what the body may have.
 * What has none of the actions, such as a component or a file, is shown by others and has no limits of its own.
 */
function limitsOf(uid: string, grants: Grants | undefined): { readonly shown?: Limit; readonly written?: Limit } {
  const granted = <A extends Action>(...actions: readonly A[]) =>
    actions.filter((id) => grants?.allows(actionId(uid, id)));
  const reads = granted('find', 'findOne');
  const writes = granted('create', 'update');
  const others = [...writes, ...granted(...PUBLICATION_ACTIONS)];
  if (!grants?.rule || reads.length + others.length === 0) return {};
  return {
    shown: limitOf(uid, reads.length > 0 ? reads : others, grants),
    written: limitOf(uid, writes, grants),
  };
}

/** @param owners types whose `readPrivate` shows private attributes: of a component, any that may have it */
function attributesFor(
  uid: string,
  all: ContentType['attributes'],
  grants: Grants | undefined,
  owners: readonly string[] = [uid],
): Pick<Shape, 'shown' | 'written'> {
  const reachable = [...all.values()].filter((attribute) => isReachable(attribute, grants)).map(withoutCondition);
  const { shown, written } = limitsOf(uid, grants);
  const hidesPrivate =
    grants?.allows(SCHEMAS_ACTION) === false && !owners.some((owner) => grants.allows(actionId(owner, 'readPrivate')));
  const within = (limit: Limit) => reachable.filter(({ name }) => !limit || limit.has(name));
  return {
    shown: within(shown).filter((attribute) => !isHidden(attribute)),
    written: within(written).filter(
      ({ name, writable, private: isPrivate }) => writable && !IGNORED.has(name) && !(isPrivate && hidesPrivate),
    ),
  };
}

function shapeOfType(type: ContentType, name: string, grants: Grants | undefined): Shape {
  return {
    uid: type.uid,
    name,
    contentType: type,
    title: [type.displayName, type.description].filter((text) => text !== '').join(': '),
    drafts: type.draftAndPublish,
    ...attributesFor(type.uid, type.attributes, grants),
  };
}

/**
 * Names the types and components. Names and order do not depend on the order of the files.
 * @param grants of the reader. Relations to what it may not find are left out; private attributes always from responses,
 * and from bodies without `SCHEMAS_ACTION`.
 */
export function shapesOf(registry: Registry, grants?: Grants): ApiShapes {
  const types = [...registry.contentTypes.values()];
  const own = types.filter(({ system }) => !system).toSorted((a, b) => inOrder(a.singularName, b.singularName));
  const system = types.filter(({ uid }) => uid.startsWith('plugin::'));
  const components = [...registry.components.values()];
  const taken = new Set(RESERVED.trim().split(/\s+/));
  const owners = types.map(({ uid }) => uid);
  const claim = (text: string) => claimName(pascalCase(text), taken);
  const all = [
    ...own.map((type) => shapeOfType(type, claim(type.singularName), grants)),
    ...system.toSorted(byUid).map((type) => shapeOfType(type, claim(type.uid.replace('plugin::', '')), grants)),
    ...components.toSorted(byUid).map(({ uid, displayName, attributes }): Shape => {
      const shared = { uid, name: claim(uid), title: displayName, drafts: true };
      return { ...shared, ...attributesFor(uid, attributes, grants, owners) };
    }),
  ];
  const shapes = new Map(all.map((shape) => [shape.uid, shape]));
  const of = (uid: string): Shape => {
    const shape = shapes.get(uid);
    if (!shape) throw new Error(`the registry has no ${uid}`);
    return shape;
  };
  const targets = all.filter(
    ({ uid, contentType }) =>
      contentType && isPolymorphicTarget(contentType) && (!grants || grants.allows(actionId(uid, 'find'))),
  );
  return { all, targets, of };
}

/** Returns the shapes with endpoints, sorted by path segment. */
export function routedShapes(
  registry: Registry,
  shapes: ApiShapes,
): readonly (readonly [string, Shape, ContentType])[] {
  return [...registry.routes]
    .toSorted(([a], [b]) => inOrder(a, b))
    .map(([segment, type]) => [segment, shapes.of(type.uid), type]);
}
