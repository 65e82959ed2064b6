/**
 * @module The schemas of an archive → schema files as they stand in content-types/.
 */
import type { SchemaFile, SchemaFiles } from '../../registry/build.ts';
import { FIELDS } from '../../registry/fields.ts';
import { USER_UID } from '../../registry/system-types.ts';
import { ownAttributeNames } from '../../registry/user-type.ts';
import { counted } from '../core/counted.ts';
import { isPolymorphic } from '../project/attribute-kinds.ts';
import { CONTENT_TYPES, USER_FILE } from '../project/project.ts';
import type { ArchiveSchema } from './records.ts';
import type { Remarks } from './remarks.ts';

const SYSTEM = new Set(['createdAt', 'updatedAt', 'publishedAt', 'createdBy', 'updatedBy', 'locale', 'localizations']);
/** What an attribute has in an archive, and no file says. */
const COMPUTED = ['useJoinTable', 'joinColumn', 'joinTable'];
const TARGETS = /^api::|^plugin::(users-permissions\.(user|role)|upload\.file)$/;

const isApi = ({ uid }: ArchiveSchema): boolean => uid.startsWith('api::');
const isComponent = ({ uid, modelType }: ArchiveSchema): boolean => modelType === 'component' || !uid.includes('::');

/** `api::blog.post` is `api::post.post` here: a type is called by its singular name. */
function uidHere({ uid, info }: ArchiveSchema): string {
  const name = info?.singularName;
  return name === undefined ? uid : `api::${name}.${name}`;
}

/** uid in the archive → uid here, of the types that are called otherwise. */
export const renamedTypes = (schemas: readonly ArchiveSchema[]): ReadonlyMap<string, string> =>
  new Map(
    schemas
      .filter((schema) => isApi(schema) && uidHere(schema) !== schema.uid)
      .map((schema) => [schema.uid, uidHere(schema)]),
  );

const KNOWN_TYPES: ReadonlySet<string> = new Set([...Object.keys(FIELDS), 'media', 'component', 'dynamiczone']);

type AttributeJson = Readonly<Record<string, unknown>>;

/** What of a survey is needed. */
interface Source {
  readonly schemas: readonly ArchiveSchema[];
  readonly linkCounts: ReadonlyMap<string, number>;
}

interface Model {
  /** uid in the archive → its schema. */
  readonly schemas: ReadonlyMap<string, ArchiveSchema>;
  readonly renamed: ReadonlyMap<string, string>;
  readonly remarks: Remarks;
  readonly source: Source;
}

type Schemas = Pick<Model, 'schemas'>;

const isKnownTarget = (target: string, { schemas }: Schemas): boolean =>
  TARGETS.test(target) && (!target.startsWith('api::') || schemas.has(target));

/** The other side of a relation that this side names. */
const otherSide = ({ target }: AttributeJson, name: unknown, { schemas }: Schemas): boolean =>
  schemas.get(String(target))?.attributes[String(name)]?.type === 'relation';

function unfitRelation(json: AttributeJson, model: Schemas): string | undefined {
  const { relation, target, mappedBy } = json;
  if (isPolymorphic(json)) return `a polymorphic relation (${relation}), which is not supported yet`;
  if (typeof target !== 'string' || !isKnownTarget(target, model))
    return `a relation to ${String(target)}, which is not there`;
  return mappedBy === undefined || otherSide(json, mappedBy, model) ? undefined : 'a relation without its other side';
}

/** Why an attribute has no place here; undefined for one that has. */
function unfit(json: AttributeJson, model: Schemas): string | undefined {
  const { type, component } = json;
  if (type === 'relation') return unfitRelation(json, model);
  if (type === 'component' && !model.schemas.has(String(component)))
    return `a component ${String(component)}, which is not there`;
  return typeof type === 'string' && KNOWN_TYPES.has(type)
    ? undefined
    : `of the type ${String(type)}, which is not known`;
}

/** What goes with an attribute that is left out. */
function contentOf(uid: string, name: string, { type }: AttributeJson, { linkCounts }: Source): string {
  return type === 'relation' ? counted(linkCounts.get(`${uid}.${name}`) ?? 0, 'link') : 'its values';
}

/** The relations of the project that have no place here, each with the uid of its type or component. */
export function unfitRelations(schemas: readonly ArchiveSchema[]): readonly (readonly [uid: string, name: string])[] {
  const model = { schemas: new Map(schemas.map((schema) => [schema.uid, schema])) };
  const own = schemas.filter((schema) => isApi(schema) || isComponent(schema) || schema.uid === USER_UID);
  return own.flatMap(({ uid, attributes }) =>
    Object.entries(attributes)
      .filter(([name, json]) => !SYSTEM.has(name) && json.type === 'relation' && unfitRelation(json, model))
      .map(([name]) => [uid, name] as const),
  );
}

function attributeHere(json: AttributeJson, model: Model): AttributeJson {
  const kept = Object.fromEntries(Object.entries(json).filter(([key]) => !COMPUTED.includes(key)));
  const target = model.renamed.get(String(json.target));
  const components = Array.isArray(json.components) && json.components.filter((uid) => model.schemas.has(String(uid)));
  if (json.inversedBy !== undefined && !otherSide(json, json.inversedBy, model)) delete kept.inversedBy;
  return { ...kept, ...(target !== undefined && { target }), ...(components && { components }) };
}

function attributesOf({ uid, attributes }: ArchiveSchema, model: Model) {
  const entries = Object.entries(attributes).flatMap(([name, json]) => {
    if (SYSTEM.has(name)) return [];
    const why = unfit(json, model);
    if (why === undefined) return [[name, attributeHere(json, model)] as const];
    model.remarks.note(`${uid}.${name} is ${why}; left out with ${contentOf(uid, name, json, model.source)}`);
    return [];
  });
  return Object.fromEntries(entries);
}

const present = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** A schema in the order of keys in which Strapi writes its files. */
function jsonOf(schema: ArchiveSchema, model: Model): object {
  const { kind, collectionName, info, options, pluginOptions } = schema;
  const attributes = attributesOf(schema, model);
  return present({ kind, collectionName, info, options, pluginOptions, attributes });
}

function componentPath(uid: string): string {
  const [category = '', ...name] = uid.split('.');
  return `${CONTENT_TYPES}/components/${category}/${name.join('.')}.json`;
}

/** A name may become a path. */
const isPlain = (uid: string): boolean => /^(api::[\w-]+\.[\w-]+|[\w-]+\.[\w-]+)$/.test(uid);

const byPath = (left: SchemaFile, right: SchemaFile): number => (left.path < right.path ? -1 : 1);

/** The schema files that the archive asks for; what has no place here is left out with a remark. */
export function schemaFilesOf(source: Source, remarks: Remarks): SchemaFiles {
  const { schemas } = source;
  const renamed = renamedTypes(schemas);
  const named = schemas.filter(({ uid }) => isPlain(uid) || uid.includes('::'));
  remarks.note('a schema has a name that no schema has; not taken', schemas.length - named.length);
  const model: Model = { schemas: new Map(schemas.map((schema) => [schema.uid, schema])), renamed, remarks, source };
  const fileOf = (path: string, schema: ArchiveSchema): SchemaFile => ({ path, json: jsonOf(schema, model) });
  const types = named.filter((schema) => isApi(schema) && isPlain(uidHere(schema)));
  for (const [before, now] of renamed) remarks.note(`${before} is called ${now} here, after its singular name`);
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
