/**
 * @module The files of a project as an import leaves them, planned as a whole: what `generate` would refuse afterwards is
 * refused before the first file changes.
 */
import type { Settings } from '../../config.ts';
import type { SchemaFiles } from '../../registry/build.ts';
import type { Registry } from '../../registry/model.ts';
import { counted } from '../counted.ts';
import { emptyState } from '../migrations/migration.ts';
import { migrationNames, readLocales, readState } from '../migrations/migration-files.ts';
import { type Change, changeFiles } from '../project/change-files.ts';
import { type Basis, type GenerateOptions, planGenerate } from '../project/generate.ts';
import { CONFIG, CONTENT_TYPES, readSchemaFiles, registryOf } from '../project/project.ts';
import { sourcesOf } from '../project/sources.ts';
import { progress } from '../terminal.ts';
import type { ConfigChange } from './config-file.ts';
import { typeChanges } from './place-types.ts';

export interface ProjectModel {
  /** Those that take the place of all that are there; absent: those stay. */
  readonly files?: SchemaFiles;
  readonly config: ConfigChange;
  readonly settings: Settings;
  /** Do the migrations begin anew? */
  readonly isNew: boolean;
}

export interface ProjectPlan {
  readonly registry: Registry;
  readonly changes: readonly Change[];
  readonly lines: readonly string[];
}

const generatedBefore = async (root: string, isNew: boolean): Promise<Omit<Basis, 'sources'>> =>
  isNew
    ? { state: await emptyState(), locales: undefined, migrations: [] }
    : { state: await readState(root), locales: readLocales(root), migrations: migrationNames(root) };

/** @throws SchemaError or UserError for what `generate` refuses; nothing is written. */
export async function planProject(root: string, model: ProjectModel, options: GenerateOptions): Promise<ProjectPlan> {
  const { config, settings, isNew } = model;
  const read = model.files ? { files: model.files, problems: [] } : await readSchemaFiles(root);
  const sources = sourcesOf(root, read.files, registryOf(read), settings);
  const basis = { sources, ...(await generatedBefore(root, isNew)) };
  const { registry, outputs, lines } = await planGenerate(root, basis, options);
  const changes = [
    ...(model.files ? typeChanges(root, model.files) : []),
    ...(config.kind === 'write' ? [{ path: CONFIG, text: config.text }] : []),
    ...outputs,
  ];
  return { registry, changes, lines };
}

/** Writes what was planned: all of it or nothing. */
export function writeProject(root: string, { changes, lines }: ProjectPlan): void {
  for (const line of lines) progress(line);
  const written = changeFiles(root, changes);
  const isType = (path: string) => path.startsWith(`${CONTENT_TYPES}/`);
  const types = written.filter(isType).length;
  if (types > 0) progress(`changed ${counted(types, 'file')} in content-types/`);
  for (const path of written.filter((name) => !isType(name))) progress(`wrote ${path}`);
}
