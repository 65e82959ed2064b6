/**
 * @module Content types and components → the schemas of an archive: what the files say, and what Strapi adds to it.
 */
import type { SchemaFile, SchemaFiles } from '../../registry/build.ts';
import { extendedSchema, PLUGIN_SCHEMAS, type PluginSchema } from '../../registry/plugin-schemas.ts';
import { USER_UID } from '../../registry/system-types.ts';

type Json = Readonly<Record<string, unknown>>;

const CREATOR = {
  type: 'relation',
  relation: 'oneToOne',
  target: 'admin::user',
  configurable: false,
  writable: false,
  visible: false,
  useJoinTable: false,
  private: true,
};

/** The attributes that every content type of Strapi has. */
function systemAttributes(uid: string, table: string, localized: boolean): Json {
  const hidden = { configurable: false, visible: false };
  return {
    createdAt: { type: 'datetime' },
    updatedAt: { type: 'datetime' },
    publishedAt: { type: 'datetime', configurable: false, writable: true, visible: true },
    createdBy: CREATOR,
    updatedBy: CREATOR,
    locale: { writable: true, private: !localized, ...hidden, type: 'string' },
    localizations: {
      type: 'relation',
      relation: 'oneToMany',
      target: uid,
      writable: false,
      private: !localized,
      ...hidden,
      unstable_virtual: true,
      joinColumn: { name: 'document_id', referencedColumn: 'document_id', referencedTable: table },
    },
  };
}

const object = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const isLocalized = (options: Json): boolean => object(options.i18n).localized === true;

/** @param table where the type has its rows. */
export function typeSchema({ json }: SchemaFile, table: string): object {
  const { kind, info, options, pluginOptions, attributes } = object(json);
  const name = String(object(info).singularName);
  const uid = `api::${name}.${name}`;
  const drafts = { draftAndPublish: false, ...object(options) };
  const all = { ...object(attributes), ...systemAttributes(uid, table, isLocalized(object(pluginOptions))) };
  return {
    collectionName: table,
    info: object(info),
    options: drafts,
    pluginOptions: object(pluginOptions),
    attributes: all,
    kind,
    modelType: 'contentType',
    modelName: name,
    uid,
    globalId: pascal(name),
  };
}

export function componentSchema({ path, json }: SchemaFile): object {
  const [category = '', name = ''] = path
    .replace(/\.json$/, '')
    .split('/')
    .slice(-2);
  const { collectionName, info, options, attributes } = object(json);
  return {
    collectionName: collectionName ?? `components_${category}_${name}s`.replaceAll('-', '_'),
    info: object(info),
    options: object(options),
    attributes: object(attributes),
    modelType: 'component',
    modelName: name,
    uid: `${category}.${name}`,
    globalId: `Component${pascal(category)}${pascal(name)}`,
  };
}

function pluginSchema({ uid, globalId, attributes, ...rest }: PluginSchema): object {
  const [, plugin = '', name = ''] = /^plugin::([^.]+)\.(.+)$/.exec(uid) ?? [];
  return {
    ...rest,
    attributes: { ...attributes, ...systemAttributes(uid, rest.collectionName, false) },
    kind: 'collectionType',
    modelType: 'contentType',
    modelName: name,
    uid,
    plugin,
    globalId,
  };
}

/** @param tableOf the table of a content type, by its singular name. */
export const schemaLines = (files: SchemaFiles, tableOf: (singularName: string) => string): readonly object[] => [
  ...PLUGIN_SCHEMAS.map((schema) =>
    pluginSchema(schema.uid === USER_UID ? extendedSchema(schema, object(files.user?.json)) : schema),
  ),
  ...files.contentTypes.map((file) => typeSchema(file, tableOf(String(object(object(file.json).info).singularName)))),
  ...files.components.map(componentSchema),
];
