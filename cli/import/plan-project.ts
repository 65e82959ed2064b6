/**
 * @module The files of a project as an import leaves them, planned as a whole: what `generate` would reject afterwards is
 * rejected before the first file changes. The settings of the archive are a separate file, and of
 * `edgewise.config.ts` only what is about a demo that goes is cut out.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../src/common/json.ts';
import type { SchemaFiles } from '../../src/schema/build.ts';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { counted } from '../core/counted.ts';
import { progress } from '../core/terminal.ts';
import type { Output } from '../migrations/migration-files.ts';
import { readFolder } from '../migrations/revisions.ts';
import { type GenerateOptions, planGenerate } from '../project/generate.ts';
import { type Leaving, withoutDemoSettings } from '../project/leave-demo.ts';
import { readRequired } from '../project/new-required.ts';
import { CONTENT_TYPES, readSchemaFiles, resolveFiles } from '../project/project.ts';
import {
  CONFIG,
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
 * @param leavesDemo does the demo go, with what the settings say of it?
 * @throws UserError for settings that would be wrong
 */
export async function planSettings(root: string, archive: SettingsInput | undefined, leavesDemo: boolean) {
  if (archive) checkedSettings(archive, 'The archive');
  const imported = archive ?? readImported(root);
  const present = await loadOwnSettings(root);
  const path = join(root, CONFIG);
  const source = leavesDemo && existsSync(path) ? readFileSync(path, 'utf8') : '';
  const { text, removed } = withoutDemoSettings(source);
  const own = isObject(present)
    ? Object.fromEntries(Object.entries(present).filter(([key]) => !removed.includes(key)))
    : present;
  return {
    changes: [
      ...(removed.length > 0 ? [{ path: CONFIG, text }] : []),
      ...(archive ? importedChange(root, archive) : []),
    ] satisfies readonly TextChange[],
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
  /** Is the history of migrations replaced? */
  readonly isNew: boolean;
  /** Where the demo goes. */
  readonly leaving?: Leaving | undefined;
}

/** The changes with which generated files come. */
function projectChanges(
  root: string,
  { files, config, leaving }: ProjectModel,
  outputs: readonly Output[],
): readonly Change[] {
  const written = new Set(outputs.flatMap(({ path, claims }) => (claims === undefined ? [path] : [])));
  return [
    ...(leaving?.changes.filter(({ path }) => !written.has(path)) ?? []),
    // They claim the numbers of the migrations before another file changes.
    ...outputs.filter(({ claims }) => claims !== undefined),
    ...(files ? typeChanges(root, files) : []),
    ...config.changes,
    ...outputs,
  ];
}

/** For settings about the demo that are not as a fresh clone has them. */
const DEMO_SETTINGS_HINT = `The content types of the demo go: remove what is about them from ${CONFIG}`;

/** @throws SchemaError or UserError for what `generate` rejects; nothing is written. */
export async function planProject(root: string, model: ProjectModel, options: GenerateOptions) {
  const { files, config, isNew, leaving } = model;
  const { settings, imported } = config;
  const read = files ? resolveFiles({ files, problems: [] }, settings) : await readSchemaFiles(root);
  const hints = leaving ? [DEMO_SETTINGS_HINT] : [];
  const sources = sourcesOf(read, settings, { imported, hints });
  const before = isNew ? { migrations: [], revisions: [] } : readFolder(root);
  const noted = { locales: readLocales(root), required: readRequired(root) };
  const basis = { sources, folder: before, ...(isNew ? { locales: undefined, required: undefined } : noted) };
  const { registry, outputs, folder, lines } = await planGenerate(root, basis, options);
  return {
    registry,
    changes: projectChanges(root, model, outputs),
    /** The migrations that the project will have. */
    folder,
    /** Messages before the files change, and after. */
    lines,
    done: leaving?.lines ?? [],
  };
}

export type ProjectPlan = Awaited<ReturnType<typeof planProject>>;

const isType = (path: string): boolean => path.startsWith(`${CONTENT_TYPES}/`);

/** Writes what was planned. */
export function writeProject(root: string, { changes, lines, done }: ProjectPlan): void {
  for (const line of lines) progress(line);
  const changed = writeFiles(root, changes);
  const removed = new Set(changes.flatMap((change) => ('text' in change && change.text !== null ? [] : [change.path])));
  const types = changed.filter(isType).length;
  if (types > 0) progress(`changed ${counted(types, 'file')} in ${CONTENT_TYPES}/`);
  for (const path of changed) if (!isType(path) && !removed.has(path)) progress(`wrote ${path}`);
  for (const line of done) progress(line);
}
