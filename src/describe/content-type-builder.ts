/**
 * @module The schemas of a deployment in the form of Strapi's content-type-builder.
 */
import * as z from 'zod/mini';
import type { Registry, SchemaJson } from '../registry/model.ts';
import { PANEL_PLUGIN_SCHEMAS, PANEL_SCHEMAS } from '../registry/panel-schemas.ts';
import { extendedSchema, PLUGIN_SCHEMAS, type PluginSchema } from '../registry/plugin-schemas.ts';
import { FILE_UID } from '../registry/system-types.ts';

const KINDS = ['collectionType', 'singleType'] as const;
const firstOf = z.transform((value) => (Array.isArray(value) ? value[0] : value));

/** The query of a list of types. */
export const TYPES_QUERY = z.object({
  kind: z.optional(
    z.pipe(firstOf, z.enum(KINDS, { error: `kind must be one of the following values: ${KINDS.join(', ')}` })),
  ),
});

type Json = Readonly<Record<string, unknown>>;

const object = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

const isLocked = ({ configurable }: Json): object => (configurable === false ? { configurable } : {});

function builderAttribute(json: Json): Json {
  const flags = { required: json.required === true, private: json.private === true };
  const { type, multiple, allowedTypes, pluginOptions, inversedBy, mappedBy } = json;
  if (type === 'media')
    return { type, multiple: multiple === true, ...flags, ...isLocked(json), allowedTypes, pluginOptions };
  return type === 'relation' ? { ...json, targetAttribute: inversedBy ?? mappedBy ?? null, ...flags } : json;
}

/** Attributes that the admin panel shows. */
const builderAttributes = (attributes: unknown): Json =>
  Object.fromEntries(
    Object.entries(object(attributes))
      .filter(([, json]) => object(json).visible !== false)
      .map(([name, json]) => [name, builderAttribute(object(json))]),
  );

const isVisible = ({ pluginOptions }: Json): boolean =>
  object(object(pluginOptions)['content-type-builder']).visible !== false;

/** Which relations the panel lets its users make to a type. */
function relationsTo(uid: string, visible: boolean): readonly string[] | null {
  if (uid === 'admin::user') return ['oneWay', 'manyWay'];
  return uid === FILE_UID || !visible ? [] : null;
}

/** @param owner the plugin of the type; undefined for types of the project. */
function builderType(uid: string, owner: string | undefined, json: Json, collectionName: unknown) {
  const { displayName, singularName, pluralName, description = '' } = object(json.info);
  const visible = isVisible(json);
  return {
    uid,
    ...(owner !== undefined && { plugin: owner }),
    apiID: singularName,
    schema: {
      draftAndPublish: false,
      ...object(json.options),
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
  const { displayName = uid, description = '', icon } = object(info);
  const shown = { displayName, description, icon, collectionName, pluginOptions };
  return {
    uid,
    category,
    apiId: name.join('.'),
    schema: { ...shown, attributes: builderAttributes(attributes) },
  };
}

const ofUpload = ({ uid }: { readonly uid: string }): boolean =>
  uid.startsWith('plugin::upload.') || uid.startsWith('plugin::i18n.');

/**
 * Returns all responses of the content-type-builder, in the order in which Strapi lists them: plugins, the project's
 * own, the admin panel.
 */
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
