/**
 * @module Generates what follows from content-types/ and edgewise.config.ts: migrations, types, OpenAPI, the bundled project.
 */
import { sha256 } from '../../src/common/digest.ts';
import { describeOpenApi } from '../../src/features/description/openapi.ts';
import { descriptionsOf } from '../../src/features.ts';
import { buildRegistry, TRUSTED } from '../../src/schema/build.ts';
import type { Registry } from '../../src/schema/model.ts';
import type { Settings } from '../../src/schema/settings/config.ts';
import { defaultLocale } from '../../src/schema/settings/derived.ts';
import { readPackage } from '../core/package.ts';
import { fencesOf } from '../core/sql/fence.ts';
import type { Run } from '../core/sql/statements.ts';
import { executeSql } from '../core/storage/execute-sql.ts';
import { hasDatabase } from '../core/storage/state-folder.ts';
import { progress, UserError } from '../core/terminal.ts';
import { type Target, type Wrangler, wrangler } from '../core/wrangler/wrangler.ts';
import { withFences, withRenames } from '../migrations/history-renames.ts';
import { readAhead } from '../migrations/local-schema.ts';
import { type CountedLoss, countLosses, lossTexts, lossWords, storedLosses } from '../migrations/losses.ts';
import { diffSchemas, renamedLayout, type SchemaDiff, stateOf } from '../migrations/migration.ts';
import { jsonText, MIGRATIONS, migrationFiles, nextMigrations, type Output } from '../migrations/migration-files.ts';
import { isIncomplete, type Loss } from '../migrations/migration-work.ts';
import { renameAdvice } from '../migrations/rename-advice.ts';
import { joinRenames, NO_RENAMES, type Renames } from '../migrations/rename-options.ts';
import { assertWithinLimits, replayProblems } from '../migrations/replay.ts';
import {
  journalFiles,
  lastState,
  type MigrationFolder,
  nextRevisions,
  readFolder,
  revisionFiles,
} from '../migrations/revisions.ts';
import { snapshotOf } from '../migrations/snapshot.ts';
import { unrenamedWarnings } from '../migrations/unrenamed-warnings.ts';
import { planLocal, splitRenames } from './ahead.ts';
import { describeTypes } from './client-types.ts';
import { DRIZZLE_SCHEMA, drizzleSchemaText } from './drizzle-schema.ts';
import { REQUIRED, readRequired, requiredOf, requiredWarnings } from './new-required.ts';
import { filesOf } from './project.ts';
import { builtFiles } from './project-file.ts';
import { withoutRepeated } from './repeated-renames.ts';
import { unsupportedOptions } from './schema-checks.ts';
import { readSources, wantedOf } from './sources.ts';
import { readVersionNote, VERSION_NOTE, type VersionNote } from './version-note.ts';
import { assetWarnings, cronWarnings, LOCALES, localesOf, localeWarnings, readLocales } from './warnings.ts';
import { hasText, writeFiles } from './write-files.ts';

export const TYPES = 'types/content-types.d.ts';
const OPENAPI = 'openapi.json';

export interface GenerateOptions {
  readonly renames?: Renames;
  readonly allowDrop?: boolean;
  /** Is nothing stored? Then no data loss is reported. */
  readonly isEmpty?: boolean;
  /** May values that are not converted be left to SQL by hand, which completes the migration? */
  readonly allowByHand?: boolean;
  /** For the names of the migration's files. */
  readonly name?: string;
  /** The local database in which affected rows are counted. */
  readonly target?: Target;
  readonly execute?: Wrangler;
}

export const describedFiles = (registry: Registry, settings: Settings): readonly Output[] => [
  { path: TYPES, text: describeTypes(registry, settings) },
  {
    path: OPENAPI,
    text: `${JSON.stringify(describeOpenApi(registry, settings, descriptionsOf(settings)), null, 2)}\n`,
  },
];

/** The sources of a project, and what was generated from them so far. @throws SchemaError or UserError for invalid ones. */
export const readBasis = async (root: string) => ({
  sources: await readSources(root),
  folder: readFolder(root),
  locales: readLocales(root),
  required: readRequired(root),
});

export type Basis = Awaited<ReturnType<typeof readBasis>>;

/** What the installed version notes in the projects that it generates. */
function ownVersion(): string {
  const { tables } = snapshotOf(buildRegistry({ contentTypes: [], components: [] }, TRUSTED));
  return jsonText({ version: readPackage().version, tables: sha256(jsonText(tables)) } satisfies VersionNote);
}

/** Has another version generated the project, or this one with other tables? */
export function isOtherVersion(root: string): boolean {
  const note = readVersionNote(root);
  return note !== undefined && jsonText(note) !== ownVersion();
}

async function derive(root: string, { sources, folder, locales: before }: Basis, renames: Renames, isByHand = false) {
  const { settings, declared } = sources;
  const state = lastState(folder.revisions);
  const { files, registry } = wantedOf(sources, renamedLayout(state, declared, renames));
  const options = { renames, defaultLocale: defaultLocale(settings), isByHand };
  const diff = await diffSchemas(state, stateOf(registry), options);
  const locales = localesOf(settings);
  // Checked-in files that depend on the sources alone.
  const derived: readonly Output[] = [
    { path: DRIZZLE_SCHEMA, text: drizzleSchemaText(registry) },
    { path: LOCALES, text: jsonText(locales) },
    { path: REQUIRED, text: jsonText(requiredOf(registry)) },
    { path: VERSION_NOTE, text: ownVersion() },
    ...describedFiles(registry, settings),
  ];
  const warnings = [
    ...localeWarnings(before, locales, registry),
    ...cronWarnings(root, registry, settings),
    ...assetWarnings(root, settings),
    ...filesOf(sources.files).flatMap(unsupportedOptions),
  ];
  const bundled = withRenames(files, settings, [...folder.revisions, { state: diff.next, renames }]);
  return { registry, derived, bundled, diff, warnings };
}

/** Returns stale files; writes nothing. @throws SchemaError or UserError for invalid sources. */
export async function staleFiles(root: string): Promise<readonly string[]> {
  const basis = await readBasis(root);
  const { derived, diff } = await derive(root, basis, NO_RENAMES);
  const stale = derived.filter((file) => !hasText(root, file)).map(({ path }) => path);
  const isSame = jsonText(diff.next) === jsonText(lastState(basis.folder.revisions));
  return diff.parts.length === 0 && isSame ? stale : [...stale, `drizzle/ (a migration is missing: ${diff.what})`];
}

/** @throws UserError if the migrations do not make the tables of drizzle/meta/. */
async function checkMigrations({ migrations, revisions }: MigrationFolder): Promise<void> {
  const problems = await replayProblems(migrations, lastState(revisions));
  if (problems.length === 0) return;
  throw new UserError(
    'The migrations in drizzle/ do not create the tables of drizzle/meta/:',
    ...problems.map((problem) => `  ${problem}`),
    'Restore the files from version control.',
  );
}

/** @throws UserError for a missing migration, with the data loss that it would cause. */
export async function assertMigrated(root: string): Promise<void> {
  const { diff } = await derive(root, await readBasis(root), NO_RENAMES);
  if (diff.parts.length === 0) return;
  const lost = diff.parts.flatMap(({ losses }) => losses.map(({ subject }) => subject));
  const loss = lost.length > 0 ? `, which loses stored content (${lost.join(', ')})` : '';
  throw new UserError(`content-types/ needs a migration (${diff.what})${loss}; make it: npx edgewise generate`);
}

/** @throws UserError for stale files, and for migrations that do not make the tables of drizzle/meta/. */
export async function checkGenerated(root: string): Promise<void> {
  const stale = await staleFiles(root);
  if (stale.length > 0) throw new UserError('Stale, run npx edgewise generate:', ...stale.map((path) => `  ${path}`));
  await checkMigrations(readFolder(root));
}

/** Counts what a migration loses of a local database; by what the files drop from one that is ahead of the migrations. */
async function countedLosses(losses: readonly Loss[], local: readonly CountedLoss[] | undefined, run: Run) {
  if (!local) return countLosses(losses, run);
  const rowsOf = ({ subject }: Loss) => local.find((loss) => loss.subject === subject) ?? { rows: 0 };
  const own = local.filter(({ subject }) => !losses.some((loss) => loss.subject === subject));
  return [...losses.map(({ versions: _, ...loss }) => ({ ...rowsOf(loss), ...loss })), ...own];
}

/** @throws UserError for migrations of the revisions whose files are missing */
function assertComplete({ migrations, revisions }: MigrationFolder): void {
  const present = new Set(migrations.map(({ name }) => name));
  const missing = revisions.flatMap((revision) => revision.migrations).filter((name) => !present.has(name));
  if (missing.length === 0) return;
  throw new UserError(
    'Migrations are missing in drizzle/:',
    ...missing.map((name) => `  ${name}`),
    'Restore the files from version control.',
  );
}

/** Plans what `generate` writes. @throws UserError for data loss without `allowDrop`, and for changed migrations. */
export async function planGenerate(root: string, basis: Basis, options: GenerateOptions = {}) {
  const { renames: asked = NO_RENAMES, allowDrop = false, isEmpty = false, target = {}, execute = wrangler } = options;
  const { sources, folder } = basis;
  const { declared, settings } = sources;
  assertComplete(folder);
  const renames = withoutRepeated(asked, folder.revisions, declared);
  if (renames !== asked) progress(`${folder.migrations.at(-1)?.name} has these renames already`);
  const state = lastState(folder.revisions);
  const ahead = isEmpty ? undefined : await readAhead(root, target, execute);
  const { made, own } = splitRenames(renames, state, ahead ?? state, declared);
  const { derived, bundled, diff, warnings, registry } = await derive(root, basis, made);
  const isChanged = diff.parts.length > 0;
  if (isChanged && folder.migrations.length > 0) await checkMigrations(folder);
  const named = isEmpty ? [] : diff.parts.flatMap((part) => part.losses);
  const run: Run = (statements) => executeSql(statements, target, execute);
  const isLocal = !isEmpty && hasDatabase(root, target);
  const locale = defaultLocale(settings);
  const all = joinRenames([made, own]);
  const local = ahead && (isChanged ? await storedLosses((await planLocal(ahead, sources, all)).losses, run) : []);
  const losses = await countedLosses(named, local, run);
  const lines = lossTexts(losses, target);
  const isAsked = lines.length > 0 && !allowDrop;
  const isByHand =
    isAsked && options.allowByHand === true && losses.length === named.length && named.every(({ byHand }) => byHand);
  if (isAsked && !isByHand) {
    const advice = 'Nothing was written. To go ahead: npx edgewise generate --allow-drop';
    throw new UserError(
      `${lines.length} ${lossWords(lines.length)}:`,
      ...lines,
      advice,
      renameAdvice((ahead ?? state).layout, diff.next.layout),
    );
  }
  // `Split the names` → `split_the_names`.
  const words = options.name?.toLowerCase().match(/[a-z0-9]+/g);
  const names = folder.migrations.map(({ name }) => name);
  const migrationsOf = ({ parts }: SchemaDiff) => nextMigrations(words?.join('_') ?? diff.what, parts, names);
  // Statements in places that are to be completed by hand would fail.
  assertWithinLimits(folder.migrations, migrationsOf(diff));
  const migrations = migrationsOf(isByHand ? (await derive(root, basis, made, true)).diff : diff);
  const revisions = nextRevisions(folder.revisions, {
    ...{ migrations: migrations.map(({ name }) => name), state: diff.next, renames: made, localRenames: own },
    ...{ drops: isByHand ? [] : losses.map(({ subject }) => subject), defaultLocale: locale },
  });
  const known = [...folder.migrations, ...migrations];
  return {
    registry,
    /** In the order in which they are written. */
    outputs: [
      ...revisionFiles(revisions, migrations.length > 0),
      ...derived,
      ...builtFiles(root, withFences(bundled, fencesOf(known)), settings),
      ...migrationFiles(migrations),
      ...journalFiles(revisions),
    ],
    folder: { migrations: known, revisions } satisfies MigrationFolder,
    /** Those that are not written yet. */
    migrations,
    lines: [
      ...lines,
      ...warnings,
      ...(isLocal ? await unrenamedWarnings(all.attributes, target, run) : []),
      ...(await requiredWarnings(basis.required, registry, isLocal ? run : undefined)),
    ],
    /** The migrations to be completed by hand. */
    incomplete: isByHand
      ? migrations.filter(({ text }) => isIncomplete(text)).map(({ name }) => `${MIGRATIONS}/${name}`)
      : [],
  };
}

/** @throws UserError for migrations that are to be completed by hand */
export function assertConverted(incomplete: readonly string[]): void {
  if (incomplete.length === 0) return;
  throw new UserError(
    `No stored value is converted there: complete ${incomplete.join(' and ')} by hand, where the places are marked, or take the files back and empty them: npx edgewise generate --allow-drop`,
  );
}

/**
 * Writes what has changed.
 * @returns the paths.
 * @throws SchemaError or UserError for invalid sources, UserError if another command makes a migration at the same time
 */
export async function generate(root: string, options: GenerateOptions = {}): Promise<readonly string[]> {
  const { outputs, lines, incomplete } = await planGenerate(root, await readBasis(root), options);
  for (const line of lines) progress(line);
  const written = writeFiles(root, outputs);
  assertConverted(incomplete);
  return written;
}
