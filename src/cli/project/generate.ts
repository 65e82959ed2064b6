/**
 * @module Everything that follows from content-types/ and edgewise.config.ts: what is stale, and what writes it.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defaultLocale, type Settings } from '../../config.ts';
import { describeOpenApi } from '../../describe/openapi.ts';
import { describeTypes } from '../../describe/typescript.ts';
import type { Registry } from '../../registry/model.ts';
import { localeNotes, localesOf } from '../migrations/locale-notes.ts';
import { countLosses, lossTexts } from '../migrations/losses.ts';
import { diffSchemas, NO_RENAMES, renamedLayout, type SchemaDiff } from '../migrations/migration.ts';
import {
  jsonText,
  LOCALES,
  migrationFiles,
  type Output,
  readLocales,
  readMigrations,
  readState,
  stateFiles,
} from '../migrations/migration-files.ts';
import { renamesNote } from '../migrations/rename-notes.ts';
import type { Renames } from '../migrations/renames.ts';
import { replayProblems } from '../migrations/replay.ts';
import { type Target, type Wrangler, wrangler } from '../platform/wrangler.ts';
import { progress, UserError } from '../terminal.ts';
import { BUNDLE, bundleText } from './bundle.ts';
import { demoHint } from './demo-hint.ts';
import { readSources, wantedOf } from './sources.ts';

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

interface Generated {
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

async function derive(root: string, renames: Renames): Promise<Generated> {
  const sources = await readSources(root);
  const { settings, declared } = sources;
  const previous = await readState(root);
  const { files, registry } = wantedOf(sources, renamedLayout(previous, declared, renames));
  const diff = await diffSchemas(previous, registry, { renames, defaultLocale: defaultLocale(settings) });
  const locales = localesOf(settings);
  const derived = [
    { path: BUNDLE, text: bundleText(files) },
    { path: LOCALES, text: jsonText(locales) },
    ...describedFiles(registry, settings),
  ];
  return { derived, diff, notes: localeNotes(readLocales(root), locales, registry) };
}

const isStale = (root: string, { path, text }: Output): boolean =>
  !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text;

/** Writes what is not there yet or has another text. @returns the paths. */
export function writeFiles(root: string, outputs: readonly Output[]): readonly string[] {
  const stale = outputs.filter((output) => isStale(root, output));
  for (const { path, text } of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return stale.map(({ path }) => path);
}

/** `Split the names` → `split_the_names`. */
const fileName = (name = ''): string | undefined =>
  name
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join('_');

/** Notes the renames in the first of the files. */
const noting = (renames: Renames, files: readonly Output[]): readonly Output[] =>
  files.map(({ path, text }, index) => ({ path, text: index === 0 ? renamesNote(renames) + text : text }));

/** A component that is gone and one that is new, where the files have both: maybe it was renamed. */
function renameHint({ diff: { goneComponents, newComponents } }: Generated): readonly string[] {
  const options = goneComponents.flatMap((from) => {
    const name = from.replace(/^.*\./, '');
    const [to, other] = newComponents.filter((uid) => uid.endsWith(`.${name}`) || newComponents.length === 1);
    return to && !other ? [`  --rename-component ${from}=${to}`] : [];
  });
  return options.length > 0 ? ['A component has gone and another come. If it is the same one:', ...options] : [];
}

function refuse(root: string, losses: readonly string[], generated: Generated): never {
  throw new UserError(
    [
      `${losses.length} change(s) lose stored content:`,
      ...losses,
      'Nothing was written. To go ahead: npm run generate -- --allow-drop',
      'If something was only renamed, declare it: --rename type.oldName=newName, --rename-type oldTable=newTable, --rename-component old.uid=new.uid',
      ...renameHint(generated),
      ...demoHint(root),
    ].join('\n'),
  );
}

/**
 * What is not as the sources ask for; nothing is written.
 * @throws SchemaError or UserError for wrong sources.
 */
export async function staleFiles(root: string): Promise<readonly string[]> {
  const { derived, diff } = await derive(root, NO_RENAMES);
  const stale = derived.filter((output) => isStale(root, output)).map(({ path }) => path);
  const migrated = diff.parts.length === 0 && !stateFiles(diff.next).some((output) => isStale(root, output));
  return migrated ? stale : [...stale, `drizzle/ (a migration is missing: ${diff.what})`];
}

/**
 * Is everything as the sources ask for, and do the migrations make what they are said to?
 * @throws UserError that names what is stale, or what is wrong with the migrations.
 */
export async function checkGenerated(root: string): Promise<void> {
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

/**
 * Writes what has changed.
 * @returns the paths that were written; none when all was up to date.
 * @throws SchemaError or UserError for wrong sources, and for changes that lose content without `allowDrop`.
 */
export async function generate(root: string, options: GenerateOptions = {}): Promise<readonly string[]> {
  const { renames = NO_RENAMES, allowDrop = false, isEmpty = false, target = {}, execute = wrangler } = options;
  const generated = await derive(root, renames);
  const { derived, diff, notes } = generated;
  const named = isEmpty ? [] : diff.parts.flatMap((part) => part.losses);
  const losses = lossTexts(await countLosses(named, target, execute), target);
  if (losses.length > 0 && !allowDrop) refuse(root, losses, generated);
  for (const line of [...losses, ...notes]) progress(line);
  const migration = noting(renames, migrationFiles(root, fileName(options.name) ?? diff.what, diff.parts));
  return writeFiles(root, [...migration, ...stateFiles(diff.next), ...derived]);
}
