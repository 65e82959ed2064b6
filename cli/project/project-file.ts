/**
 * @module Generates what the Worker is bundled with, its content types and settings, in `.edgewise/`. `project.ts`, which
 * modules of a project import, leads to `built.ts`; in the bundle of `npm run dev`, to a file of its own. So no build
 * changes what is served, and no deployment has what is served.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../src/common/digest.ts';
import type { SchemaFile, SchemaFiles } from '../../src/schema/build.ts';
import type { Settings } from '../../src/schema/settings/config.ts';
import type { Output } from '../migrations/migration-files.ts';

const FOLDER = '.edgewise';
export const BUILT_FILE = `${FOLDER}/built.ts`;
const PACKAGE_FILE = `${FOLDER}/package.json`;

/** A Worker starts faster with large objects as JSON texts (https://v8.dev/blog/cost-of-javascript-2019#json). */
const parsed = (file: SchemaFile): string => `JSON.parse(${JSON.stringify(JSON.stringify(file))})`;

const fileList = (files: readonly SchemaFile[]): string =>
  files.length === 0 ? '[]' : `[\n${files.map((file) => `    ${parsed(file)},\n`).join('')}  ]`;

function registryText(files: SchemaFiles, settings: Settings): string {
  const {
    contentTypes,
    components,
    user,
    overflow = {},
    indexes = {},
    search = [],
    placeholders = false,
    renames,
    fences,
    isDev,
  } = files;
  const others = {
    ...(user && { user }),
    overflow,
    indexes,
    search,
    placeholders,
    ...(renames && { renames }),
    ...(fences && { fences }),
    ...(isDev && { isDev }),
  };
  const fields = [
    `contentTypes: ${fileList(contentTypes)}`,
    `components: ${fileList(components)}`,
    ...Object.entries(others).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
  ];
  fields.push(`fingerprint: '${sha256(JSON.stringify([fields, settings]))}'`);
  return `{\n${fields.map((field) => `  ${field},\n`).join('')}}`;
}

const builtText = (files: SchemaFiles, settings: Settings): string =>
  `// Written by \`edgewise build\` from content-types/ and the settings. Do not edit.
import type { ProjectFiles, Settings } from 'edgewise';
import type { ContentTypes } from '../types/content-types.d.ts';

export const registry: ProjectFiles<ContentTypes> = ${registryText(files, settings)};

export const settings: Settings = ${JSON.stringify(settings)};
`;

const devText = (files: SchemaFiles, settings: Settings): string =>
  `// Written by \`npm run dev\` from content-types/ and the settings. Do not edit.
export const registry = ${registryText({ ...files, isDev: true }, settings)};

export const settings = ${JSON.stringify(settings)};
`;

/** What `npm run dev` bundles, of one local database. */
export interface DevBundle {
  /** Its folder, below `.edgewise/`. */
  readonly name: string;
  /** Bundlers that are given it take the file of this bundle: https://esbuild.github.io/api/#conditions */
  readonly condition: string;
}

const devFile = ({ name }: DevBundle): string => `${name}/project.js`;

/** The conditions with their files of each `npm run dev` of the project so far. */
function devEntriesIn(root: string): Readonly<Record<string, string>> {
  try {
    const { default: _, ...entries } = JSON.parse(readFileSync(join(root, PACKAGE_FILE), 'utf8')).imports['#bundle'];
    return entries;
  } catch {
    // It is written anew.
    return {};
  }
}

/** The file that modules import, and where it leads. */
function entryFiles(root: string, dev: Readonly<Record<string, string>> = {}): readonly Output[] {
  // The first one that applies is taken.
  const imports = { '#bundle': { ...devEntriesIn(root), ...dev, default: './built.ts' } };
  const json = JSON.stringify({ private: true, type: 'module', imports }, null, 2);
  return [
    { path: PACKAGE_FILE, text: `${json}\n` },
    { path: `${FOLDER}/project.ts`, text: `export { registry, settings } from '#bundle';\n` },
  ];
}

/** Returns the files of a deployment. */
export const builtFiles = (root: string, files: SchemaFiles, settings: Settings): readonly Output[] => [
  { path: BUILT_FILE, text: builtText(files, settings) },
  ...entryFiles(root),
];

/** Returns the files of a Worker of `npm run dev`. */
export const devFiles = (root: string, dev: DevBundle, files: SchemaFiles, settings: Settings): readonly Output[] => [
  { path: `${FOLDER}/${devFile(dev)}`, text: devText(files, settings) },
  ...entryFiles(root, { [dev.condition]: `./${devFile(dev)}` }),
];
