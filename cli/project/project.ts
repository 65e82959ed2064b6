/**
 * @module The schema files of a project, under content-types/.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildRegistry, type SchemaFile, type SchemaFiles } from '../../src/schema/build.ts';
import type { Registry } from '../../src/schema/model.ts';
import { SchemaError, type SchemaProblem } from '../../src/schema/schema-error.ts';
import { CHECKED } from '../../src/schema/schema-json.ts';
import type { Settings } from '../../src/schema/settings/config.ts';
import { resolveKinds } from './custom-fields.ts';
import { contradictions, misspeltKeys, wrongDefaults } from './schema-checks.ts';
import { loadSettings } from './settings.ts';

export const CONTENT_TYPES = 'content-types';
const COMPONENTS = 'components';
const EXTENSIONS = 'extensions';
/** Strapi's path of the user schema, below `src`. */
export const USER_FILE = `${CONTENT_TYPES}/${EXTENSIONS}/users-permissions/user/schema.json`;

/** Schema files, and the problems of those that could not be read. */
export type ReadFiles = Readonly<{ files: SchemaFiles; problems: readonly SchemaProblem[] }>;

function directories(path: string): string[] {
  const entries = existsSync(path) ? readdirSync(path, { withFileTypes: true }) : [];
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

function contentTypePaths(root: string, problems: SchemaProblem[]): string[] {
  const paths: string[] = [];
  for (const name of directories(join(root, CONTENT_TYPES))) {
    const path = `${CONTENT_TYPES}/${name}/schema.json`;
    if (name === COMPONENTS || (name === EXTENSIONS && !existsSync(join(root, path)))) continue;
    const expected = 'there is no such file; a folder in content-types/ is a content type';
    if (existsSync(join(root, path))) paths.push(path);
    else problems.push({ file: path, key: '(whole file)', expected });
  }
  return paths;
}

/** Returns the path of the user schema, the only type of a plugin that can be extended. */
function userPaths(root: string, problems: SchemaProblem[]): readonly string[] {
  const base = `${CONTENT_TYPES}/${EXTENSIONS}`;
  for (const plugin of directories(join(root, base)))
    for (const name of directories(join(root, base, plugin)))
      if (`${base}/${plugin}/${name}/schema.json` !== USER_FILE)
        problems.push({ file: `${base}/${plugin}/${name}`, key: '(folder)', expected: `only ${USER_FILE} there` });
  return existsSync(join(root, USER_FILE)) ? [USER_FILE] : [];
}

function componentPaths(root: string): string[] {
  const base = `${CONTENT_TYPES}/${COMPONENTS}`;
  return directories(join(root, base)).flatMap((category) => {
    const names = readdirSync(join(root, base, category)).filter((name) => name.endsWith('.json'));
    return names.sort().map((name) => `${base}/${category}/${name}`);
  });
}

function parse(root: string, path: string, problems: SchemaProblem[]): readonly SchemaFile[] {
  const text = readFileSync(join(root, path), 'utf8').replace(/^\uFEFF/, '');
  try {
    return [{ path, json: JSON.parse(text) }];
  } catch (error) {
    problems.push({ file: path, key: '(whole file)', expected: `this is no JSON; ${(error as Error).message}` });
    return [];
  }
}

export const filesOf = ({ contentTypes, components, user }: SchemaFiles) =>
  [contentTypes, components, user ?? []].flat();

export const mapFiles = ({ contentTypes, components, user }: SchemaFiles, map: (file: SchemaFile) => SchemaFile) => ({
  contentTypes: contentTypes.map(map),
  components: components.map(map),
  ...(user && { user: map(user) }),
});

/** Gives custom fields their base types. */
export function resolveFiles({ files, problems }: ReadFiles, { customFields }: Settings): ReadFiles {
  const found = [...problems];
  return { files: mapFiles(files, (file) => resolveKinds(file, customFields, found)), problems: found };
}

/** Reads the schema files in the same order on every machine. */
export function schemaFilesIn(root: string, settings: Settings): ReadFiles {
  const problems: SchemaProblem[] = [];
  const read = (path: string) => parse(root, path, problems);
  const contentTypes = contentTypePaths(root, problems).flatMap(read);
  const components = componentPaths(root).flatMap(read);
  const [user] = userPaths(root, problems).flatMap(read);
  return resolveFiles({ files: { contentTypes, components, ...(user && { user }) }, problems }, settings);
}

/** @throws UserError for invalid settings. */
export const readSchemaFiles = async (root: string): Promise<ReadFiles> =>
  schemaFilesIn(root, await loadSettings(root));

/** Leaves out references to types and components whose files are invalid. */
function withoutEchoes(problems: readonly SchemaProblem[]): readonly SchemaProblem[] {
  const missing = problems.map(({ file }) => {
    const [, category, name] = /([^/]+)\/([^/]+?)(?:\/schema)?(?:\.json)?$/.exec(file) ?? [];
    const isComponent = file.startsWith(`${CONTENT_TYPES}/${COMPONENTS}/`);
    return `"${isComponent ? `${category}.${name}` : `api::${name}.${name}`}" does not`;
  });
  return problems.filter(({ expected }) => !missing.some((text) => expected.endsWith(text)));
}

/** @throws SchemaError with all problems of the files */
export function registryOf({ files, problems }: ReadFiles): Registry {
  const found = [...problems, ...filesOf(files).flatMap((file) => [...misspeltKeys(file), ...contradictions(file)])];
  try {
    const registry = buildRegistry(files, CHECKED);
    found.push(...wrongDefaults(files, registry));
    if (found.length === 0) return registry;
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    found.push(...error.problems);
  }
  throw new SchemaError(withoutEchoes(found));
}
