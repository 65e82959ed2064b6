/**
 * @module The extensions `x-content-types` and `x-components` of an OpenAPI document: the schemas of what it describes, in
 * the form of the content-type-builder, each type with the names of the actions that the reader is granted, and of those that are limited to drafts.
 */
import { contentActions, PLUGIN_ACTIONS } from '../../access/actions.ts';
import { isDraftsOnly } from '../../access/grants.ts';
import { isObject, type JsonObject } from '../../common/json.ts';
import { isPassword } from '../../schema/attribute-kinds.ts';
import type { Registry } from '../../schema/model.ts';
import { keptVersions, previewedType } from '../../schema/settings/derived.ts';
import { USER_UID } from '../../schema/system-types.ts';
import { builderSchemas } from './content-type-builder.ts';
import type { Subject } from './granted-operation.ts';
import type { Schemas } from './json-schema.ts';
import type { Shape } from './shapes.ts';

const follow = (value: unknown, ...keys: readonly string[]): JsonObject =>
  keys.reduce<JsonObject>((parent, key) => (isObject(parent[key]) ? parent[key] : {}), isObject(value) ? value : {});

const BODY = ['requestBody', 'content', 'application/json', 'schema', 'properties'];

/** Returns the attributes that the bodies of users have. */
const userBody = (paths: Schemas): readonly string[] =>
  [follow(paths['/api/users'], 'post', ...BODY), follow(paths['/api/users/{id}'], 'put', ...BODY)].flatMap(Object.keys);

/** Of the options of plugins, only those of locales. */
function optionsOf({ pluginOptions }: JsonObject) {
  const { i18n } = follow(pluginOptions);
  return i18n !== undefined && { pluginOptions: { i18n } };
}

type Names = ReadonlySet<string>;

/** Returns what a schema file says about forms, as far as it names attributes that are described. */
function formConfig(config: unknown, shown: Names) {
  const { mainField } = follow(config, 'settings');
  const { edit } = follow(config, 'layouts');
  const settings = shown.has(String(mainField)) && { settings: { mainField } };
  const rows = (Array.isArray(edit) ? edit : [])
    .map((row: readonly JsonObject[]) => row.filter(({ name }) => shown.has(String(name))))
    .filter((row) => row.length > 0);
  const layouts = rows.length > 0 && { layouts: { edit: rows } };
  return (settings || layouts) && { config: { ...settings, ...layouts } };
}

/** Returns an attribute without the names of attributes that are not described. */
function redacted(attribute: JsonObject, shown: Names, hidden: readonly string[], ofTarget: Names | undefined) {
  const { conditions, targetField, inversedBy, mappedBy, morphBy, targetAttribute, pluginOptions, ...rest } = attribute;
  const logic = JSON.stringify(conditions);
  const inverse = Object.entries({ inversedBy, mappedBy, morphBy, targetAttribute });
  return {
    ...rest,
    ...optionsOf({ pluginOptions }),
    ...(shown.has(String(targetField)) && { targetField }),
    ...(logic && !hidden.some((name) => logic.includes(`"${name}"`) || logic.includes(`"${name}.`)) && { conditions }),
    ...Object.fromEntries(inverse.filter(([, name]) => ofTarget?.has(String(name)))),
  };
}

/**
 * @param schemas those of the document: an attribute is in the extensions if a response or a body has it
 */
export function describedSchemas(
  { registry, shapes, settings, grants }: Subject & { readonly registry: Registry },
  paths: Schemas,
  schemas: Schemas = {},
) {
  const namesOf = (name: string) =>
    ['', 'Created', 'Input', 'Update'].flatMap((suffix) => Object.keys(follow(schemas[name + suffix], 'properties')));
  const privateOf = ({ written }: Shape) =>
    written.filter((each) => each.private && !isPassword(each)).map(({ name }) => name);
  const described: ReadonlyMap<string, Names> = new Map(
    shapes.all
      .map((shape) => [shape, [...namesOf(shape.name), ...(shape.uid === USER_UID ? userBody(paths) : [])]] as const)
      .map(([shape, names]) => [shape.uid, new Set(names.length > 0 ? [...names, ...privateOf(shape)] : [])] as const)
      .filter(([, names]) => names.size > 0),
  );
  const attributesOf = (uid: string, attributes: JsonObject) => {
    const shown = described.get(uid) ?? new Set();
    const hidden = Object.keys(attributes).filter((name) => !shown.has(name));
    const kept = Object.entries(attributes).filter(([name]) => shown.has(name));
    const redactedOf = (json: JsonObject) => redacted(json, shown, hidden, described.get(String(json.target)));
    return Object.fromEntries(kept.map(([name, json]) => [name, redactedOf(follow(json))]));
  };
  const configOf = (uid: string) => formConfig(registry.schemas.get(uid)?.config, described.get(uid) ?? new Set());
  const actions = [...contentActions(registry), ...PLUGIN_ACTIONS];
  const actionsOf = (uid: string) =>
    actions
      .filter((id) => id.startsWith(`${uid}.`) && grants?.allows(id) !== false)
      .map((id) => id.slice(uid.length + 1))
      .filter((name) => name !== 'previewLink' || previewedType(settings, uid))
      .filter((name) => (name !== 'history' && name !== 'restore') || keptVersions(settings, uid));
  const all = builderSchemas(registry);
  const inOrder = <T extends { readonly uid: string }>(items: readonly T[]): readonly T[] =>
    [...described.keys()].flatMap((uid) => items.find((item) => item.uid === uid) ?? []);
  return {
    'x-content-types': inOrder(all.contentTypes).map(({ schema, ...type }) => {
      const { displayName, singularName, pluralName, description, kind, draftAndPublish } = schema;
      return {
        ...type,
        actions: actionsOf(type.uid),
        ...(grants?.rule && {
          draftsOnly: actionsOf(type.uid).filter((name) => isDraftsOnly(grants, `${type.uid}.${name}`)),
        }),
        schema: {
          ...{ displayName, singularName, pluralName, description, kind, draftAndPublish },
          ...optionsOf(schema),
          ...configOf(type.uid),
          attributes: attributesOf(type.uid, schema.attributes),
        },
      };
    }),
    'x-components': inOrder(all.components).map(({ schema, ...component }) => {
      const { displayName, description, icon } = schema;
      const attributes = attributesOf(component.uid, schema.attributes);
      return { ...component, schema: { displayName, description, icon, ...configOf(component.uid), attributes } };
    }),
  };
}
