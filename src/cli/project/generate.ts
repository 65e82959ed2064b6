/**
 * @module Everything that follows from content-types/ and edgewise.config.ts: what is stale, and what writes it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLocale, type Settings } from '../../config.ts';
import { describeOpenApi } from '../../describe/openapi.ts';
import type { Registry } from '../../registry/model.ts';
import { readAhead } from '../dev/local-schema.ts';
import type { Layout } from '../migrations/layout.ts';
import { type Locales, localeNotes, localesOf } from '../migrations/locale-notes.ts';
import { type CountedLoss, countLosses, lossTexts, lossWords } from '../migrations/losses.ts';
import {
  diffSchemas,
  NO_RENAMES,
  renamedLayout,
  type SchemaDiff,
  type SchemaState,
  stateOf,
} from '../migrations/migration.ts';
import {
  jsonText,
  LOCALES,
  migrationFiles,
  migrationNames,
  type Output,
  readLocales,
  readMigrations,
  readState,
  stateFiles,
} from '../migrations/migration-files.ts';
import type { Loss } from '../migrations/migration-work.ts';
import { openRenames } from '../migrations/open-renames.ts';
import { resolveRenames } from '../migrations/rename-names.ts';
import { dropsNote, renamesNote } from '../migrations/rename-notes.ts';
import type { Renames } from '../migrations/renames.ts';
import { replayProblems } from '../migrations/replay.ts';
import { type Target, type Wrangler, wrangler } from '../platform/wrangler.ts';
import { progress, UserError } from '../terminal.ts';
import { localLosses, splitRenames } from './ahead.ts';
import { BUNDLE, bundleText } from './bundle.ts';
import { changeFiles, isUnfinished } from './change-files.ts';
import { describeTypes } from './client-types.ts';
import { demoHint } from './demo-hint.ts';
import { renameHints } from './rename-hints.ts';
import { readSources, type Sources, wantedOf } from './sources.ts';
import { unsupportedOptions } from './unsupported-options.ts';

/** For clients of the API. */
export const TYPES = 'types/content-types.d.ts';
const OPENAPI = 'openapi.json';

export interface GenerateOptions {
  readonly renames?: Renames;
  /** Content may be lost, as far as the messages say. */
  readonly allowDrop?: boolean;
  /** Is nothing stored that could be lost? Then nothing is counted or told. */
  readonly isEmpty?: boolean;
  /** What the migration does, for the names of its files. */
  readonly name?: string;
  /** The local database, in which the rows are counted that hold what would be lost. */
  readonly target?: Target;
  readonly execute?: Wrangler;
}

/** What a project asks for, and what has been generated from it so far. */
export interface Basis {
  readonly sources: Sources;
  readonly state: SchemaState;
  readonly locales: Locales | undefined;
  /** Names of the migrations. */
  readonly migrations: readonly string[];
}

interface Generated {
  /** The content types on the tables that they ask for. */
  readonly registry: Registry;
  /** Files that depend on the sources alone. */
  readonly derived: readonly Output[];
  readonly diff: SchemaDiff;
  /** What the user should know of changes that lose nothing. */
  readonly notes: readonly string[];
}

/** The descriptions of the API for clients. */
export const describedFiles = (registry: Registry, settings: Settings): readonly Output[] => [
  { path: TYPES, text: describeTypes(registry) },
  { path: OPENAPI, text: `${JSON.stringify(describeOpenApi(registry, settings), null, 2)}\n` },
];

/** @throws SchemaError or UserError for wrong sources. */
export const readBasis = async (root: string): Promise<Basis> => ({
  sources: await readSources(root),
  state: await readState(root),
  locales: readLocales(root),
  migrations: migrationNames(root),
});

async function derive({ sources, state, locales: before }: Basis, renames: Renames): Promise<Generated> {
  const { settings, declared } = sources;
  const { files, registry } = wantedOf(sources, renamedLayout(state, declared, renames));
  const diff = await diffSchemas(state, await stateOf(registry), { renames, defaultLocale: defaultLocale(settings) });
  const locales = localesOf(settings);
  const derived = [
    { path: BUNDLE, text: bundleText(files) },
    { path: LOCALES, text: jsonText(locales) },
    ...describedFiles(registry, settings),
  ];
  const notes = [...localeNotes(before, locales, registry), ...unsupportedOptions(sources.files)];
  return { registry, derived, diff, notes };
}

const isStale = (root: string, { path, text }: Output): boolean =>
  !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text;

/** `Split the names` → `split_the_names`. */
const fileName = (name = ''): string | undefined =>
  name
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join('_');

/** Notes in the first of the files. */
const noting = (notes: string, files: readonly Output[]): readonly Output[] =>
  files.map(({ path, text }, index) => ({ path, text: index === 0 ? notes + text : text }));

const bothOf = (some: Renames, others: Renames): Renames => ({
  attributes: [...some.attributes, ...others.attributes],
  tables: [...some.tables, ...others.tables],
  components: [...some.components, ...others.components],
});

function refuse(root: string, losses: readonly string[], hints: readonly string[]): never {
  throw new UserError(
    [
      `${losses.length} ${lossWords(losses.length)}:`,
      ...losses,
      'Nothing was written. To go ahead: npm run generate -- --allow-drop',
      'If something was only renamed, declare it: --rename type.oldName=newName, --rename-type oldType=newType, --rename-component old.uid=new.uid',
      ...hints,
      ...demoHint(root),
    ].join('\n'),
  );
}

/**
 * What is not as the sources ask for; nothing is written.
 * @throws SchemaError or UserError for wrong sources.
 */
export async function staleFiles(root: string): Promise<readonly string[]> {
  const { derived, diff } = await derive(await readBasis(root), NO_RENAMES);
  const stale = derived.filter((output) => isStale(root, output)).map(({ path }) => path);
  const migrated = diff.parts.length === 0 && !stateFiles(diff.next).some((output) => isStale(root, output));
  return migrated ? stale : [...stale, `drizzle/ (a migration is missing: ${diff.what})`];
}

/**
 * Is everything as the sources ask for, and do the migrations make what they are said to?
 * @throws UserError that names what is stale, or what is wrong with the migrations.
 */
export async function checkGenerated(root: string): Promise<void> {
  if (isUnfinished(root)) throw new UserError('A command was interrupted while it changed files: npm run generate');
  const stale = await staleFiles(root);
  if (stale.length > 0)
    throw new UserError(`Stale, run npm run generate:\n${stale.map((path) => `  ${path}`).join('\n')}`);
  const problems = await replayProblems(readMigrations(root), await readState(root));
  if (problems.length === 0) return;
  throw new UserError(
    [
      'The migrations in drizzle/ do not make what drizzle/meta/snapshot.json says:',
      ...problems.map((problem) => `  ${problem}`),
      'Bring the files back from version control.',
    ].join('\n'),
  );
}

/** A layout after those of the renames that it bears. */
const renamedOnly = (state: SchemaState, declared: Registry, renames: Renames): Layout =>
  renamedLayout(state, declared, openRenames(state, declared, renames), true);

/** The losses of a migration with the rows of a local database that is ahead of it, and tells what it would lose. */
const localCounts = (losses: readonly Loss[], local: readonly CountedLoss[]): readonly CountedLoss[] =>
  losses.map((loss) => {
    const found = local.find(({ subject }) => subject === loss.subject);
    return { ...loss, rows: found ? found.rows : 0 };
  });

/** Files to be written, and what is to be said of them. */
export interface Plan {
  readonly registry: Registry;
  readonly outputs: readonly Output[];
  readonly lines: readonly string[];
}

/**
 * Works out what has changed; nothing is written.
 * @throws UserError for changes that lose content without `allowDrop`.
 */
export async function planGenerate(root: string, basis: Basis, options: GenerateOptions = {}): Promise<Plan> {
  const { renames = NO_RENAMES, allowDrop = false, isEmpty = false, target = {}, execute = wrangler } = options;
  const { sources, state, migrations } = basis;
  const ahead = isEmpty ? undefined : await readAhead(root, target, execute);
  const { made, own } = ahead
    ? splitRenames(renames, state, ahead, sources.declared)
    : { made: resolveRenames(renames, state.layout, sources.declared), own: NO_RENAMES };
  const { derived, diff, notes, registry } = await derive(basis, made);
  const all = bothOf(made, own);
  const named = isEmpty ? [] : diff.parts.flatMap((part) => part.losses);
  const local =
    ahead && diff.parts.length > 0
      ? await localLosses(ahead, sources, all, { target, execute, defaultLocale: defaultLocale(sources.settings) })
      : [];
  const counted = ahead ? localCounts(named, local) : await countLosses(named, target, execute, migrations);
  const ownLosses = local.filter(({ subject }) => !named.some((loss) => loss.subject === subject));
  const befores = [state, ...(ahead ? [ahead] : [])].map((each) => renamedOnly(each, sources.declared, all));
  const losses = lossTexts([...counted, ...ownLosses], target);
  if (losses.length > 0 && !allowDrop) refuse(root, losses, renameHints(befores, diff.next.layout));
  const what = fileName(options.name) ?? diff.what;
  const heads = renamesNote(all) + dropsNote(ownLosses.map(({ subject }) => subject));
  const migration = noting(heads, migrationFiles(root, what, diff.parts, migrations));
  return { registry, outputs: [...migration, ...stateFiles(diff.next), ...derived], lines: [...losses, ...notes] };
}

/**
 * Writes what has changed: all of it or nothing.
 * @returns the paths that were written; none when all was up to date.
 * @throws SchemaError or UserError for wrong sources, and for changes that lose content without `allowDrop`.
 */
export async function generate(root: string, options: GenerateOptions = {}): Promise<readonly string[]> {
  const { outputs, lines } = await planGenerate(root, await readBasis(root), options);
  for (const line of lines) progress(line);
  return changeFiles(root, outputs);
}
