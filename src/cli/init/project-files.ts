/**
 * @module Lists the files of a Strapi project without packages, uploads and hidden files.
 */
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

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

/** Paths relative to the project, sorted. @throws Error for files that cannot be read. */
export const projectFiles = (project: string): readonly string[] =>
  FOLDERS.filter((folder) => existsSync(join(project, folder)))
    .flatMap((folder) => [...walk(project, folder, [])])
    .sort();
