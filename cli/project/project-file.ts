/**
 * @module Generates `.edgewise/project.ts`: the content types and settings that the Worker is bundled with.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../src/common/digest.ts';
import type { SchemaFile, SchemaFiles } from '../../src/schema/build.ts';
import type { Settings } from '../../src/schema/settings/config.ts';
import { replaceFile } from '../core/replace-file.ts';

export const PROJECT_FILE = '.edgewise/project.ts';

/** A Worker starts faster with large objects as JSON texts (https://v8.dev/blog/cost-of-javascript-2019#json). */
const parsed = (file: SchemaFile): string => `JSON.parse(${JSON.stringify(JSON.stringify(file))})`;

const fileList = (files: readonly SchemaFile[]): string =>
  files.length === 0 ? '[]' : `[\n${files.map((file) => `    ${parsed(file)},\n`).join('')}  ]`;

export function projectText(files: SchemaFiles, settings: Settings): string {
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
  return `// Written by \`edgewise build\` from content-types/ and the settings. Do not edit.
import type { ProjectFiles, Settings } from 'edgewise';
import type { ContentTypes } from '../types/content-types.d.ts';

export const registry: ProjectFiles<ContentTypes> = {
${fields.map((field) => `  ${field},\n`).join('')}};

export const settings: Settings = ${JSON.stringify(settings)};
`;
}

/** Replaces the file atomically, for bundlers that read it meanwhile. @returns has it changed? */
export function writeProject(root: string, files: SchemaFiles, settings: Settings): boolean {
  const path = join(root, PROJECT_FILE);
  const text = projectText(files, settings);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false;
  replaceFile(path, text);
  return true;
}
