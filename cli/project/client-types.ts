/**
 * @module Generates a `.d.ts` file for clients: the types of responses and bodies.
 */
import { isList } from '../../src/content/plan/model/component-attributes.ts';
import { targetUid } from '../../src/content/plan/model/links.ts';
import { hasFacet } from '../../src/content/plan/read/facets.ts';
import { type ApiShapes, routedShapes, type Shape, shapesOf } from '../../src/features/description/shapes.ts';
import { isDocumentList, isPolymorphic, isScalar } from '../../src/schema/attribute-kinds.ts';
import type { Attribute, ContentType, Registry, ScalarAttribute } from '../../src/schema/model.ts';
import type { Settings } from '../../src/schema/settings/config.ts';
import { defaultStatus } from '../../src/schema/settings/derived.ts';
import { HELPER_TYPES } from './client-types-helpers.ts';
import { printFilters, printModel } from './model-types.ts';
import { type PresetType, presetTypes } from './preset-types.ts';
import { keyOf, listOf, type Member, printInterface, quoted } from './print-types.ts';
import { acceptedType, scalarType } from './scalar-types.ts';

const HEADER = '// Generated from content-types/ by `npx edgewise generate`: edits to this file are lost.';

/** Attributes that have a value in every document, drafts included. */
const ALWAYS_PRESENT: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'locale']);

function shownScalar(attribute: ScalarAttribute, { uid, contentType, drafts }: Shape): string {
  const { name, required } = attribute;
  const type = scalarType(attribute, uid);
  if (type === 'unknown' || (contentType && ALWAYS_PRESENT.has(name))) return type;
  if (contentType && name === 'publishedAt') return drafts ? `S extends 'draft' ? null : ${type}` : type;
  if (!required) return `${type} | null`;
  return drafts ? `${type} | Missing<S>` : type;
}

/** A member that only populate returns. */
const populated = (name: string, type: string, multiple: boolean): Member => ({
  name,
  optional: true,
  type: multiple ? listOf(type) : `${type} | null`,
});

function zoneOf(components: readonly string[], typeOf: (uid: string) => string): string {
  const members = components.map((uid) => `({ __component: ${quoted(uid)} } & ${typeOf(uid)})`);
  return members.length === 0 ? 'never' : members.join(' | ');
}

/** A document that uses a file. */
const USE = '{ readonly documentId: string; readonly __type: string }';

/** A document of any type that polymorphic relations link to. */
const typedDocument = ({ targets }: ApiShapes): string => {
  const members = targets.map(({ uid, name }) => `  | ({ __type: ${quoted(uid)} } & ${name}<S>)`);
  return `export type TypedDocument<S extends Status = 'published'> =\n${members.join('\n')};`;
};

/** The types of an attribute in responses and in bodies, where it is part of them. */
function typesOf(attribute: Attribute, shape: Shape, shapes: ApiShapes): { shown?: Member; written?: string } {
  const { name } = attribute;
  const typeOf = (uid: string) => `${shapes.of(uid).name}<S>`;
  const writtenOf = (uid: string) => `ComponentInput<${shapes.of(uid).name}Input>`;
  switch (attribute.kind) {
    case 'scalar': {
      return { shown: { name, type: shownScalar(attribute, shape) }, written: acceptedType(attribute, shape.uid) };
    }
    case 'relation':
    case 'media': {
      const target = targetUid(attribute);
      const written = attribute.multiple ? 'ToManyInput' : 'ToOneInput';
      return { shown: populated(name, typeOf(target), attribute.multiple), written };
    }
    case 'polymorphic': {
      const written = attribute.multiple ? 'TypedInput' : 'TypedReference | TypedInput';
      return { shown: populated(name, 'TypedDocument<S>', attribute.multiple), written };
    }
    case 'component': {
      const { component, repeatable } = attribute;
      const written = repeatable ? `readonly ${listOf(writtenOf(component))}` : writtenOf(component);
      return { shown: populated(name, typeOf(component), repeatable), written };
    }
    case 'dynamiczone': {
      const written = `readonly ${listOf(zoneOf(attribute.components, writtenOf))}`;
      return { shown: populated(name, zoneOf(attribute.components, typeOf), true), written };
    }
    case 'localizations':
      return { shown: populated(name, typeOf(shape.uid), true) };
    case 'related':
      return { shown: populated(name, USE, true) };
    case 'creator':
      return {};
    default:
      return attribute satisfies never;
  }
}

/** The numbers of all targets of populated lists. */
function countsOf({ shown }: Shape): readonly Member[] {
  const lists = shown.filter(isDocumentList).map(({ name }) => `${keyOf(name)}?: number`);
  return lists.length > 0 ? [{ name: '$counts', optional: true, type: `{ ${lists.join('; ')} }` }] : [];
}

function printResponse(shape: Shape, shapes: ApiShapes): string {
  const identity = [{ name: 'id', type: 'number' }];
  if (shape.contentType) identity.push({ name: 'documentId', type: 'string' });
  const members = shape.shown.flatMap((attribute) => typesOf(attribute, shape, shapes).shown ?? []);
  return printInterface(shape.title, `${shape.name}<S extends Status = 'published'>`, [
    ...identity,
    ...members,
    ...countsOf(shape),
  ]);
}

function printInput(shape: Shape, shapes: ApiShapes): string {
  const members = shape.written.flatMap((attribute): readonly Member[] => {
    const { name, required } = attribute;
    const { written: type } = typesOf(attribute, shape, shapes);
    if (type === undefined) return [];
    // `null` clears an attribute; `[]` clears a list of components, which rejects null.
    const isNullable = !required && type !== 'unknown' && !isList(attribute);
    const optional = !required || (isScalar(attribute) && attribute.default !== undefined);
    return [{ name, optional, type: isNullable ? `${type} | null` : type }];
  });
  const doc = shape.contentType ? `Data of a new, published ${shape.name}` : `A new ${shape.name} in a body`;
  return printInterface(doc, `${shape.name}Input`, members);
}

/** What `meta.facets` of a list may have. */
function facetsOf({ shown, uid }: Shape): string {
  const members = shown.filter(hasFacet).map((attribute) => {
    const facet = isScalar(attribute) ? `ValueFacet<${scalarType(attribute, uid)}>` : 'DocumentFacet';
    return `${keyOf(attribute.name)}?: ${facet}[]`;
  });
  return members.length > 0 ? `{ ${members.join('; ')} }` : 'never';
}

/** An entry of `ContentTypes`, with the methods that its paths have for the reader. */
export interface TypedRoute {
  readonly segment: string;
  readonly shape: Shape;
  readonly type: ContentType;
  readonly creates: boolean;
  readonly updates: boolean;
  readonly publishes: boolean;
  /** Does a write without `status` make a draft? */
  readonly draftsFirst: boolean;
}

function printContentTypes(routes: readonly TypedRoute[], extended: boolean): string {
  const members = routes.map(({ segment, shape, type: { kind, uid }, creates, updates, publishes, draftsFirst }) => {
    const { name } = shape;
    const status = draftsFirst ? `; defaultStatus: 'draft'` : '';
    const create = creates ? `${name}Input` : 'never';
    const update = updates ? `Partial<${name}Input>` : 'never';
    const action = publishes ? 'PublicationAction' : 'never';
    const facets = kind === 'collectionType' && extended ? facetsOf(shape) : 'never';
    const read = `uid: ${quoted(uid)}; kind: '${kind}'; document: ${name}; draft: ${name}<'draft'>; facets: ${facets}`;
    const written = `create: ${create}; update: ${update}; action: ${action}${status}`;
    return { name: segment, type: `{ ${read}; ${written}; model: ${name}Model; draftModel: ${name}Model<'draft'> }` };
  });
  const doc = 'What is served at /api/<key>, and what POST, PUT and actions take there.';
  return printInterface(doc, 'ContentTypes', members);
}

/** What the types of clients are made of: a project, or the description of a deployment. */
export interface TypesSource {
  readonly header: string;
  readonly shapes: ApiShapes;
  readonly routes: readonly TypedRoute[];
  readonly presets: readonly PresetType[];
  /** Does the API have what Strapi's does not: presets, facets, unique values in paths? */
  readonly extended: boolean;
}

/**
 * Returns a module of declarations: of each content type and component an interface, and types of bodies, filters and
 * what queries may name; and `ContentTypes`, which maps path segments to types. Documents are published unless written
 * as `Article<'draft'>`; members that only `populate` returns are optional.
 */
export function printTypes({ header, shapes, routes, presets, extended }: TypesSource): string {
  const responses = shapes.all.map((shape) => printResponse(shape, shapes));
  const inputs = shapes.all.filter(({ contentType }) => !contentType?.system).map((shape) => printInput(shape, shapes));
  const isUsed = shapes.all.some(({ shown }) => shown.some(isPolymorphic));
  const typed = isUsed ? [typedDocument(shapes)] : [];
  const parts = [
    header,
    HELPER_TYPES,
    ...responses,
    ...typed,
    ...inputs,
    ...presets.map(({ declaration }) => declaration),
    ...shapes.all.map((shape) => printFilters(shape, shapes)),
    ...shapes.all.map((shape) => printModel(shape, shapes, presets, extended)),
    printContentTypes(routes, extended),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Returns the types of a project, for a caller who may do everything. */
export function describeTypes(registry: Registry, settings: Settings): string {
  const shapes = shapesOf(registry);
  const { extensions: extended, publication } = settings.api.rest;
  const routes = routedShapes(registry, shapes).map(([segment, shape, type]) => {
    const creates = type.kind === 'collectionType';
    const publishes = publication && type.draftAndPublish;
    const draftsFirst = type.draftAndPublish && defaultStatus(settings, type.uid) === 'draft';
    return { segment, shape, type, creates, updates: true, publishes, draftsFirst };
  });
  return printTypes({ header: HEADER, shapes, routes, presets: presetTypes(registry, shapes, settings), extended });
}
