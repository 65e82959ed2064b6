/**
 * @module The schemas of a deployment in the form of Strapi's content-type-builder.
 */
import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../common/json.ts';
import type { Registry, SchemaJson } from '../../schema/model.ts';
import { PANEL_PLUGIN_SCHEMAS, PANEL_SCHEMAS } from './panel-schemas.ts';
import { extendedSchema, PLUGIN_SCHEMAS, type PluginSchema } from './plugin-schemas.ts';

const KINDS = ['collectionType', 'singleType'] as const;
const firstOf = z.transform((value) => (Array.isArray(value) ? value[0] : value));

export const TYPES_QUERY = z.object({
  kind: z.optional(
    z.pipe(firstOf, z.enum(KINDS, { error: `kind must be one of the following values: ${KINDS.join(', ')}` })),
  ),
});

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

function builderAttribute(json: JsonObject): JsonObject {
  const flags = { required: json.required === true, private: json.private === true };
  const { type, multiple, configurable, allowedTypes, pluginOptions, inversedBy, mappedBy } = json;
  const locked = configurable === false && { configurable };
  if (type === 'media') return { type, multiple: multiple === true, ...flags, ...locked, allowedTypes, pluginOptions };
  return type === 'relation' ? { ...json, targetAttribute: inversedBy ?? mappedBy ?? null, ...flags } : json;
}

/** Returns the attributes that the admin panel shows. */
const builderAttributes = (attributes: unknown): JsonObject =>
  Object.fromEntries(
    Object.entries(objectOf(attributes))
      .map(([name, json]) => [name, objectOf(json)] as const)
      .filter(([, json]) => json.visible !== false)
      .map(([name, json]) => [name, builderAttribute(json)]),
  );

/** Returns the kinds of relations to a type that the panel offers; null for all. */
function relationsTo(uid: string, visible: boolean): readonly string[] | null {
  if (uid === 'admin::user') return ['oneWay', 'manyWay'];
  return visible ? null : [];
}

/** @param owner the plugin of the type; undefined for types of the project */
function builderType(uid: string, owner: string | undefined, json: JsonObject, collectionName: unknown) {
  const { displayName, singularName, pluralName, description = '' } = objectOf(json.info);
  const visible = objectOf(objectOf(json.pluginOptions)['content-type-builder']).visible !== false;
  return {
    uid,
    plugin: owner,
    apiID: singularName,
    schema: {
      draftAndPublish: false,
      ...objectOf(json.options),
      displayName: displayName ?? singularName,
      singularName,
      pluralName,
      description,
      pluginOptions: json.pluginOptions,
      kind: json.kind ?? 'collectionType',
      collectionName,
      attributes: builderAttributes(json.attributes),
      visible,
      restrictRelationsTo: relationsTo(uid, visible),
    },
  };
}

/** `plugin::upload.file` → `upload`, `admin::user` → `admin` */
const ownerOf = (uid: string): string => uid.replace(/^plugin::/, '').replace(/(\.|::).*$/, '');

const ownType = (schema: PluginSchema) =>
  builderType(schema.uid, ownerOf(schema.uid), { ...schema }, schema.collectionName);

function builderComponent(uid: string, { info, pluginOptions, collectionName, attributes }: SchemaJson) {
  const [category = '', ...name] = uid.split('.');
  const { displayName = uid, description = '', icon } = objectOf(info);
  const shown = { displayName, description, icon, collectionName, pluginOptions };
  return { uid, category, apiId: name.join('.'), schema: { ...shown, attributes: builderAttributes(attributes) } };
}

const ofUpload = ({ uid }: { readonly uid: string }): boolean =>
  uid.startsWith('plugin::upload.') || uid.startsWith('plugin::i18n.');

/** Returns all types and components, types in Strapi's order: plugins, the project, the admin panel. */
export function builderSchemas({ contentTypes, components, schemas }: Registry) {
  const own = [...contentTypes.values()]
    .filter(({ system }) => !system)
    .map(({ uid, table }) => builderType(uid, undefined, { ...schemas.get(uid) }, table));
  const stored = PLUGIN_SCHEMAS.map((schema) => ownType(extendedSchema(schema, schemas.get(schema.uid) ?? {})));
  return {
    contentTypes: [
      ...stored.filter(ofUpload),
      ...PANEL_PLUGIN_SCHEMAS.map(ownType),
      ...stored.filter((type) => !ofUpload(type)),
      ...own,
      ...PANEL_SCHEMAS.map(ownType),
    ],
    components: [...components.keys()].map((uid) => builderComponent(uid, schemas.get(uid) ?? {})),
  };
}

export type BuilderSchemas = ReturnType<typeof builderSchemas>;
