/**
 * @module Schema files → Registry, or the full list of what is wrong with them.
 */
import { systemAttributes } from './attributes.ts';
import { attributesOf, type Report } from './declared.ts';
import { type DeclaredIndexes, indexesOf } from './indexes.ts';
import {
  type Attribute,
  type Component,
  type ContentType,
  isOwner,
  type Registry,
  type RelationAttribute,
  type SchemaJson,
} from './model.ts';
import {
  COUNTER_TABLE,
  IMPORT_TABLE,
  isReservedTable,
  linkTable,
  MIGRATION_TABLE,
  STAMP_TABLE,
  searchTables,
  snakeCase,
} from './names.ts';
import type { ComponentJson, ContentTypeJson } from './schema-json.ts';
import { systemTypes, USER_UID } from './system-types.ts';
import { extendedUser } from './user-type.ts';

/** A schema file as it was read: path relative to the project, parsed JSON. */
export interface SchemaFile {
  readonly path: string;
  readonly json: unknown;
}

/** What `generate` bundles: the files of this deployment and which attributes live in the overflow column. */
export interface SchemaFiles {
  readonly contentTypes: readonly SchemaFile[];
  readonly components: readonly SchemaFile[];
  /** Strapi's own file for users: attributes in addition to those of every deployment. */
  readonly user?: SchemaFile;
  /** uid → names of the attributes without a column of their own. */
  readonly overflow?: Readonly<Record<string, readonly string[]>>;
  /** uid → indexes of the settings. */
  readonly indexes?: DeclaredIndexes;
  /** uids of the types with a search index. */
  readonly search?: readonly string[];
}

/** One complaint about one file: where in it, and what was expected there. */
export interface SchemaProblem {
  readonly file: string;
  readonly key: string;
  readonly expected: string;
}

/** Where `indexes` and `search` are declared. */
const SETTINGS_FILE = 'edgewise.config.ts';

/** Every complaint about the schema files at once. */
export class SchemaError extends Error {
  readonly problems: readonly SchemaProblem[];
  constructor(problems: readonly SchemaProblem[]) {
    const lines = problems.map(({ file, key, expected }) => `  ${file}: ${key}: ${expected}`);
    const files = problems.map(({ file }) => (file === SETTINGS_FILE ? file : 'content-types/'));
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    super(`${count} in ${[...new Set(files)].join(' and ')}:\n${lines.join('\n')}`);
    this.problems = problems;
  }
}

type Parser<T> = { safeParse(value: unknown): { success: true; data: T } | { success: false; error: ZodLike } };
type ZodIssue = { code?: string; path: readonly PropertyKey[]; message: string };
type ZodLike = { issues: readonly ZodIssue[] };

/** How the JSON of a file is read. */
export interface Shapes {
  readonly contentType: Parser<ContentTypeJson>;
  readonly component: Parser<ComponentJson>;
}

const trusted = <T>(): Parser<T> => ({ safeParse: (value) => ({ success: true, data: value as T }) });

/** For files that `generate` has checked before it bundled them: a Worker that starts does not check them again. */
export const TRUSTED: Shapes = { contentType: trusted(), component: trusted() };

const wordsOf = ({ code, message }: ZodIssue): string =>
  code === 'invalid_key' ? 'a name of letters, digits, _ and - that begins with a letter' : message;

const RESERVED_ROUTES = new Set(['auth', 'users', 'upload', 'i18n', 'users-permissions', 'content-type-builder']);

function read<T>(files: readonly SchemaFile[], schema: Parser<T>, report: Report): { file: string; json: T }[] {
  const parsed: { file: string; json: T }[] = [];
  for (const { path, json } of files) {
    const result = schema.safeParse(json);
    if (result.success) parsed.push({ file: path, json: result.data });
    else for (const issue of result.error.issues) report(path, issue.path.join('.') || '(whole file)', wordsOf(issue));
  }
  return parsed;
}

function contentTypeOf(file: string, json: ContentTypeJson, files: SchemaFiles, report: Report): ContentType {
  const { singularName, pluralName, displayName = singularName, description = '' } = json.info;
  const uid = `api::${singularName}.${singularName}`;
  const localized = json.pluginOptions?.i18n?.localized === true;
  const owner = {
    localized,
    overflow: new Set(files.overflow?.[uid]),
    privateAttributes: new Set(json.options?.privateAttributes),
  };
  const draftAndPublish = json.options?.draftAndPublish === true;
  const attributes = attributesOf(owner, json.attributes, file, report, { draftAndPublish });
  for (const attribute of systemAttributes(owner)) attributes.set(attribute.name, attribute);
  const type: ContentType = {
    uid,
    kind: json.kind,
    singularName,
    pluralName,
    displayName,
    description,
    table: json.collectionName ?? snakeCase(pluralName),
    draftAndPublish,
    localized,
    system: false,
    attributes,
    indexes: [],
    searchable: files.search?.includes(uid) === true,
  };
  if (type.kind === 'singleType') return type;
  const reportIndex = (key: string, expected: string) => report(SETTINGS_FILE, key, expected);
  return { ...type, indexes: indexesOf(type, files.indexes?.[uid], reportIndex) };
}

/** `components/shared/seo.json` → `shared.seo`. */
const componentUid = (path: string): string =>
  path
    .split('/')
    .slice(-2)
    .join('.')
    .replace(/\.json$/, '');

function componentOf(file: string, json: ComponentJson, report: Report): Component {
  const uid = componentUid(file);
  const privateAttributes = new Set(json.options?.privateAttributes);
  const owner = { localized: false, overflow: new Set<string>(), privateAttributes };
  return {
    uid,
    displayName: json.info?.displayName ?? uid,
    attributes: attributesOf(owner, json.attributes, file, report),
  };
}

function checkReferences(
  name: string,
  attribute: Attribute,
  file: string,
  registry: Pick<Registry, 'contentTypes' | 'components'>,
  report: Report,
): void {
  const key = `attributes.${name}`;
  const missing = (uid: string, known: ReadonlyMap<string, unknown>) => !known.has(uid);
  if (attribute.kind === 'component' && missing(attribute.component, registry.components))
    report(file, `${key}.component`, `a component that exists; "${attribute.component}" does not`);
  if (attribute.kind === 'dynamiczone')
    for (const uid of attribute.components)
      if (missing(uid, registry.components))
        report(file, `${key}.components`, `components that exist; "${uid}" does not`);
  if (attribute.kind !== 'relation') return;
  const target = registry.contentTypes.get(attribute.target);
  if (!target) report(file, `${key}.target`, `a content type that exists; "${attribute.target}" does not`);
  else checkInverse(attribute, target, file, report);
}

/** One side of a relation holds the links, and the other one does not. */
function checkInverse(attribute: RelationAttribute, target: ContentType, file: string, report: Report): void {
  const { name, inverse, owner } = attribute;
  if (inverse === undefined) return;
  const other = target.attributes.get(inverse);
  const [side, opposite] = owner ? ['inversedBy', 'mappedBy'] : ['mappedBy', 'inversedBy'];
  const key = `attributes.${name}.${side}`;
  if (other?.kind !== 'relation')
    report(file, key, `the name of an attribute of ${target.uid} that is a relation; "${inverse}" is not one`);
  else if (other.inverse !== undefined && other.owner === owner && (!owner || other !== attribute))
    report(file, key, `the name of an attribute of ${target.uid} with ${opposite}; "${inverse}" has ${side}, too`);
}

function checkTables(types: readonly { file: string; type: ContentType }[], report: Report): void {
  const owners = new Map<string, string>([
    [COUNTER_TABLE, 'Edgewise'],
    [STAMP_TABLE, 'Edgewise'],
    [IMPORT_TABLE, 'Edgewise'],
    [MIGRATION_TABLE, 'Edgewise'],
  ]);
  const claim = (table: string, file: string, key: string) => {
    const name = table.toLowerCase();
    const owner = owners.get(name);
    if (isReservedTable(name)) report(file, key, `another name; table "${table}" is reserved`);
    if (owner) report(file, key, `a name of its own; table "${table}" belongs to ${owner}`);
    owners.set(name, file);
  };
  for (const { file, type } of types) {
    claim(type.table, file, 'collectionName');
    if (type.searchable)
      for (const table of searchTables(type.table)) claim(table, SETTINGS_FILE, `search.${type.uid}`);
    for (const attribute of type.attributes.values())
      if (isOwner(attribute)) claim(linkTable(type.table, attribute.name), file, `attributes.${attribute.name}`);
  }
}

/** Lists alone are sorted and searched. */
function checkListed(
  { indexes = {}, search = [] }: SchemaFiles,
  types: Registry['contentTypes'],
  report: Report,
): void {
  const check = (uid: string, key: string) => {
    const type = types.get(uid);
    if (type?.kind !== 'collectionType' || type.system)
      report(SETTINGS_FILE, key, `a collection type of content-types/; "${uid}" is not one`);
  };
  for (const uid of Object.keys(indexes)) check(uid, `indexes.${uid}`);
  for (const uid of search) check(uid, 'search');
}

function routesOf(types: readonly { file: string; type: ContentType }[], report: Report): Map<string, ContentType> {
  const routes = new Map<string, ContentType>();
  for (const { file, type } of types) {
    if (type.system) continue;
    const segment = type.kind === 'singleType' ? type.singularName : type.pluralName;
    const key = type.kind === 'singleType' ? 'info.singularName' : 'info.pluralName';
    if (routes.has(segment)) report(file, key, `a path of its own; /api/${segment} is taken`);
    if (RESERVED_ROUTES.has(segment)) report(file, key, `another name; /api/${segment} is reserved`);
    routes.set(segment, type);
  }
  return routes;
}

/**
 * Builds the registry of a deployment; the system types are always part of it.
 * @throws SchemaError with every problem of every file: file, key, what was expected.
 */
export function buildRegistry(files: SchemaFiles, shapes: Shapes): Registry {
  const problems: SchemaProblem[] = [];
  const report: Report = (file, key, expected) => problems.push({ file, key, expected });
  const components = new Map<string, Component>();
  const componentFiles = read(files.components, shapes.component, report);
  const schemas = new Map<string, SchemaJson>();
  for (const { file, json } of componentFiles) {
    components.set(componentUid(file), componentOf(file, json, report));
    schemas.set(componentUid(file), json);
  }

  const declared = systemTypes().map((type) => ({ file: 'Edgewise', type }));
  for (const { file, json } of read(files.user ? [files.user] : [], shapes.contentType, report)) {
    const index = declared.findIndex(({ type }) => type.uid === USER_UID);
    const [user] = declared.splice(index, 1);
    if (user) declared.splice(index, 0, { file, type: extendedUser(user.type, file, json, report) });
    schemas.set(USER_UID, json);
  }
  for (const { file, json } of read(files.contentTypes, shapes.contentType, report)) {
    const type = contentTypeOf(file, json, files, report);
    declared.push({ file, type });
    schemas.set(type.uid, json);
  }
  const contentTypes = new Map<string, ContentType>();
  const types = declared.filter(({ file, type }) => {
    const exists = contentTypes.has(type.uid);
    if (exists) report(file, 'info.singularName', `a name of its own; ${type.uid} exists already`);
    else contentTypes.set(type.uid, type);
    return !exists;
  });

  const known = { contentTypes, components };
  for (const { file, type } of types)
    for (const [name, attribute] of type.attributes) checkReferences(name, attribute, file, known, report);
  for (const { file } of componentFiles)
    for (const [name, attribute] of components.get(componentUid(file))?.attributes ?? [])
      checkReferences(name, attribute, file, known, report);
  checkListed(files, contentTypes, report);
  checkTables(types, report);
  const routes = routesOf(types, report);
  if (problems.length > 0) throw new SchemaError(problems);
  return { contentTypes, components, routes, schemas };
}
