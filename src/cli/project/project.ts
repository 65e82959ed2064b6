/**
 * @module The files of a project: schema files under content-types/, and the settings.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSettings, type Settings, type SettingsInput } from '../../config.ts';
import { buildRegistry, type SchemaFile, type SchemaFiles } from '../../registry/build.ts';
import type { Registry } from '../../registry/model.ts';
import { SchemaError, type SchemaProblem } from '../../registry/schema-error.ts';
import { CHECKED } from '../../registry/schema-json.ts';
import { UserError } from '../core/terminal.ts';
import { resolveKinds } from './attribute-kinds.ts';
import { importFresh } from './fresh-import.ts';
import { mergeSettings, readImported } from './imported-settings.ts';
import { lintSchemas, misspeltKeys } from './schema-lint.ts';

export const CONTENT_TYPES = 'content-types';
export const CONFIG = 'edgewise.config.ts';
const COMPONENTS = 'components';
const EXTENSIONS = 'extensions';
/** Where Strapi's file for users stands, below the folder that Strapi calls `src`. */
export const USER_FILE = `${CONTENT_TYPES}/${EXTENSIONS}/users-permissions/user/schema.json`;

/** The schema files as they were read, and those that are no JSON. */
export interface ReadFiles {
  readonly files: SchemaFiles;
  readonly problems: readonly SchemaProblem[];
}

const byName = (left: string, right: string): number => (left < right ? -1 : Number(left > right));

function directories(path: string): string[] {
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort(byName);
}

function contentTypePaths(root: string, problems: SchemaProblem[]): string[] {
  const paths: string[] = [];
  for (const name of directories(join(root, CONTENT_TYPES))) {
    const path = `${CONTENT_TYPES}/${name}/schema.json`;
    if (name === COMPONENTS || (name === EXTENSIONS && !existsSync(join(root, path)))) continue;
    if (existsSync(join(root, path))) paths.push(path);
    else
      problems.push({
        file: path,
        key: '(whole file)',
        expected: 'there is no such file; a folder in content-types/ is a content type',
      });
  }
  return paths;
}

/** The file of users. Other types of plugins are as they are. */
function userPath(root: string, problems: SchemaProblem[]): string | undefined {
  const base = `${CONTENT_TYPES}/${EXTENSIONS}`;
  for (const plugin of directories(join(root, base)))
    for (const name of directories(join(root, base, plugin)))
      if (`${base}/${plugin}/${name}/schema.json` !== USER_FILE)
        problems.push({ file: `${base}/${plugin}/${name}`, key: '(folder)', expected: `only ${USER_FILE} there` });
  return existsSync(join(root, USER_FILE)) ? USER_FILE : undefined;
}

function componentPaths(root: string): string[] {
  const base = `${CONTENT_TYPES}/${COMPONENTS}`;
  return directories(join(root, base)).flatMap((category) =>
    readdirSync(join(root, base, category))
      .filter((name) => name.endsWith('.json'))
      .sort(byName)
      .map((name) => `${base}/${category}/${name}`),
  );
}

function parse(root: string, paths: readonly string[], problems: SchemaProblem[]): SchemaFile[] {
  const files: SchemaFile[] = [];
  for (const path of paths) {
    const text = readFileSync(join(root, path), 'utf8').replace(/^\uFEFF/, '');
    try {
      files.push({ path, json: JSON.parse(text) });
    } catch (error) {
      problems.push({ file: path, key: '(whole file)', expected: `this is no JSON; ${(error as Error).message}` });
    }
  }
  return files;
}

/** Files whose custom fields have their base types; what else no registry knows is a problem. */
export function resolveFiles({ files, problems }: ReadFiles, { customFields }: Settings): ReadFiles {
  const found = [...problems];
  const resolved = (file: SchemaFile) => resolveKinds(file, customFields, found);
  const contentTypes = files.contentTypes.map(resolved);
  const components = files.components.map(resolved);
  const user = files.user && resolved(files.user);
  return { files: { contentTypes, components, ...(user && { user }) }, problems: found };
}

/**
 * Reads every schema file of the project at `root`, in an order that does not depend on the machine. Custom fields have
 * their base types.
 * @throws UserError for wrong settings.
 */
export async function readSchemaFiles(root: string): Promise<ReadFiles> {
  const settings = await loadSettings(root);
  const problems: SchemaProblem[] = [];
  const contentTypes = parse(root, contentTypePaths(root, problems), problems);
  const components = parse(root, componentPaths(root), problems);
  const path = userPath(root, problems);
  const [user] = parse(root, path === undefined ? [] : [path], problems);
  return resolveFiles({ files: { contentTypes, components, ...(user && { user }) }, problems }, settings);
}

/** What a file that could not be read was going to declare, going by its path. */
function presumedUid(path: string): string {
  const parts = path.replace(/(\/schema)?\.json$/, '').split('/');
  const name = parts.at(-1) ?? '';
  return path.startsWith(`${CONTENT_TYPES}/${COMPONENTS}/`) ? `${parts.at(-2)}.${name}` : `api::${name}.${name}`;
}

/** A reference to what a file with problems of its own was going to declare is no mistake of its own. */
function withoutEchoes(problems: readonly SchemaProblem[]): readonly SchemaProblem[] {
  const missing = problems.map(({ file }) => `"${presumedUid(file)}" does not`);
  return problems.filter(({ expected }) => !missing.some((text) => expected.endsWith(text)));
}

/** @throws SchemaError for what the registry refuses. */
function lintedRegistry(files: SchemaFiles): Registry {
  const registry = buildRegistry(files, CHECKED);
  const problems = lintSchemas(files, registry);
  if (problems.length > 0) throw new SchemaError(problems);
  return registry;
}

/**
 * The registry of the files. One mistake is one problem.
 * @throws SchemaError with the problems of reading and of meaning together.
 */
export function registryOf({ files, problems }: ReadFiles): Registry {
  const all = [...files.contentTypes, ...files.components, ...(files.user ? [files.user] : [])];
  const misspelt = all.flatMap(misspeltKeys);
  const found = [...problems, ...misspelt];
  try {
    const registry = lintedRegistry(files);
    if (found.length === 0) return registry;
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new SchemaError(withoutEchoes([...found, ...error.problems]));
  }
  throw new SchemaError(found);
}

/** Node puts the place of a syntax error before its stack; a frame of the stack names the version of the file. */
const PLACE = /^(?:file:\/\/)?(\/[^?\n]+?)(?:\?v=\w+)?:(\d+)\n|file:\/\/(\/[^?\n]+)\?v=\w+:(\d+)/;

/** File and line of an error in the settings, or the file alone: `edgewise.config.ts:12`. */
function placeOf(error: Error, root: string): string {
  const [, file, line, frameFile = file, frameLine = line] = PLACE.exec(error.stack ?? '') ?? [];
  return frameFile ? `${relative(root, decodeURI(frameFile))}:${frameLine}` : CONFIG;
}

/**
 * Loads `edgewise.config.ts`, as it stands there; without one nothing is set.
 * @throws UserError that names the file
 */
export async function loadOwnSettings(root: string): Promise<unknown> {
  const path = join(root, CONFIG);
  if (!existsSync(path)) return {};
  let module: { readonly default?: unknown };
  try {
    module = await importFresh(path);
  } catch (error) {
    throw new UserError(`${placeOf(error as Error, root)} cannot be loaded: ${(error as Error).message}`);
  }
  if (module.default === undefined) throw new UserError(`${CONFIG}: expected \`export default defineConfig({ … })\``);
  return module.default;
}

/**
 * Merges settings of the project's own over imported ones, and fills in defaults.
 * @throws UserError that names each wrong key
 */
export function mergedSettings(own: unknown, imported: SettingsInput): Settings {
  try {
    return parseSettings(mergeSettings(own, imported));
  } catch (error) {
    throw new UserError((error as Error).message);
  }
}

/**
 * Loads the settings of the project: `edgewise.config.ts` over `edgewise.imported.json`, either of which may be missing.
 * @throws UserError that names the file, and each wrong key
 */
export const loadSettings = async (root: string): Promise<Settings> =>
  mergedSettings(await loadOwnSettings(root), readImported(root));
