/**
 * @module What this server has, and what the caller may do with it, as `/openapi.json` says.
 */
import { attempt } from '../api/query-string.ts';
import { language } from '../texts/text.ts';
import type { Attribute, Attributes } from './attribute.ts';
import { ranked, TYPES } from './attribute-types.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
}

/** A value of an attribute or a whole document, as the API sends it. */
export type Values = Readonly<Record<string, unknown>>;

export interface Document extends Values {
  readonly documentId: string;
  readonly id?: number;
  readonly locale?: string | null;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly publishedAt?: string | null;
}

/** Returns what stands at the end of a path of keys. */
export const at = (value: unknown, ...path: readonly string[]): JsonSchema | undefined =>
  path.reduce<unknown>((inner, key) => (inner as JsonSchema | undefined)?.[key], value) as JsonSchema | undefined;

/** Follows `$ref`. */
export function resolve(description: OpenApi, node: JsonSchema = {}): JsonSchema {
  if (typeof node.$ref !== 'string') return node;
  return resolve(description, at(description, ...node.$ref.slice(2).split('/')));
}

/** The rows of a form, of 12 columns each. */
export type Layout = readonly (readonly { readonly name: string; readonly size: number }[])[];

/** What a schema file says about forms. */
interface FormConfig {
  readonly settings?: { readonly mainField?: string };
  readonly layouts?: { readonly edit?: Layout };
}

/** A content type of `x-content-types`, as `/api/content-type-builder/content-types` has it. */
interface DescribedType {
  readonly uid: string;
  readonly plugin?: string;
  readonly actions: readonly string[];
  readonly draftsOnly?: readonly string[];
  readonly schema: {
    readonly displayName: string;
    readonly singularName: string;
    readonly pluralName: string;
    readonly kind: 'collectionType' | 'singleType';
    readonly draftAndPublish: boolean;
    readonly pluginOptions?: { readonly i18n?: { readonly localized?: boolean } };
    readonly config?: FormConfig;
    readonly attributes: Attributes;
  };
}

interface DescribedComponent {
  readonly uid: string;
  readonly schema: { readonly displayName: string; readonly config?: FormConfig; readonly attributes: Attributes };
}

export interface Description extends OpenApi {
  readonly 'x-content-types'?: readonly DescribedType[];
  readonly 'x-components'?: readonly DescribedComponent[];
  readonly 'x-role'?: string;
  readonly 'x-user-managers'?: readonly string[];
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

/** The main field. Strapi's choice without one: the first `string`; here another readable one, if there is no such. */
function titleAttribute(attributes: Attributes, shown: ReadonlySet<string>, { settings }: FormConfig = {}): string {
  return ranked(attributes, settings?.mainField, 'titleRank').find((name) => shown.has(name)) ?? 'documentId';
}

/** `Blog post` → `Blog posts`. A name that is not that of the schema file has no plural that is known. */
function pluralOf({ displayName, singularName, pluralName }: DescribedType['schema']): string {
  if (displayName.toLowerCase().replaceAll(' ', '-') !== singularName) return displayName;
  const end = [...singularName].findIndex((letter, index) => letter !== pluralName[index]);
  const length = end < 0 ? singularName.length : end;
  return displayName.slice(0, length) + pluralName.slice(length).replaceAll('-', ' ');
}

const PLUGIN_PATHS: Readonly<Record<string, string>> = {
  'plugin::upload.file': '/api/upload/files',
  'plugin::users-permissions.role': '/api/users-permissions/roles',
  'plugin::users-permissions.user': '/api/users',
};

const WRITES: readonly string[] = ['create', 'update', 'delete', 'publish', 'unpublish', 'discardDraft', 'restore'];

function readType(description: Description, described: DescribedType, isReadOnly: boolean) {
  const { uid, plugin, actions, draftsOnly, schema } = described;
  const { kind, attributes, config } = schema;
  const segment = kind === 'singleType' ? schema.singularName : schema.pluralName;
  const path = PLUGIN_PATHS[uid] ?? `/api/${segment}`;
  const list = description.paths[path];
  const parameters = (list?.get?.parameters ?? []) as readonly JsonSchema[];
  const counted = parameters.find(({ name }) => name === 'facets');
  const one = kind === 'singleType' ? list : description.paths[`${path}/{documentId}`];
  const readable = shownBy(description, list?.get);
  const shown = readable.size > 0 ? readable : shownBy(description, one?.get);
  return {
    uid,
    kind,
    name: schema.displayName,
    /** Of all its documents. */
    plural: kind === 'singleType' ? schema.displayName : pluralOf(schema),
    /** The part of the path after `/api/`. */
    segment,
    path,
    hasDrafts: schema.draftAndPublish,
    isLocalized: schema.pluginOptions?.i18n?.localized === true,
    /** Types of plugins: users, roles and files. */
    isSystem: plugin !== undefined,
    attributes,
    layout: config?.layouts?.edit,
    /** What the caller may do here: ids without the uid, such as `find` and `readDrafts`. */
    actions: new Set(actions.filter((action) => !isReadOnly || !WRITES.includes(action))),
    /** Those of them that change drafts alone. */
    draftsOnly: new Set(draftsOnly),
    /** Names in responses, in a body of `create`, and in one of `update`. */
    shown,
    creatable: written(description, list?.post),
    updatable: written(description, one?.put),
    /** Attributes whose values stand for a documentId in paths. */
    lookups: (one?.get?.['x-lookups'] ?? []) as readonly string[],
    /** Names that `populate` takes in place of attributes, such as `@card`. */
    presets: Object.keys(list?.get?.['x-presets'] ?? {}),
    /** Does its list take `search` and `highlights`? */
    isSearched: parameters.some(({ name }) => name === 'highlights'),
    /** Attributes that `facets` takes. */
    facets: (at(counted, 'schema', 'items', 'enum') ?? []) as unknown as readonly string[],
    /** Does the path of a user or a file take the documentId, too? */
    takesDocumentId: at(description, 'paths', `${path}/{id}`, 'parameters', '0', 'schema', 'anyOf') !== undefined,
    /** The attribute whose value names a document in lists and links. */
    titleAttribute: titleAttribute(attributes, shown.size > 0 ? shown : new Set(Object.keys(attributes)), config),
  };
}

export type ContentType = ReturnType<typeof readType>;

/** `fr` → `French (fr)`; a code that is no language keeps its own. */
const localeName = (code: string): string =>
  attempt(() => `${new Intl.DisplayNames(language(), { type: 'language' }).of(code)} (${code})`, code);

const POPULATE_OPTIONS = 'components parameters Populate schema anyOf 2 additionalProperties properties'.split(' ');

/** Of the project, as its page names them. */
interface PageSettings {
  /** The setting `studio: 'read-only'`: nothing is written from here. */
  readonly isReadOnly: boolean;
  /** `api.documents.strictRelations`: a publication needs its required relations and files. */
  readonly checksLinks: boolean;
}

export function readModel(description: Description, settings: PageSettings) {
  const { isReadOnly } = settings;
  // A description names the locales as examples of the parameter.
  const { examples = [], default: first } = at(description, 'components', 'parameters', 'Locale', 'schema') ?? {};
  const types = (description['x-content-types'] ?? []).map((type) => readType(description, type, isReadOnly));
  const components = description['x-components'] ?? [];
  return {
    types: new Map(types.map((type) => [type.uid, type])),
    components: new Map(components.map(({ uid, schema }) => [uid, { name: schema.displayName, ...schema }])),
    /** Names of the locales by their codes. */
    locales: Object.fromEntries((examples as readonly string[]).map((code) => [code, localeName(code)])),
    /** Has a locale others that stand in for it? */
    hasFallbacks: at(description, 'components', 'parameters', 'Fallback') !== undefined,
    defaultLocale: first as string | undefined,
    /** Whether lists of a populate take `limit`, `start` and `withCount`. */
    slicesLists: at(description, ...POPULATE_OPTIONS, 'limit') !== undefined,
    /** Whether the caller may send the request, such as `('post', '/api/upload')`. */
    may: (method: string, path: string) =>
      description.paths[path]?.[method] !== undefined && (!isReadOnly || method === 'get'),
    /** The role of the caller; undefined for an API token. */
    role: description['x-role'],
    /** The roles that may give a user another role; none for callers that are no users. */
    userManagers: description['x-user-managers'] ?? [],
    /** What all of this was read from. */
    description: description as OpenApi,
    ...settings,
  };
}

export type Model = ReturnType<typeof readModel>;

/** A component, undefined where the caller may not see it. */
export type ModelComponent = ReturnType<Model['components']['get']>;

/** The content types of the project that the caller may see, in the order of their names. */
export const ownTypes = ({ types }: Model): readonly ContentType[] =>
  [...types.values()].filter(({ isSystem }) => !isSystem).sort((a, b) => a.name.localeCompare(b.name));

export const typeOfSegment = (model: Model, segment: string): ContentType | undefined =>
  ownTypes(model).find((type) => type.segment === segment);

/** The screen of a document. */
export function screenOf({ kind, segment }: ContentType, documentId: string | null, locale?: string | null): string {
  const path = kind === 'singleType' ? `/content/${segment}` : `/content/${segment}/${documentId}`;
  return locale ? `${path}?locale=${encodeURIComponent(locale)}` : path;
}

const MOST_OF_TITLE = 200;

/** Returns what names a document: the value of its title attribute, else its `documentId`. */
export function titleOf(type: ContentType | undefined, document: Values): string {
  const value = type && Object.hasOwn(document, type.titleAttribute) ? document[type.titleAttribute] : undefined;
  return value === undefined || value === null || value === ''
    ? String(document.documentId ?? document.id)
    : String(value).slice(0, MOST_OF_TITLE);
}

export const isAttributeLocalized = (type: ContentType, { type: kind, pluginOptions }: Attribute): boolean =>
  type.isLocalized && (TYPES[kind].isLocalized === true || pluginOptions?.i18n?.localized === true);

/** Returns the parameters of a request for a version. */
export const versionQuery = (
  type: ContentType,
  status: string,
  locale: unknown,
): Readonly<Record<string, unknown>> => ({
  ...(type.isLocalized && locale !== undefined && { locale }),
  ...(type.hasDrafts && { status }),
});

/** The version that lists and forms show: the draft where there are drafts that the caller may read. */
export const editedStatus = ({ hasDrafts, actions }: ContentType): 'draft' | 'published' =>
  hasDrafts && actions.has('readDrafts') ? 'draft' : 'published';
