/**
 * @module The description of a deployment (`/openapi.json`) → the types of its clients, as far as its reader may see it.
 */
import { isObject, type JsonObject } from '../../src/common/json.ts';
import { type ApiShapes, routedShapes, type Shape, shapesOf } from '../../src/features/description/shapes.ts';
import { buildRegistry, type SchemaFile, TRUSTED } from '../../src/schema/build.ts';
import { PUBLICATION_ACTIONS, pathOfAction } from '../../src/schema/publication.ts';
import { FILE_UID, USER_UID } from '../../src/schema/system-types.ts';
import { printTypes, type TypedRoute } from './client-types.ts';
import { documentType } from './described-presets.ts';
import { type PresetType, presetType } from './preset-types.ts';

const follow = (value: unknown, ...keys: readonly string[]): JsonObject =>
  keys.reduce<JsonObject>((parent, key) => (isObject(parent[key]) ? parent[key] : {}), isObject(value) ? value : {});

const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

const KINDS: readonly unknown[] = ['collectionType', 'singleType'];

/** As the settings name presets: what a name becomes is a name in TypeScript. */
const PRESET = /^@[a-z]\w*$/i;

/** A content type or component of the extensions, as its schema file. */
const fileOf = (path: string, { schema }: JsonObject): SchemaFile => {
  const { displayName, singularName, pluralName, description, draftAndPublish, ...rest } = follow(schema);
  const info = { displayName, singularName, pluralName, description };
  return { path, json: { ...rest, info, options: { draftAndPublish } } };
};

/** Names that zones and components have, with nothing that the reader sees. */
const EMPTY = { schema: { attributes: {} } };

function registryIn(description: JsonObject) {
  const types = listOf(description['x-content-types']);
  const components = listOf(description['x-components']);
  const typeOf = (uid: string) => types.find((type) => type.uid === uid);
  const own = types.filter(({ uid }) => String(uid).startsWith('api::'));
  const odd = own.find(({ schema }) => !KINDS.includes(follow(schema).kind));
  if (odd) throw new Error(`${odd.uid}: expected kind to be one of ${KINDS.join(', ')}`);
  const user = typeOf(USER_UID);
  const attributes = [...own, ...components].flatMap(({ schema }) => Object.values(follow(schema, 'attributes')));
  const used = attributes.filter(isObject).flatMap((each) => [each.component ?? [], each.components ?? []].flat());
  const known = new Map(components.map((component) => [String(component.uid), component]));
  const uids = [...known.keys(), ...used.map(String).filter((uid) => !known.has(uid))];
  return buildRegistry(
    {
      contentTypes: own.map((type) => fileOf(String(type.uid), type)),
      components: [...new Set(uids)].map((uid) =>
        fileOf(`components/${uid.replace('.', '/')}.json`, known.get(uid) ?? EMPTY),
      ),
      ...(user && { user: fileOf(USER_UID, user) }),
      placeholders: 'thumbHash' in follow(typeOf(FILE_UID), 'schema', 'attributes'),
    },
    TRUSTED,
  );
}

/** Of the names of the schemas of a content type or component. */
const FORMS = ['', 'Created', 'Input', 'Update'] as const;

/** Leaves out attributes that no schema of the description has in responses, or in bodies. */
function visibleShapes(shapes: ApiShapes, schemas: JsonObject): ApiShapes {
  const named = (...names: readonly string[]) =>
    new Set(names.flatMap((name) => Object.keys(follow(schemas, name, 'properties'))));
  const isNamed = (name: string) => FORMS.some((form) => name + form in schemas);
  const taken = new Set(shapes.all.map(({ name }) => name));
  /** A hidden type of the same name has made it `Name2`. */
  const numberedName = (name: string) =>
    Object.keys(schemas).find(
      (each) => !taken.has(each) && each.startsWith(name) && /^\d+$/.test(each.slice(name.length)),
    );
  const visible = (shape: Shape): Shape => {
    const { contentType } = shape;
    const isDescribed = isNamed(shape.name);
    const name = isDescribed ? shape.name : (numberedName(shape.name) ?? shape.name);
    // What Edgewise declares itself is the same everywhere.
    if (contentType?.system && !isDescribed) return shape;
    const shown = named(name, `${name}Created`);
    const written = named(`${name}Input`, `${name}Update`);
    return {
      ...shape,
      name,
      shown: shape.shown.filter((attribute) => shown.has(attribute.name)),
      written: shape.written.filter((attribute) => written.has(attribute.name)),
    };
  };
  const all = shapes.all.map(visible);
  const byUid = new Map(all.map((shape) => [shape.uid, shape]));
  const of = (uid: string): Shape => byUid.get(uid) ?? shapes.of(uid);
  const typed = follow(schemas, 'TypedDocument', 'discriminator', 'mapping');
  return { all, of, targets: all.filter(({ uid }) => uid in typed) };
}

/** Is it the `status` of a write that makes a draft where it is not named? A caller who writes drafts alone has one of its own. */
const isDraftByDefault = ({ $ref, name, schema }: JsonObject): boolean =>
  $ref === '#/components/parameters/WrittenDraft' || (name === 'status' && follow(schema).default === 'draft');

function routeOf(paths: JsonObject, [segment, shape, type]: ReturnType<typeof routedShapes>[number]): TypedRoute {
  const at = type.kind === 'singleType' ? `/api/${segment}` : `/api/${segment}/{documentId}`;
  const creates = type.kind === 'collectionType' && 'post' in follow(paths, `/api/${segment}`);
  const parameters = [follow(paths, `/api/${segment}`, 'post'), follow(paths, at, 'put')].flatMap((operation) =>
    listOf(operation.parameters),
  );
  const draftsFirst = parameters.some(isDraftByDefault);
  const publishes = PUBLICATION_ACTIONS.some((action) => `${at}/actions/${pathOfAction(action)}` in paths);
  return { segment, shape, type, creates, updates: 'put' in follow(paths, at), publishes, draftsFirst };
}

/** Returns the presets that the list of a type names. */
function presetsIn(paths: JsonObject, schemas: JsonObject, { segment, shape }: TypedRoute, shapes: ApiShapes) {
  const refs = follow(paths, `/api/${segment}`, 'get', 'x-presets');
  return Object.entries(refs).map(([preset, ref]): PresetType => {
    if (!PRESET.test(preset)) throw new Error(`/api/${segment}: ${JSON.stringify(preset)} is no name of a preset`);
    const name = String(follow(ref).$ref).replace(/^.*\//, '');
    return presetType(shape, preset, documentType(follow(schemas, name), shape, shapes));
  });
}

/** @throws Error for what is no description of Edgewise, or has names that are none */
export function describedTypes(description: unknown, header: string): string {
  const document = follow(description);
  if (!Array.isArray(document['x-content-types']))
    throw new Error('expected x-content-types, which Edgewise has since 0.2');
  const paths = follow(document, 'paths');
  const schemas = follow(document, 'components', 'schemas');
  const registry = registryIn(document);
  const shapes = visibleShapes(shapesOf(registry), schemas);
  const routes = routedShapes(registry, shapes)
    .map((route) => routeOf(paths, route))
    .filter(({ segment }) => Object.keys(paths).some((path) => `${path}/`.startsWith(`/api/${segment}/`)));
  const presets = routes.flatMap((route) => presetsIn(paths, schemas, route, shapes));
  const { anyOf } = follow(document, 'components', 'parameters', 'Populate', 'schema');
  // Strapi's lists have no `limit` there.
  const extended = listOf(anyOf).some((each) => 'limit' in follow(each, 'additionalProperties', 'properties'));
  return printTypes({ header, shapes, routes, presets, extended });
}
