/**
 * @module `/openapi.json` → the model, and the attributes that a query may name.
 */
import { type Attribute, type Attributes, isNeverShown } from './attribute.ts';
import type { ContentType, JsonSchema, Model, OpenApi } from './model.ts';

/** Returns what stands at the end of a path of keys. */
export const at = (value: unknown, ...path: readonly string[]): JsonSchema | undefined =>
  path.reduce<unknown>((inner, key) => (inner as JsonSchema | undefined)?.[key], value) as JsonSchema | undefined;

/** Follows `$ref`. */
export function resolve(description: OpenApi, node: JsonSchema = {}): JsonSchema {
  if (typeof node.$ref !== 'string') return node;
  return resolve(description, at(description, ...node.$ref.slice(2).split('/')));
}

/** A content type of `x-content-types`, as `/api/content-type-builder/content-types` has it. */
interface DescribedType {
  readonly uid: string;
  readonly plugin?: string;
  readonly actions: readonly string[];
  readonly schema: {
    readonly displayName: string;
    readonly singularName: string;
    readonly pluralName: string;
    readonly kind: ContentType['kind'];
    readonly draftAndPublish: boolean;
    readonly pluginOptions?: { readonly i18n?: { readonly localized?: boolean } };
    readonly attributes: Attributes;
  };
}

interface DescribedComponent {
  readonly uid: string;
  readonly schema: { readonly displayName: string; readonly attributes: Attributes };
}

export interface Description extends OpenApi {
  readonly 'x-content-types'?: readonly DescribedType[];
  readonly 'x-components'?: readonly DescribedComponent[];
}

type Json = JsonSchema | undefined;

/** Follows `$ref`, and the first of alternatives. */
function resolved(description: OpenApi, node: Json): JsonSchema {
  const schema = resolve(description, node);
  const alternatives = schema.anyOf ?? schema.oneOf;
  return Array.isArray(alternatives) ? resolved(description, alternatives[0]) : schema;
}

const JSON_TYPE = ['content', 'application/json', 'schema'];

function propertiesOf(description: OpenApi, data: Json): ReadonlySet<string> {
  const schema = resolved(description, data);
  return new Set(
    Object.keys((schema.type === 'array' ? resolved(description, at(schema, 'items')) : schema).properties ?? {}),
  );
}

const written = (description: OpenApi, operation: Json) =>
  propertiesOf(description, at(operation, 'requestBody', ...JSON_TYPE, 'properties', 'data'));

function shownBy(description: OpenApi, operation: Json): ReadonlySet<string> {
  const schema = at(operation, 'responses', '200', ...JSON_TYPE);
  return propertiesOf(description, at(schema, 'properties', 'data') ?? schema);
}

/** Strapi's choice: the first attribute of type `string`; here another readable one serves where none is. */
function titleAttribute(attributes: Attributes, shown: ReadonlySet<string>): string {
  const names = Object.keys(attributes).filter((name) => shown.has(name));
  const typed = (...types: readonly string[]) => names.find((name) => types.includes(attributes[name]?.type ?? ''));
  return typed('string') ?? typed('text', 'uid', 'email') ?? typed('enumeration', 'date', 'datetime') ?? 'documentId';
}

const PLUGIN_PATHS: Readonly<Record<string, string>> = {
  'plugin::upload.file': '/api/upload/files',
  'plugin::users-permissions.role': '/api/users-permissions/roles',
  'plugin::users-permissions.user': '/api/users',
};

const WRITES: readonly string[] = ['create', 'update', 'delete', 'publish', 'unpublish', 'discardDraft'];

function readType(description: Description, described: DescribedType, isReadOnly: boolean): ContentType {
  const { uid, plugin, actions, schema } = described;
  const { kind, attributes } = schema;
  const segment = kind === 'singleType' ? schema.singularName : schema.pluralName;
  const path = PLUGIN_PATHS[uid] ?? `/api/${segment}`;
  const list = description.paths[path];
  const one = kind === 'singleType' ? list : description.paths[`${path}/{documentId}`];
  const readable = shownBy(description, list?.get);
  const shown = readable.size > 0 ? readable : shownBy(description, one?.get);
  return {
    uid,
    kind,
    name: schema.displayName,
    segment,
    path,
    hasDrafts: schema.draftAndPublish,
    isLocalized: schema.pluginOptions?.i18n?.localized === true,
    isSystem: plugin !== undefined,
    attributes,
    actions: new Set(actions.filter((action) => !isReadOnly || !WRITES.includes(action))),
    shown,
    creatable: written(description, list?.post),
    updatable: written(description, one?.put),
    titleAttribute: titleAttribute(attributes, shown.size > 0 ? shown : new Set(Object.keys(attributes))),
  };
}

const languages = new Intl.DisplayNames('en', { type: 'language' });

/** `fr` → `French (fr)`; a code that is no language keeps its own. */
function localeName(code: string): string {
  try {
    return `${languages.of(code)} (${code})`;
  } catch {
    return code;
  }
}

export function readModel(description: Description, isReadOnly: boolean): Model {
  // A description names the locales as examples of the parameter.
  const { examples = [], default: first } = at(description, 'components', 'parameters', 'Locale', 'schema') ?? {};
  const types = (description['x-content-types'] ?? []).map((type) => readType(description, type, isReadOnly));
  const components = description['x-components'] ?? [];
  return {
    types: new Map(types.map((type) => [type.uid, type])),
    components: new Map(components.map(({ uid, schema }) => [uid, { name: schema.displayName, ...schema }])),
    locales: Object.fromEntries((examples as readonly string[]).map((code) => [code, localeName(code)])),
    defaultLocale: first as string | undefined,
    may: (method, path) => description.paths[path]?.[method] !== undefined && (!isReadOnly || method === 'get'),
    description,
    isReadOnly,
  };
}

/** Returns the attributes that may be shown. */
export const shownAttributes = ({ attributes, shown }: ContentType): readonly (readonly [string, Attribute])[] =>
  Object.entries(attributes).filter(([name]) => shown.has(name));

export type NamedAttribute = readonly [name: string, attribute: Attribute];

/** Attributes that no schema declares. */
const SYSTEM_ATTRIBUTES: readonly NamedAttribute[] = [
  ['createdAt', { type: 'datetime' }],
  ['updatedAt', { type: 'datetime' }],
  ['publishedAt', { type: 'datetime' }],
  ['locale', { type: 'string' }],
  ['documentId', { type: 'string' }],
  ['id', { type: 'integer' }],
];

/** Returns the readable attributes of a content type or a component, those of the system at the end. */
export function readableAttributes(model: Model, uid: string): readonly NamedAttribute[] {
  const type = model.types.get(uid);
  const own = type ? shownAttributes(type) : Object.entries(model.components.get(uid)?.attributes ?? {});
  const names = new Set(own.map(([name]) => name));
  const system = SYSTEM_ATTRIBUTES.filter(
    ([name]) => !names.has(name) && (type ? type.shown.has(name) : name === 'id'),
  );
  return [...own.filter(([, attribute]) => !isNeverShown(attribute)), ...system];
}

/** Returns the uid of what an attribute leads to: the target of a relation, the file type, or a component. */
export function targetOf(model: Model, attribute: Attribute): string | undefined {
  const { type, target, component } = attribute;
  const uid = type === 'media' ? 'plugin::upload.file' : type === 'relation' ? target : component;
  return uid !== undefined && (model.types.has(uid) || model.components.has(uid)) ? uid : undefined;
}

export function attributeAt(model: Model, uid: string | undefined, path: readonly string[]): Attribute | undefined {
  const [name, ...rest] = path;
  const found = uid === undefined ? undefined : readableAttributes(model, uid).find(([key]) => key === name)?.[1];
  return rest.length === 0 || !found ? found : attributeAt(model, targetOf(model, found), rest);
}
