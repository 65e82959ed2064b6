/**
 * @module Schema files → Registry, or the full list of their problems.
 */
import { isComponent, isOwner, isPolymorphic, isRelation, isZone, ownedTable } from './attribute-kinds.ts';
import { NO_OPTIONS, systemAttributes } from './attributes.ts';
import { declaredAttributes, type Report } from './declared.ts';
import { type DeclaredIndexes, type DeclaredSearch, indexesOf, searchedTypes, weightsOf } from './indexes.ts';
import type {
  Attribute,
  Component,
  ContentType,
  Registry,
  RelationAttribute,
  RenameStep,
  SchemaJson,
} from './model.ts';
import { isReservedTable, OWN_TABLES, searchTables, snakeCase } from './names.ts';
import { SchemaError, type SchemaProblem, SETTINGS_FILE } from './schema-error.ts';
import type { ComponentJson, ContentTypeJson } from './schema-json.ts';
import { type IsSecret, secretsAmong } from './secret-attributes.ts';
import { systemTypes, USER_UID } from './system-types.ts';
import { extendedUser } from './user-type.ts';

export interface SchemaFile {
  /** Relative to the project. */
  readonly path: string;
  readonly json: unknown;
}

/** The content types of a project, as `.edgewise/project.ts` has them. */
export interface SchemaFiles {
  readonly contentTypes: readonly SchemaFile[];
  readonly components: readonly SchemaFile[];
  /** Strapi's own file for users. */
  readonly user?: SchemaFile;
  /** uid → attributes in the overflow column. */
  readonly overflow?: Readonly<Record<string, readonly string[]>>;
  /** uid → indexes of the settings. */
  readonly indexes?: DeclaredIndexes;
  readonly search?: DeclaredSearch;
  /** Do files have placeholders? */
  readonly placeholders?: boolean;
  /** What migrations have renamed, in order. */
  readonly renames?: readonly RenameStep[];
  /** Of the migrations that have moved stored values. */
  readonly fences?: readonly string[];
  /** Has `npm run dev` bundled it? Then a 401 or 403 says what is missing. */
  readonly isDev?: boolean;
  /** A hash of all this and the settings, as `generate` writes it. */
  readonly fingerprint?: string;
}

type Issue = { code?: string; path: readonly PropertyKey[]; message: string };
type Parsed<T> = { success: true; data: T } | { success: false; error: { issues: readonly Issue[] } };
type Parser<T> = { safeParse(value: unknown): Parsed<T> };

/** Parsers of schema files. */
export interface Shapes {
  readonly contentType: Parser<ContentTypeJson>;
  readonly component: Parser<ComponentJson>;
}

const trusted = <T>(): Parser<T> => ({ safeParse: (value) => ({ success: true, data: value as T }) });

/** For files that `edgewise build` has checked: a Worker does not check them again when it starts. */
export const TRUSTED: Shapes = { contentType: trusted(), component: trusted() };

/** Of zod, about a `type` or a `relation`. */
const UNKNOWN_KIND = /^Invalid discriminator value\. Expected (.*)$/;

const expectedBy = ({ code, message }: Issue): string =>
  code === 'invalid_key'
    ? 'a name of letters, digits, _ and - that begins with a letter'
    : message.replace(
        UNKNOWN_KIND,
        (_, kinds: string) => `one of ${kinds.replaceAll(' | ', ', ').replaceAll("'", '')}`,
      );

/** Segments of paths that are no content type's. */
const RESERVED_ROUTES = new Set([
  'auth',
  'batch',
  'scheduled',
  'content-type-builder',
  'i18n',
  'upload',
  'users',
  'users-permissions',
]);

function read<T>(files: readonly SchemaFile[], schema: Parser<T>, report: Report): { file: string; json: T }[] {
  const parsed: { file: string; json: T }[] = [];
  for (const { path, json } of files) {
    const result = schema.safeParse(json);
    if (result.success) parsed.push({ file: path, json: result.data });
    else
      for (const issue of result.error.issues) report(path, issue.path.join('.') || '(whole file)', expectedBy(issue));
  }
  return parsed;
}

function contentTypeOf(
  file: string,
  json: ContentTypeJson,
  files: SchemaFiles,
  isSecret: IsSecret,
  report: Report,
): ContentType {
  const { singularName, pluralName, displayName = singularName, description = '' } = json.info;
  const uid = `api::${singularName}.${singularName}`;
  const localized = json.pluginOptions?.i18n?.localized === true;
  const owner = {
    localized,
    overflow: new Set(files.overflow?.[uid]),
    privateAttributes: new Set(json.options?.privateAttributes),
  };
  const draftAndPublish = json.options?.draftAndPublish === true;
  const attributes = declaredAttributes(owner, json.attributes, file, report, { draftAndPublish });
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
    searchable: searchedTypes(files.search).includes(uid),
    secret: new Set([...attributes.values()].filter(isSecret).map(({ name }) => name)),
  };
  if (type.kind === 'singleType') return type;
  const reportIndex = (key: string, expected: string) => report(SETTINGS_FILE, key, expected);
  const weights = weightsOf(type, files.search, reportIndex);
  return { ...type, indexes: indexesOf(type, files.indexes?.[uid], reportIndex), ...(weights && { weights }) };
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
  const owner = { ...NO_OPTIONS, privateAttributes: new Set(json.options?.privateAttributes) };
  return {
    uid,
    displayName: json.info?.displayName ?? uid,
    attributes: declaredAttributes(owner, json.attributes, file, report),
  };
}

function checkReferences(
  attribute: Attribute,
  file: string,
  { contentTypes, components }: Pick<Registry, 'contentTypes' | 'components'>,
  report: Report,
): void {
  const key = `attributes.${attribute.name}`;
  if (isComponent(attribute) && !components.has(attribute.component))
    report(file, `${key}.component`, `a component that exists; "${attribute.component}" does not`);
  if (isZone(attribute))
    for (const uid of attribute.components)
      if (!components.has(uid)) report(file, `${key}.components`, `components that exist; "${uid}" does not`);
  if (!isRelation(attribute)) return;
  const target = contentTypes.get(attribute.target);
  if (!target) report(file, `${key}.target`, `a content type that exists; "${attribute.target}" does not`);
  else checkInverse(attribute, target, file, report);
}

/** Exactly one side of a relation has the link table. */
function checkInverse(attribute: RelationAttribute, target: ContentType, file: string, report: Report): void {
  const { name, inverse, owner } = attribute;
  if (inverse === undefined) return;
  const other = target.attributes.get(inverse);
  if (attribute.relation === 'morphOne' || attribute.relation === 'morphMany') {
    if (!isPolymorphic(other))
      report(
        file,
        `attributes.${name}.morphBy`,
        `a morphToOne or morphToMany of ${target.uid}; "${inverse}" is not one`,
      );
    return;
  }
  const [side, opposite] = owner ? ['inversedBy', 'mappedBy'] : ['mappedBy', 'inversedBy'];
  const key = `attributes.${name}.${side}`;
  if (!isRelation(other))
    report(file, key, `the name of an attribute of ${target.uid} that is a relation; "${inverse}" is not one`);
  else if (other.inverse !== undefined && other.owner === owner && (!owner || other !== attribute))
    report(file, key, `the name of an attribute of ${target.uid} with ${opposite}; "${inverse}" has ${side}, too`);
}

interface DeclaredType {
  readonly file: string;
  readonly type: ContentType;
}

function checkTables(types: readonly DeclaredType[], report: Report): void {
  const owners = new Map(OWN_TABLES.map((table) => [table, 'Edgewise']));
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
      if (isOwner(attribute)) claim(ownedTable(type.table, attribute), file, `attributes.${attribute.name}`);
  }
}

/** Only lists are sorted and searched. */
function checkListed({ indexes = {}, search }: SchemaFiles, types: Registry['contentTypes'], report: Report) {
  const check = (uid: string, key: string) => {
    const type = types.get(uid);
    if (type?.kind !== 'collectionType' || type.system)
      report(SETTINGS_FILE, key, `a collection type of content-types/; "${uid}" is not one`);
  };
  for (const uid of Object.keys(indexes)) check(uid, `indexes.${uid}`);
  for (const uid of searchedTypes(search)) check(uid, 'search');
}

function routesOf(types: readonly DeclaredType[], report: Report): Map<string, ContentType> {
  const routes = new Map<string, ContentType>();
  for (const { file, type } of types) {
    if (type.system) continue;
    const name = type.kind === 'singleType' ? 'singularName' : 'pluralName';
    const [key, segment] = [`info.${name}`, type[name]];
    if (routes.has(segment)) report(file, key, `a path of its own; /api/${segment} is taken`);
    if (RESERVED_ROUTES.has(segment)) report(file, key, `another name; /api/${segment} is reserved`);
    routes.set(segment, type);
  }
  return routes;
}

/** Returns what is wrong with a content type that has the path of the list of former versions, where there is a history. */
export function historyPathProblem({ routes }: Pick<Registry, 'routes'>): string | undefined {
  const type = routes.get('history');
  return type && `${type.uid} has the path /api/history, which lists former versions: rename it, or set history: null`;
}

/** Builds the registry of a deployment, system types included. @throws SchemaError with every problem of checked files. */
export function buildRegistry(files: SchemaFiles, shapes: Shapes): Registry {
  const problems: SchemaProblem[] = [];
  const report: Report = (file, key, expected) => problems.push({ file, key, expected });
  const declaredComponents = read(files.components, shapes.component, report).map(({ file, json }) => {
    const component = componentOf(file, json, report);
    return { file, json, component };
  });
  const components = new Map(declaredComponents.map(({ component }) => [component.uid, component]));
  const isSecret = secretsAmong(components);
  const schemas = new Map<string, SchemaJson>(declaredComponents.map(({ json, component }) => [component.uid, json]));

  let declared: DeclaredType[] = systemTypes(files).map((type) => ({ file: 'Edgewise', type }));
  for (const { file, json } of read(files.user ? [files.user] : [], shapes.contentType, report)) {
    const extended = (type: ContentType) => ({ file, type: extendedUser(type, file, json, report) });
    declared = declared.map((each) => (each.type.uid === USER_UID ? extended(each.type) : each));
    schemas.set(USER_UID, json);
  }
  for (const { file, json } of read(files.contentTypes, shapes.contentType, report)) {
    const type = contentTypeOf(file, json, files, isSecret, report);
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

  // `edgewise build` has checked trusted files.
  if (shapes !== TRUSTED) {
    const known = { contentTypes, components };
    const owners = [...types, ...declaredComponents.map(({ file, component }) => ({ file, type: component }))];
    for (const { file, type } of owners)
      for (const attribute of type.attributes.values()) checkReferences(attribute, file, known, report);
    checkListed(files, contentTypes, report);
    checkTables(types, report);
  }
  const routes = routesOf(types, report);
  if (problems.length > 0) throw new SchemaError(problems);
  const { renames, fences = [], fingerprint } = files;
  const copied = { ...(renames && { renames }), ...(fingerprint && { fingerprint }) };
  return { contentTypes, components, routes, schemas, ...copied, fences };
}
