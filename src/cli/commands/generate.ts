/**
 * @module `npm run generate`: everything that follows from content-types/ and edgewise.config.ts.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { defaultLocale, type Settings } from '../../config.ts';
import { describeOpenApi } from '../../describe/openapi.ts';
import { describeTypes } from '../../describe/typescript.ts';
import type { Registry } from '../../registry/model.ts';
import { localeNotes, localesOf } from '../migrations/locale-notes.ts';
import { diffSchemas, NO_RENAMES, renamedLayout, type SchemaDiff } from '../migrations/migration.ts';
import {
  jsonText,
  LOCALES,
  migrationFiles,
  type Output,
  readLocales,
  readState,
  stateFiles,
} from '../migrations/migration-files.ts';
import type { Loss } from '../migrations/migration-work.ts';
import { renamesNote } from '../migrations/rename-notes.ts';
import { parseRenames, type Renames } from '../migrations/renames.ts';
import { BUNDLE, bundleText } from '../project/bundle.ts';
import { readSources, wantedOf } from '../project/sources.ts';
import { progress, run, UserError } from '../terminal.ts';

/** For clients of the API. */
export const TYPES = 'types/content-types.d.ts';
const OPENAPI = 'openapi.json';

export interface GenerateOptions {
  readonly renames?: Renames;
  /** Content may be lost, as far as the messages say. */
  readonly allowDrop?: boolean;
  /** What the migration does, for its file name. */
  readonly name?: string;
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

/** `Split the names` → `split_the_names`. */
const fileName = (name = ''): string | undefined =>
  name
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join('_');

/** Notes the renames in the first of the files. */
const noting = (renames: Renames, files: readonly Output[]): readonly Output[] =>
  files.map(({ path, text }, index) => ({ path, text: index === 0 ? renamesNote(renames) + text : text }));

/** Writes what is not there yet or has another text. @returns the paths. */
export function writeFiles(root: string, outputs: readonly Output[]): readonly string[] {
  const stale = outputs.filter((output) => isStale(root, output));
  for (const { path, text } of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return stale.map(({ path }) => path);
}

function refuse(losses: readonly Loss[]): never {
  const lines = losses.map(({ subject, reason }) => `  ${subject}: ${reason}`);
  throw new UserError(
    [
      `${losses.length} change(s) lose stored content:`,
      ...lines,
      'Nothing was written. To go ahead: npm run generate -- --allow-drop',
      'If something was only renamed, declare it: --rename type.oldName=newName, --rename-type oldTable=newTable',
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
  const migrated = diff.statements.length === 0 && !stateFiles(diff.next).some((output) => isStale(root, output));
  return migrated ? stale : [...stale, `drizzle/ (a migration is missing: ${diff.what})`];
}

/**
 * Writes what has changed.
 * @returns the paths that were written; none when all was up to date.
 * @throws SchemaError or UserError for wrong sources, and for changes that lose content without `allowDrop`.
 */
export async function generate(root: string, options: GenerateOptions = {}): Promise<readonly string[]> {
  const renames = options.renames ?? NO_RENAMES;
  const { derived, diff, notes } = await derive(root, renames);
  if (diff.losses.length > 0 && !options.allowDrop) refuse(diff.losses);
  for (const { subject, reason } of diff.losses) progress(`${subject}: ${reason}`);
  for (const note of notes) progress(note);
  const made = noting(renames, migrationFiles(root, fileName(options.name) ?? diff.what, diff.statements));
  const outputs = [...made, ...stateFiles(diff.next), ...derived];
  return writeFiles(root, outputs);
}

const collect = (value: string, previous: string[]): string[] => [...previous, value];

interface Flags {
  readonly check?: true;
  readonly allowDrop?: true;
  readonly name?: string;
  readonly rename: string[];
  readonly renameType: string[];
}

async function check(root: string): Promise<void> {
  const stale = await staleFiles(root);
  if (stale.length === 0) return progress('up to date');
  throw new UserError(`Stale, run npm run generate:\n${stale.map((path) => `  ${path}`).join('\n')}`);
}

async function command(flags: Flags): Promise<void> {
  const root = process.cwd();
  if (flags.check) return check(root);
  const renames = parseRenames(flags.rename, flags.renameType);
  const written = await generate(root, {
    renames,
    allowDrop: flags.allowDrop === true,
    ...(flags.name && { name: flags.name }),
  });
  if (written.length === 0) progress('up to date');
  for (const path of written) progress(`wrote ${path}`);
}

if (import.meta.main)
  await new Command('npm run generate --')
    .description('Everything that follows from content-types/ and edgewise.config.ts, with the next migration.')
    .option('--check', 'write nothing; fail when something is stale')
    .option('--name <name>', 'what the migration does, for the name of its file')
    .option('--allow-drop', 'go ahead with changes that lose stored content')
    .option(
      '--rename <type.oldName=newName>',
      'an attribute of a content type or component was renamed (repeatable)',
      collect,
      [],
    )
    .option('--rename-type <oldTable=newTable>', 'the table of a content type was renamed (repeatable)', collect, [])
    .action((flags: Flags) => run(() => command(flags)))
    .parseAsync();
