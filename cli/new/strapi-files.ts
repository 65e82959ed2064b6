/**
 * @module Lists the files of a Strapi project, and reads its content types and components.
 */
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isObject } from '../../src/common/json.ts';
import type { SchemaFile, SchemaFiles } from '../../src/schema/build.ts';
import { readJson } from '../core/read-json.ts';
import { UserError } from '../core/terminal.ts';
import { TARGETS } from '../import/archive-types.ts';
import { CONTENT_TYPES, mapFiles, USER_FILE } from '../project/project.ts';

const FOLDERS = ['src', 'config', 'database/migrations', 'public'];
const isForeign = (path: string): boolean => path === 'public/uploads' || /(^|\/)(\.[^/]*|node_modules)$/.test(path);

function* walk(project: string, path: string, above: readonly string[]): Generator<string> {
  const folder = realpathSync(join(project, path));
  // Symbolic links may form a cycle.
  if (above.includes(folder)) return;
  for (const name of readdirSync(folder)) {
    const inner = `${path}/${name}`;
    if (isForeign(inner)) continue;
    const entry = statSync(join(project, inner), { throwIfNoEntry: false });
    if (entry?.isDirectory()) yield* walk(project, inner, [...above, folder]);
    else if (entry?.isFile()) yield inner;
  }
}

/** The files without packages, uploads and hidden ones: paths relative to the project, sorted. @throws Error for files that cannot be read. */
export const projectFiles = (project: string): readonly string[] =>
  FOLDERS.filter((folder) => existsSync(join(project, folder)))
    .flatMap((folder) => [...walk(project, folder, [])])
    .sort();

const TYPE = /^src\/api\/([^/]+)\/content-types\/[^/]+\/schema\.json$/;
const COMPONENT = /^src\/components\/[^/]+\/[^/]+\.json$/;
const USER = 'src/extensions/users-permissions/content-types/user/schema.json';

export const isTaken = (path: string): boolean => TYPE.test(path) || COMPONENT.test(path) || path === USER;

const read = (project: string, path: string, target: string): SchemaFile => ({
  path: target,
  json: readJson(join(project, path)),
});

/** Leaves out relations to types that are not here, such as `admin::user`, with a note of each. */
export function withoutUnfitRelations(files: SchemaFiles): {
  readonly files: SchemaFiles;
  readonly notes: readonly string[];
} {
  const notes: string[] = [];
  const isFit = (path: string, name: string, attribute: unknown): boolean => {
    const target = isObject(attribute) && attribute.type === 'relation' ? attribute.target : undefined;
    if (typeof target !== 'string' || TARGETS.test(target)) return true;
    notes.push(`${path}: ${name} is a relation to ${target}, which is not there; left out`);
    return false;
  };
  const fit = ({ path, json }: SchemaFile): SchemaFile => {
    if (!isObject(json) || !isObject(json.attributes)) return { path, json };
    const attributes = Object.entries(json.attributes).filter(([name, attribute]) => isFit(path, name, attribute));
    return { path, json: { ...json, attributes: Object.fromEntries(attributes) } };
  };
  return { files: mapFiles(files, fit), notes };
}

/** A file with its path in the Strapi project. */
type Read = readonly [path: string, file: SchemaFile];

/** Maps uids of Strapi to uids here, where they differ: `api::blog.post` → `api::post.post`. */
function renamedTypes(types: readonly Read[]): ReadonlyMap<string, string> {
  const uids = types.map(([path, { json }]) => {
    const name = isObject(json) && isObject(json.info) ? String(json.info.singularName) : '';
    return [`api::${TYPE.exec(path)?.[1]}.${name}`, `api::${name}.${name}`] as const;
  });
  return new Map(uids.filter(([uid, own]) => uid !== own));
}

/** Points the relations of a file to the uids here. */
function withTargets({ path, json }: SchemaFile, renamed: ReadonlyMap<string, string>): SchemaFile {
  if (!isObject(json) || !isObject(json.attributes)) return { path, json };
  const attributes = Object.entries(json.attributes).map(([name, attribute]) => {
    const target = isObject(attribute) ? renamed.get(String(attribute.target)) : undefined;
    return [name, target === undefined ? attribute : { ...(attribute as object), target }] as const;
  });
  return { path, json: { ...json, attributes: Object.fromEntries(attributes) } };
}

/** @throws UserError for two files that would be one here. */
function assertDistinct(files: readonly Read[]): void {
  const sources = new Map<string, string>();
  for (const [path, file] of files) {
    const other = sources.get(file.path);
    if (other !== undefined)
      throw new UserError(`${other} and ${path} would both be ${file.path}: give one of their folders another name`);
    sources.set(file.path, path);
  }
}

/** @throws UserError for a folder without content types, for a file that is no JSON, and for two files of one name. */
export function readStrapiFiles(project: string): SchemaFiles {
  if (!existsSync(project)) throw new UserError(`--from ${project}: there is no such folder`);
  const paths = projectFiles(project);
  const types = paths
    .filter((path) => TYPE.test(path))
    .map((path): Read => [path, read(project, path, `${CONTENT_TYPES}/${basename(dirname(path))}/schema.json`)]);
  if (types.length === 0)
    throw new UserError(
      `--from ${project}: no content types in it; expected a Strapi project, with src/api/*/content-types/*/schema.json`,
    );
  assertDistinct(types);
  const renamed = renamedTypes(types);
  const components = paths
    .filter((path) => COMPONENT.test(path))
    .map((path) => read(project, path, `${CONTENT_TYPES}/components/${basename(dirname(path))}/${basename(path)}`));
  const user = paths.includes(USER) && { user: read(project, USER, USER_FILE) };
  const files = { contentTypes: types.map(([, file]) => file), components, ...user };
  return mapFiles(files, (file) => withTargets(file, renamed));
}
