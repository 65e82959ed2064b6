/**
 * @module `npm run generate`: everything that follows from content-types/ and edgewise.config.ts.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { defaultLocale, type Settings } from '../../config.ts';
import { describeOpenApi } from '../../describe/openapi.ts';
import { describeTypes } from '../../describe/typescript.ts';
import { buildRegistry } from '../../registry/build.ts';
import type { Registry } from '../../registry/model.ts';
import { systemType, USER_UID } from '../../registry/system-types.ts';
import { ownAttributes } from '../../registry/user-type.ts';
import { overflowOf } from '../migrations/layout.ts';
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
import { parseRenames, type Renames } from '../migrations/renames.ts';
import { unknownActions } from '../project/actions.ts';
import { BUNDLE, bundleText } from '../project/bundle.ts';
import { CONFIG, loadSettings, readSchemaFiles, registryOf, USER_FILE } from '../project/project.ts';
import { progress, run, UserError } from '../terminal.ts';

/** For clients of the API. */
export const TYPES = 'types/content-types.d.ts';
const OPENAPI = 'openapi.json';

export interface GenerateOptions {
  readonly renames?: Renames;
  /** Content may be lost, as far as the messages say. */
  readonly allowDrop?: boolean;
}

interface Generated {
  /** Files that depend on the sources alone. */
  readonly derived: readonly Output[];
  readonly diff: SchemaDiff;
  /** What the user should know of changes that lose nothing. */
  readonly notes: readonly string[];
}

function checkNames(settings: Settings, registry: Registry): void {
  const problems = Object.entries(settings.roles).flatMap(([role, actions]) =>
    unknownActions(registry, actions).map((action) => `  roles.${role}: no content type has the action "${action}"`),
  );
  const unknown = Object.keys(settings.cache).filter((uid) => !registry.contentTypes.has(uid));
  problems.push(...unknown.map((uid) => `  cache.${uid}: no content type has this uid, such as api::article.article`));
  const own = ownAttributes(systemType(registry, USER_UID));
  const fields = settings.users.register.allowedFields.filter((name) => !own.has(name));
  problems.push(...fields.map((name) => `  users.register.allowedFields: ${USER_FILE} adds no "${name}"`));
  if (problems.length > 0) throw new UserError(`${CONFIG}:\n${problems.join('\n')}`);
}

async function derive(root: string, renames: Renames): Promise<Generated> {
  const read = readSchemaFiles(root);
  const declared = registryOf(read);
  const settings = await loadSettings(root);
  checkNames(settings, declared);
  const previous = await readState(root);
  const overflow = overflowOf(declared, renamedLayout(previous, declared, renames));
  const files = { ...read.files, overflow, indexes: settings.indexes, search: settings.search };
  const registry = buildRegistry(files);
  const diff = await diffSchemas(previous, registry, { renames, defaultLocale: defaultLocale(settings) });
  const locales = localesOf(settings);
  const derived = [
    { path: BUNDLE, text: bundleText(files) },
    { path: TYPES, text: describeTypes(registry) },
    { path: LOCALES, text: jsonText(locales) },
    { path: OPENAPI, text: `${JSON.stringify(describeOpenApi(registry, settings), null, 2)}\n` },
  ];
  return { derived, diff, notes: localeNotes(readLocales(root), locales, registry) };
}

const isStale = (root: string, { path, text }: Output): boolean =>
  !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text;

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
  const { derived, diff, notes } = await derive(root, options.renames ?? NO_RENAMES);
  if (diff.losses.length > 0 && !options.allowDrop) refuse(diff.losses);
  for (const { subject, reason } of diff.losses) progress(`${subject}: ${reason}`);
  for (const note of notes) progress(note);
  const outputs = [...migrationFiles(root, diff.what, diff.statements), ...stateFiles(diff.next), ...derived];
  const stale = outputs.filter((output) => isStale(root, output));
  for (const { path, text } of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return stale.map(({ path }) => path);
}

const collect = (value: string, previous: string[]): string[] => [...previous, value];

interface Flags {
  readonly check?: true;
  readonly allowDrop?: true;
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
  const written = await generate(root, { renames, allowDrop: flags.allowDrop === true });
  if (written.length === 0) progress('up to date');
  for (const path of written) progress(`wrote ${path}`);
}

if (import.meta.main)
  await new Command('npm run generate --')
    .description('Everything that follows from content-types/ and edgewise.config.ts, with the next migration.')
    .option('--check', 'write nothing; fail when something is stale')
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
