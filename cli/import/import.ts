/**
 * @module Imports an archive of Strapi into a project: content types, settings, rows, bytes, links.
 */
import type { SchemaFiles } from '../../src/schema/build.ts';
import { defaultLocale } from '../../src/schema/settings/derived.ts';
import { backUpBefore, restoreCommand } from '../backup/backup.ts';
import type { ArchiveFile } from '../core/archive/archive-file.ts';
import { GROUPS, type Group } from '../core/archive/groups.ts';
import { contentText, NO_CONTENT, tallySum } from '../core/content-counts.ts';
import { listed } from '../core/counted.ts';
import { whileClaimed } from '../core/lock/database-lock.ts';
import { progressLine } from '../core/progress-line.ts';
import { appliedMigrations } from '../core/sql/database.ts';
import { runBatch } from '../core/sql/statements.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { assertUnlocked, hasDatabase } from '../core/storage/state-folder.ts';
import { withStorage } from '../core/storage/storage.ts';
import { print, progress } from '../core/terminal.ts';
import { type Target, wrangler } from '../core/wrangler/wrangler.ts';
import { catchUp } from '../dev/push.ts';
import { agreedProject, applyDue, migrate, reportMigrated } from '../migrations/apply.ts';
import { migrationNames } from '../migrations/migration-files.ts';
import { readSchemaFiles, registryOf } from '../project/project.ts';
import { CONFIG } from '../project/settings.ts';
import { storedRegistry } from '../project/sources.ts';
import { archiveRoles, archiveSettings, placedRoles } from './archive-settings.ts';
import { schemaFilesOf } from './archive-types.ts';
import { countComing } from './comes.ts';
import { beginStatements, type ImportRun, importedTablesWithContent, type Marker, readMarkers } from './marker.ts';
import { archiveRegistry, chooseTypes, type TypeChoice } from './place-types.ts';
import { type GroupFlags, planImport, type Stored } from './plan-import.ts';
import { type ProjectPlan, planProject, planSettings, writeProject } from './plan-project.ts';
import { printJsonReport, printPreview, printReport } from './report.ts';
import { resolveRows } from './resolve-rows.ts';
import { newWarnings, type Survey, surveyArchive } from './survey.ts';
import { writeContent } from './write-content.ts';

export interface ImportFlags extends Target, GroupFlags {
  readonly key?: string;
  readonly dryRun?: true;
  readonly json?: true;
  readonly force?: true;
  readonly replaceTypes?: true;
  readonly allowDrop?: true;
  /** False: `--no-backup`. */
  readonly backup: boolean;
}

interface Before extends Stored {
  readonly migrations: ReadonlySet<string>;
}

const NO_TYPES: SchemaFiles = { contentTypes: [], components: [] };

const NOTHING: Before = { filled: [], markers: [], migrations: new Set() };

/** A local database that does not exist is not opened. */
async function readBefore(root: string, flags: ImportFlags): Promise<Before> {
  if (!hasDatabase(root, flags)) return NOTHING;
  const registry = registryOf(await readSchemaFiles(root));
  return withStorage(root, flags, async ({ db }) => ({
    filled: await importedTablesWithContent(db, registry),
    markers: await readMarkers(db),
    migrations: new Set(await appliedMigrations(db)),
  }));
}

interface Job {
  readonly root: string;
  readonly survey: Survey;
  readonly flags: ImportFlags;
  readonly before: Before;
  readonly groups: readonly Group[];
  /** Is the content of the database deleted first? */
  readonly clears: boolean;
  readonly keepsContent: boolean;
  /** May migrations drop content of the database? */
  readonly allowDrop: boolean;
}

/** Decides which content types and settings the project gets. */
async function modelOf({ root, survey, flags, groups }: Job) {
  const { warnings } = survey;
  const files = schemaFilesOf(survey, warnings);
  const wanted = archiveRegistry(files);
  const choice: TypeChoice = groups.includes('content')
    ? await chooseTypes(root, wanted, flags)
    : { write: false, differences: [] };
  for (const difference of choice.differences) warnings.addLoss(`content types: ${difference}; left out`);
  const registry = choice.write ? wanted : await storedRegistry(root);
  const settings = groups.includes('config') ? archiveSettings(survey, registry) : undefined;
  const config = await planSettings(root, settings);
  for (const key of settings ? config.overridden : [])
    warnings.add(`${CONFIG} sets ${key} itself, so what the archive says of it has no effect`);
  return { files, choice, registry, config, settings };
}

type Model = Awaited<ReturnType<typeof modelOf>>;

/** Plans the files of the project after the import; writes nothing. @throws UserError if they would be invalid. */
async function planFiles(job: Job, { choice, files, config }: Model): Promise<ProjectPlan> {
  const { root, flags, keepsContent, allowDrop } = job;
  const options = { allowDrop, isEmpty: !keepsContent, target: flags };
  return planProject(root, { ...(choice.write && { files }), config }, options);
}

/** Writes the files of the project and migrates the database. @throws UserError with the error of wrangler. */
async function writeFilesAndTables({ root, flags, before, allowDrop }: Job, project: ProjectPlan): Promise<void> {
  writeProject(root, project);
  if (migrationNames(root).every((name) => before.migrations.has(name))) return;
  progress('applying migrations …');
  if (flags.remote) return reportMigrated(await migrate(flags, wrangler, root), flags);
  if (before !== NOTHING && (await catchUp(root, flags, allowDrop))) return;
  reportMigrated(await withStorage(root, flags, ({ db }) => applyDue(root, db)), flags);
}

/** Leaves out what is of other groups. */
function leaveOutGroups({ counts, leftOut }: Survey, groups: readonly Group[]): void {
  const { documents, versions, links } = tallySum(leftOut);
  const rest = { documents: counts.documents - documents, versions: counts.versions - versions };
  const reason = `since this import is of ${listed(groups)}`;
  if (!groups.includes('content')) leftOut.add(`content, ${reason}`, { ...rest, links: counts.links - links });
  if (!groups.includes('files')) leftOut.add(`bytes of files, ${reason}`, { files: counts.files });
}

/**
 * Imports an archive.
 * @throws UserError for what has to be fixed first; nothing is written then.
 */
export async function importSurvey(root: string, survey: Survey, flags: ImportFlags): Promise<void> {
  if (flags.dryRun) return importInto(root, survey, flags);
  assertUnlocked(root, flags);
  await whileClaimed(flags, 'import', () => importInto(root, survey, flags));
}

async function importInto(root: string, survey: Survey, flags: ImportFlags): Promise<void> {
  const before = await readBefore(root, flags);
  const marker = planImport(before, survey, flags);
  if (marker.finishedAt !== null) {
    if (flags.json) printJsonReport(survey, NO_CONTENT, undefined, marker.finishedAt);
    return progress(
      `This archive was imported at ${new Date(marker.finishedAt).toISOString()}; nothing was changed. To import it again: --replace`,
    );
  }
  const { groups } = marker;
  const resumes = before.markers.includes(marker);
  const abandoned = before.markers.find(({ finishedAt }) => finishedAt === null);
  if (abandoned && !resumes) progress(`starting over: the import of ${abandoned.name} was interrupted`);
  if (groups.length < GROUPS.length || resumes)
    progress(`${resumes ? 'going on with' : 'importing'} ${listed(groups)} …`);
  const isFilled = before.filled.length > 0;
  const clears = marker.mode === 'replace' && groups.includes('content') && !resumes;
  const keepsContent = isFilled && !clears;
  const allowDrop = !keepsContent || flags.allowDrop === true;
  const job: Job = { root, survey, flags, before, groups, clears, keepsContent, allowDrop };
  const model = await modelOf(job);
  const dry = flags.dryRun === true;
  // All that can be rejected is rejected before the first change, and by a dry run.
  const project = await planFiles(job, model);
  const { registry } = project;
  const { settings } = model.config;
  const roles = placedRoles(archiveRoles(survey), settings);
  const types = groups.includes('content') ? resolveRows(survey, registry, roles, defaultLocale(settings)) : new Map();
  leaveOutGroups(survey, groups);
  const importRun = { survey, registry, settings, types, roles };
  if (dry) return previewImport(importRun, marker, model, flags);
  // What migrations lose of a deployed database has to be confirmed, as for `npx edgewise migrate`.
  if (flags.remote && project.folder.migrations.some(({ name }) => !before.migrations.has(name)))
    await agreedProject(root, flags, { allowDrop }, wrangler, project.folder);
  const backUp = (storage: Storage) => backUpBefore(root, flags, storage, 'before-import');
  const backup = clears && isFilled && flags.backup ? await withStorage(root, flags, backUp) : undefined;
  await writeFilesAndTables(job, project);
  const taken = await withStorage(root, flags, async (storage) => {
    if (!resumes) await runBatch(storage.db, beginStatements(marker, before.markers));
    return writeContent({ ...importRun, storage, marker });
  });
  printReport(survey, taken);
  if (backup !== undefined) printRestore(backup, model, flags);
}

/** Checks and counts all that the import would write, and prints it. */
async function previewImport(
  importRun: Omit<ImportRun, 'marker' | 'storage'>,
  marker: Marker,
  { files, settings }: Model,
  { json }: ImportFlags,
): Promise<void> {
  const { survey } = importRun;
  const taken = await writeContent({ ...importRun, marker: { ...marker, stage: 'rows', done: 0 } });
  const comes = countComing(survey, marker.groups.includes('content') ? files : NO_TYPES, settings);
  if (json) printJsonReport(survey, taken, comes, null);
  else printPreview(survey, taken, comes);
}

/** A backup fits the content types that it was made with. */
function printRestore(backup: string, { choice, config }: Model, flags: ImportFlags): void {
  const files = [...(choice.write ? ['content-types/ and drizzle/'] : []), ...config.changes.map(({ path }) => path)];
  const first = files.length > 0 ? `, after ${files.join(' and ')} as they were before` : '';
  print(`What was there comes back with: ${restoreCommand(backup, flags)}${first}`);
}

/** Reads an archive and imports it. @throws UserError for an invalid archive, and as `importSurvey` does */
export async function importArchive(root: string, file: ArchiveFile, flags: ImportFlags): Promise<void> {
  const line = progressLine({ name: 'reading the archive', bytes: file.size });
  const survey = await surveyArchive(file, newWarnings(), line.advance);
  try {
    const version = survey.metadata?.strapi?.version ?? '(version unknown)';
    line.done(`read ${file.name} of Strapi ${version} with ${contentText(survey.counts)}`);
    await importSurvey(root, survey, flags);
  } finally {
    survey.staging.close();
  }
}
