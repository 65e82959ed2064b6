/**
 * @module The schemas of an archive → schema files as they stand in content-types/.
 */
import type { SchemaFile, SchemaFiles } from '../../src/schema/build.ts';
import { FIELDS } from '../../src/schema/fields.ts';
import { USER_UID } from '../../src/schema/system-types.ts';
import { ownAttributeNames } from '../../src/schema/user-type.ts';
import { CONTENT_TYPES, USER_FILE } from '../project/project.ts';
import type { ArchiveSchema } from './archive-lines.ts';
import type { Warnings } from './survey.ts';

const SYSTEM = new Set(['createdAt', 'updatedAt', 'publishedAt', 'createdBy', 'updatedBy', 'locale', 'localizations']);
/** What an attribute has in an archive, and no file says. */
const COMPUTED = ['useJoinTable', 'joinColumn', 'joinTable'];
/** The uids that a relation may lead to. */
export const TARGETS = /^api::|^plugin::(users-permissions\.(user|role)|upload\.file)$/;

const isApi = ({ uid }: ArchiveSchema): boolean => uid.startsWith('api::');
const isComponent = ({ uid, modelType }: ArchiveSchema): boolean => modelType === 'component' || !uid.includes('::');

/** `api::blog.post` is `api::post.post` here: a type is called by its singular name. */
function uidHere({ uid, info }: ArchiveSchema): string {
  const name = info?.singularName;
  return name === undefined ? uid : `api::${name}.${name}`;
}

/** uid in the archive → uid here, of the types that are called otherwise. */
export function renamedTypes(schemas: readonly ArchiveSchema[]): ReadonlyMap<string, string> {
  const uids = schemas.filter(isApi).map((schema) => [schema.uid, uidHere(schema)] as const);
  return new Map(uids.filter(([before, now]) => before !== now));
}

const KNOWN_TYPES: ReadonlySet<string> = new Set([...Object.keys(FIELDS), 'media', 'component', 'dynamiczone']);

type AttributeJson = Readonly<Record<string, unknown>>;

/** uid in the archive → its schema. */
type Schemas = ReadonlyMap<string, ArchiveSchema>;

/** Does the other side of a relation have the attribute that this side names? */
const hasOtherSide = ({ target }: AttributeJson, name: unknown, schemas: Schemas): boolean =>
  schemas.get(String(target))?.attributes[String(name)]?.type === 'relation';

/** Why an attribute has no place here; undefined for one that has. */
function unfit(json: AttributeJson, schemas: Schemas): string | undefined {
  const { type, component, relation, target, mappedBy = json.morphBy } = json;
  if (type === 'component' && !schemas.has(String(component)))
    return `a component ${String(component)}, which is not there`;
  if (type !== 'relation')
    return KNOWN_TYPES.has(String(type)) ? undefined : `of the type ${String(type)}, which is not known`;
  if (relation === 'morphToOne' || relation === 'morphToMany') return undefined;
  if (typeof target !== 'string' || !TARGETS.test(target) || (target.startsWith('api::') && !schemas.has(target)))
    return `a relation to ${String(target)}, which is not there`;
  if (mappedBy === undefined || hasOtherSide(json, mappedBy, schemas)) return undefined;
  return 'a relation without its other side';
}

const byUid = (schemas: readonly ArchiveSchema[]): Schemas => new Map(schemas.map((schema) => [schema.uid, schema]));

/** The relations of the project that have no place here, each with the uid of its type or component. */
export function unfitRelations(schemas: readonly ArchiveSchema[]): readonly (readonly [uid: string, name: string])[] {
  const known = byUid(schemas);
  const own = schemas.filter((schema) => isApi(schema) || isComponent(schema) || schema.uid === USER_UID);
  return own.flatMap(({ uid, attributes }) =>
    Object.entries(attributes)
      .filter(([name, json]) => !SYSTEM.has(name) && json.type === 'relation' && unfit(json, known))
      .map(([name]) => [uid, name] as const),
  );
}

function componentPath(uid: string): string {
  const [category = '', ...name] = uid.split('.');
  return `${CONTENT_TYPES}/components/${category}/${name.join('.')}.json`;
}

/** A name may become a path. */
const isPlain = (uid: string): boolean => /^(api::[\w-]+\.[\w-]+|[\w-]+\.[\w-]+)$/.test(uid);

const byPath = (left: SchemaFile, right: SchemaFile): number => (left.path < right.path ? -1 : 1);

/** Returns the schema files of an archive; leaves out with a warning what Edgewise does not support. */
export function schemaFilesOf(
  { schemas }: { readonly schemas: readonly ArchiveSchema[] },
  warnings: Warnings,
): SchemaFiles {
  const renamed = renamedTypes(schemas);
  const known = byUid(schemas);

  const attributeHere = (json: AttributeJson): AttributeJson => {
    const kept = Object.fromEntries(Object.entries(json).filter(([key]) => !COMPUTED.includes(key)));
    const target = renamed.get(String(json.target));
    const components = Array.isArray(json.components) && json.components.filter((uid) => known.has(String(uid)));
    if (json.inversedBy !== undefined && !hasOtherSide(json, json.inversedBy, known)) delete kept.inversedBy;
    return { ...kept, ...(target !== undefined && { target }), ...(components && { components }) };
  };

  const attributesHere = ({ uid, attributes }: ArchiveSchema) =>
    Object.entries(attributes).flatMap(([name, json]) => {
      if (SYSTEM.has(name)) return [];
      const why = unfit(json, known);
      if (why === undefined) return [[name, attributeHere(json)]];
      warnings.addLoss(`${uid}.${name} is ${why}; left out with its ${json.type === 'relation' ? 'links' : 'values'}`);
      return [];
    });

  /** With keys in the order in which Strapi writes them. */
  const fileOf = (path: string, schema: ArchiveSchema): SchemaFile => {
    const { kind, collectionName, info, options, pluginOptions } = schema;
    const attributes = Object.fromEntries(attributesHere(schema));
    const json = { kind, collectionName, info, options, pluginOptions, attributes };
    return { path, json: Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined)) };
  };

  const named = schemas.filter(({ uid }) => isPlain(uid) || uid.includes('::'));
  warnings.addLoss('a schema has a name that no schema has; not taken', schemas.length - named.length);
  const types = named.filter((schema) => isApi(schema) && isPlain(uidHere(schema)));
  for (const [before, now] of renamed) warnings.add(`${before} is called ${now} here, after its singular name`);
  const components = named.filter((schema) => isComponent(schema) && isPlain(schema.uid));
  const users = schemas.find(({ uid, attributes }) => uid === USER_UID && ownAttributeNames(attributes).length > 0);
  return {
    ...(users && { user: fileOf(USER_FILE, users) }),
    contentTypes: types
      .map((schema) => fileOf(`${CONTENT_TYPES}/${uidHere(schema).replace(/^.*\./, '')}/schema.json`, schema))
      .sort(byPath),
    components: components.map((schema) => fileOf(componentPath(schema.uid), schema)).sort(byPath),
  };
}
