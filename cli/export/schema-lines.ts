/**
 * @module Builds the schemas of an archive: those of the files, and what Strapi adds to them.
 */
import { type JsonObject, readObject } from '../../src/common/json.ts';
import { extendedSchema, PLUGIN_SCHEMAS, type PluginSchema } from '../../src/features/description/plugin-schemas.ts';
import type { SchemaFile, SchemaFiles } from '../../src/schema/build.ts';
import { USER_UID } from '../../src/schema/system-types.ts';

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
function systemAttributes(uid: string, table: string, localized: boolean): JsonObject {
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

const pascal = (text: string): string =>
  text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]|$)/g, (_, first: string) => first.toUpperCase());

function typeSchema({ json }: SchemaFile, table: string): object {
  const { kind, ...parts } = readObject(json);
  const [info, pluginOptions] = [readObject(parts.info), readObject(parts.pluginOptions)];
  const name = String(info.singularName);
  const uid = `api::${name}.${name}`;
  const isLocalized = readObject(pluginOptions.i18n).localized === true;
  return {
    collectionName: table,
    info,
    options: { draftAndPublish: false, ...readObject(parts.options) },
    pluginOptions,
    attributes: { ...readObject(parts.attributes), ...systemAttributes(uid, table, isLocalized) },
    kind,
    modelType: 'contentType',
    modelName: name,
    uid,
    globalId: pascal(name),
  };
}

function componentSchema({ path, json }: SchemaFile): object {
  const [category = '', name = ''] = path
    .replace(/\.json$/, '')
    .split('/')
    .slice(-2);
  const { collectionName, info, options, attributes } = readObject(json);
  return {
    collectionName: collectionName ?? `components_${category}_${name}s`.replaceAll('-', '_'),
    info: readObject(info),
    options: readObject(options),
    attributes: readObject(attributes),
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
    pluginSchema(schema.uid === USER_UID ? extendedSchema(schema, readObject(files.user?.json)) : schema),
  ),
  ...files.contentTypes.map((file) =>
    typeSchema(file, tableOf(String(readObject(readObject(file.json).info).singularName))),
  ),
  ...files.components.map(componentSchema),
];
