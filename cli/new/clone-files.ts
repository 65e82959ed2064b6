/**
 * @module The files that a new project takes from a clone of Edgewise that became a project.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { readJson } from '../core/read-json.ts';
import { UserError } from '../core/terminal.ts';
import { WRANGLER_TOML } from '../core/wrangler/wrangler.ts';
import { MIGRATIONS, type Output } from '../migrations/migration-files.ts';
import { CONTENT_TYPES } from '../project/project.ts';
import { CONFIG, IMPORTED } from '../project/settings.ts';

const TAKEN = [
  `${CONTENT_TYPES}/**/*.json`,
  `${MIGRATIONS}/**/*.{sql,json,ts}`,
  'types/*.ts',
  'openapi.json',
  ...[CONFIG, IMPORTED, WRANGLER_TOML],
];

/** The Worker of a clone is bundled from its sources, the one of a project from the package. */
const ofProject = (text: string): string =>
  text
    .replace('"npm run -s build"', '"npx edgewise build"')
    .replace('"src", "studio", ', '"src", ')
    .replace(/^# Why: .*side-channel\.cjs\n/m, '')
    .replace(/"\.\/src\/.*side-channel\.cjs"/, '"edgewise/side-channel"');

/** @throws UserError for a folder that is no clone of Edgewise. */
export function cloneFiles(clone: string): readonly Output[] {
  const file = join(clone, 'package.json');
  const isClone = existsSync(file) && readJson(file).name === 'edgewise';
  if (!isClone) throw new UserError(`--from-clone ${clone}: there is no clone of Edgewise`);
  return globSync(TAKEN, { cwd: clone }).map((found) => {
    const path = found.split(sep).join('/');
    const text = readFileSync(join(clone, path), 'utf8');
    return { path, text: path === WRANGLER_TOML ? ofProject(text) : text };
  });
}
