/**
 * @module The content types and components of a Strapi project, as they stand in its source.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { SchemaFile, SchemaFiles } from '../../registry/build.ts';
import { CONTENT_TYPES, USER_FILE } from '../project/project.ts';
import { UserError } from '../terminal.ts';

const TYPES = 'src/api/*/content-types/*/schema.json';
const COMPONENTS = 'src/components/*/*.json';
const USER = 'src/extensions/users-permissions/content-types/user/schema.json';

/** Files that are read. */
const TAKEN =
  /^src\/(api\/[^/]+\/content-types\/[^/]+\/schema|components\/[^/]+\/[^/]+|extensions\/users-permissions\/content-types\/user\/schema)\.json$/;

export const isTaken = (path: string): boolean => TAKEN.test(path);

const found = (project: string, pattern: string): readonly string[] =>
  globSync(pattern, { cwd: project })
    .map((path) => path.split(sep).join('/'))
    .sort();

function read(project: string, path: string, target: string): SchemaFile {
  const file = join(project, path);
  try {
    return { path: target, json: JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) };
  } catch (error) {
    throw new UserError(`${file} is not JSON: ${(error as Error).message}`);
  }
}

const typeTarget = (path: string): string => `${CONTENT_TYPES}/${basename(dirname(path))}/schema.json`;
const componentTarget = (path: string): string =>
  `${CONTENT_TYPES}/components/${basename(dirname(path))}/${basename(path)}`;

/** @throws UserError for a folder without content types, and for a file that is no JSON. */
export function readStrapiFiles(project: string): SchemaFiles {
  if (!existsSync(project)) throw new UserError(`--from ${project}: there is no such folder`);
  const types = found(project, TYPES);
  if (types.length === 0)
    throw new UserError(`--from ${project}: no content types in it; expected a Strapi project, with ${TYPES}`);
  const contentTypes = types.map((path) => read(project, path, typeTarget(path)));
  const components = found(project, COMPONENTS).map((path) => read(project, path, componentTarget(path)));
  const user = existsSync(join(project, USER)) ? { user: read(project, USER, USER_FILE) } : {};
  return { contentTypes, components, ...user };
}
