/**
 * @module The starters, which `edgewise new --starter` makes a project of: content types, content, settings and a site. They lie in
 * `starters/` of the package. One without content types has those of the package's own folder, and its content.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parseSettings, type SettingsInput } from '../../src/schema/settings/config.ts';
import { PACKAGE } from '../core/package.ts';
import { readJson } from '../core/read-json.ts';
import type { StarterName } from '../core/starter-names.ts';
import { CONTENT_TYPES, schemaFilesIn } from '../project/project.ts';
import type { NewFile } from './folder.ts';
import type { Types } from './types.ts';

/** The folder of the site in a project. */
export const SITE = 'site';

/** What building and installing leave in a site, at any depth. */
const MADE = /(^|\/)(node_modules|dist|\.astro|\.next|\.wrangler|package-lock\.json|next-env\.d\.ts|\.DS_Store)(\/|$)/;

/** Reads the files of a folder, without what is made of them. A `gitignore` gets its dot, without which npm packs it. */
export function filesBelow(folder: string, under: string): readonly NewFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !MADE.test(relative(folder, path).split(sep).join('/')))
    .map((path) => {
      const below = relative(folder, path).split(sep).join('/');
      return { path: `${under}/${below.replace(/(^|\/)gitignore$/, '$1.gitignore')}`, text: readFileSync(path) };
    });
}

/** Returns what a project with this site begins with. */
export function siteTypes(name: StarterName): Types {
  const folder = join(PACKAGE, 'starters', name);
  const settings = readJson(join(folder, 'settings.json')) as SettingsInput;
  const base = existsSync(join(folder, CONTENT_TYPES)) ? folder : PACKAGE;
  const { files } = schemaFilesIn(base, parseSettings(settings));
  const content = filesBelow(join(base, 'demo'), 'demo');
  return { files, settings, notes: [], site: [...content, ...filesBelow(join(folder, SITE), SITE)] };
}
