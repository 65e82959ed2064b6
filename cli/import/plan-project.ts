/**
 * @module The files of a project as an import leaves them, planned as a whole: what `generate` would reject afterwards is
 * rejected before the first file changes. The settings of the archive are a separate file.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SchemaFiles } from '../../src/schema/build.ts';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { counted } from '../core/counted.ts';
import { progress } from '../core/terminal.ts';
import type { Output } from '../migrations/migration-files.ts';
import { readFolder } from '../migrations/revisions.ts';
import { type GenerateOptions, planGenerate } from '../project/generate.ts';
import { readRequired } from '../project/new-required.ts';
import { CONTENT_TYPES, readSchemaFiles, resolveFiles } from '../project/project.ts';
import {
  checkedSettings,
  IMPORTED,
  loadOwnSettings,
  mergedSettings,
  overriddenKeys,
  readImported,
} from '../project/settings.ts';
import { sourcesOf } from '../project/sources.ts';
import { readLocales } from '../project/warnings.ts';
import { type Change, type TextChange, writeFiles } from '../project/write-files.ts';
import { typeChanges } from './place-types.ts';

/** A project without imported settings has no file for them. */
function importedChange(root: string, imported: SettingsInput): readonly TextChange[] {
  const isEmpty = Object.keys(imported).length === 0;
  if (isEmpty && !existsSync(join(root, IMPORTED))) return [];
  return [{ path: IMPORTED, text: isEmpty ? null : `${JSON.stringify(imported, null, 2)}\n` }];
}

/**
 * Plans the settings of the project; nothing is written yet.
 * @param archive what takes the place of what an earlier import brought; undefined: that stays
 * @throws UserError for settings that would be wrong
 */
export async function planSettings(root: string, archive: SettingsInput | undefined) {
  if (archive) checkedSettings(archive, 'The archive');
  const imported = archive ?? readImported(root);
  const own = await loadOwnSettings(root);
  return {
    changes: archive ? importedChange(root, archive) : [],
    /** The settings as they will be loaded. */
    settings: mergedSettings(own, imported),
    /** The part of them that will stand in `edgewise.imported.json`. */
    imported,
    /** Keys that `edgewise.config.ts` sets to something else than the archive. */
    overridden: overriddenKeys(own, imported),
  };
}

type SettingsChange = Awaited<ReturnType<typeof planSettings>>;

interface ProjectModel {
  /** The content types that replace the current ones; absent: those stay. */
  readonly files?: SchemaFiles;
  readonly config: SettingsChange;
}

/** The changes with which generated files come. */
function projectChanges(root: string, { files, config }: ProjectModel, outputs: readonly Output[]): readonly Change[] {
  return [
    // They claim the numbers of the migrations before another file changes.
    ...outputs.filter(({ claims }) => claims !== undefined),
    ...(files ? typeChanges(root, files) : []),
    ...config.changes,
    ...outputs,
  ];
}

/** @throws SchemaError or UserError for what `generate` rejects; nothing is written. */
export async function planProject(root: string, model: ProjectModel, options: GenerateOptions) {
  const { files, config } = model;
  const { settings, imported } = config;
  const read = files ? resolveFiles({ files, problems: [] }, settings) : await readSchemaFiles(root);
  const sources = sourcesOf(read, settings, imported);
  const basis = { sources, folder: readFolder(root), locales: readLocales(root), required: readRequired(root) };
  const { registry, outputs, folder, lines } = await planGenerate(root, basis, options);
  return {
    registry,
    changes: projectChanges(root, model, outputs),
    /** The migrations that the project will have. */
    folder,
    /** Messages before the files change. */
    lines,
  };
}

export type ProjectPlan = Awaited<ReturnType<typeof planProject>>;

const isType = (path: string): boolean => path.startsWith(`${CONTENT_TYPES}/`);

/** Writes what was planned. */
export function writeProject(root: string, { changes, lines }: ProjectPlan): void {
  for (const line of lines) progress(line);
  const changed = writeFiles(root, changes);
  const removed = new Set(changes.flatMap((change) => (change.text === null ? [change.path] : [])));
  const types = changed.filter(isType).length;
  if (types > 0) progress(`changed ${counted(types, 'file')} in ${CONTENT_TYPES}/`);
  for (const path of changed) if (!isType(path) && !removed.has(path)) progress(`wrote ${path}`);
}
