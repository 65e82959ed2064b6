/**
 * @module Changes a local database to the tables of the files, without a migration for every save. A save only adds: what
 * would drop, rename or convert stored content needs a migration, so undoing a save loses nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import { sha256 } from '../../src/common/digest.ts';
import { fenceSql, fencesOf } from '../core/sql/fence.ts';
import { type Run, runBatch } from '../core/sql/statements.ts';
import { holderOf } from '../core/storage/state-folder.ts';
import { withStorage } from '../core/storage/storage.ts';
import { progress, UserError } from '../core/terminal.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import { applyLocally, localHistory, markAppliedSql, runAll } from '../migrations/apply.ts';
import { checkHistory } from '../migrations/history.ts';
import { type LocalSchema, noteSchemaSql, readSchema } from '../migrations/local-schema.ts';
import { type CountedLoss, lossTexts, storedLosses } from '../migrations/losses.ts';
import { stateOf } from '../migrations/migration.ts';
import { jsonText, type Migration } from '../migrations/migration-files.ts';
import { renameAdvice } from '../migrations/rename-advice.ts';
import { declaredBy, lastState, type MigrationFolder, readFolder } from '../migrations/revisions.ts';
import { planLocal } from '../project/ahead.ts';
import { readSources, type Sources, wantedOf } from '../project/sources.ts';

/** May stored content be converted, or lost? */
export type Consent = Readonly<{ allowConvert?: boolean; allowDrop?: boolean }>;

/**
 * Reads the files of a project as they were before or after a command that changes them: the migrations first, since content
 * types without their migration are the usual state of a save.
 * @throws SchemaError or UserError for wrong files
 */
export async function readFiles(root: string): Promise<FilesRead> {
  const folder = readFolder(root);
  return { folder, sources: await readSources(root) };
}

export type FilesRead = Readonly<{ sources: Sources; folder: MigrationFolder }>;

const namesOf = (migrations: readonly Migration[]): readonly string[] => migrations.map(({ name }) => name);

/**
 * Applies the migrations of the project, unless the database is ahead of them or has others.
 * @returns the schema then, and the number of applied migrations.
 * @throws UserError for a database of unknown layout with migrations that the project does not have.
 */
export async function settle(folder: MigrationFolder, db: D1Database): Promise<readonly [LocalSchema, number]> {
  const known = await readSchema(db);
  const history = await localHistory(folder.migrations, db);
  const { applied, pending, foreign } = history;
  if (known?.pushed) return [known, 0];
  // Another process may have applied migrations meanwhile.
  const isKnown = known && isDeepStrictEqual([...known.migrations].sort(), [...applied].sort());
  if (isKnown && (foreign.length > 0 || pending.length === 0)) return [known, 0];
  if (foreign.length > 0) checkHistory(history, {});
  await applyLocally(db, history);
  return [
    { state: lastState(folder.revisions), pushed: false, migrations: [...applied, ...namesOf(pending)] },
    pending.length,
  ];
}

/**
 * @param lost stored content that the files would drop; `converted` would only change its form
 * @param isDue a migration can make the change; otherwise the local database alone differs from the files
 */
function rejection(
  lost: readonly CountedLoss[],
  converted: readonly CountedLoss[],
  isDue: boolean,
  advice: string,
): UserError {
  const option = lost.length > 0 ? ' --allow-drop' : '';
  const advices = isDue
    ? [
        `Take the change back, or make a migration of it: npx edgewise generate${option}`,
        ...(lost.length > 0 ? [advice] : []),
      ]
    : [
        `No migration makes it. To change the local database: stop npm run dev, then npx edgewise migrate${option}`,
        'To keep it as it is and use another one: npm run dev -- --persist-to <folder>',
      ];
  const head = 'A save only adds. The local database stores what the files would change:';
  return new UserError(head, ...lossTexts([...lost, ...converted], {}), ...advices);
}

/** @throws UserError for changes of stored content that no migration makes and that are not allowed. */
export async function planPush(
  { sources, folder }: FilesRead,
  db: D1Database,
  local: LocalSchema,
  { allowConvert = false, allowDrop = false }: Consent = {},
) {
  const { pending } = await localHistory(folder.migrations, db);
  const migrated = lastState(folder.revisions);
  const committed = jsonText(migrated);
  const isDue = jsonText(stateOf(wantedOf(sources, migrated.layout).registry)) !== committed;
  const { renames, dropped } = declaredBy(folder, pending);
  const { wanted, diff, losses } = await planLocal(local.state, sources, renames);
  const run: Run = (statements) => runBatch(db, statements);
  const unnamed = losses.filter(({ subject }) => !dropped.has(subject));
  const lost = allowDrop ? [] : await storedLosses(unnamed, run);
  // A migration that leads to these files converts what they ask for.
  const isMade = allowConvert || (!isDue && pending.length > 0);
  const converted = isMade ? [] : await storedLosses(diff.conversions, run);
  if (lost.length + converted.length > 0)
    throw rejection(lost, converted, isDue, renameAdvice(local.state.layout, diff.next.layout));
  const isMigrated = jsonText(diff.next) === committed;
  const schema: LocalSchema = {
    state: diff.next,
    pushed: !isMigrated,
    migrations: isDue ? local.migrations : [...local.migrations, ...namesOf(pending)],
  };
  const moves = diff.parts.some((part) => part.moves);
  // Of tables that the migrations do not make, the fence is their digest.
  const own = isMigrated ? (fencesOf(folder.migrations).at(-1) ?? '') : undefined;
  const fence = own ?? (moves ? sha256(jsonText(diff.next.layout)).slice(0, 16) : undefined);
  const content = diff.parts.flatMap(({ statements }) => statements);
  const changes = [...content, ...(isDue ? [] : markAppliedSql(pending))];
  const isNew = changes.length > 0 || jsonText(schema) !== jsonText(await readSchema(db));
  return {
    /** Change the tables, and store their new layout; empty when they are up to date. */
    statements: isNew ? [...(fence === undefined ? [] : [fenceSql(fence)]), ...changes, ...noteSchemaSql(schema)] : [],
    /** A short name of the change: `alter_articles`. */
    what: content.length > 0 ? diff.what : undefined,
    wanted,
    /** Do the files differ from what the migrations make? */
    isDue,
  };
}

export type Push = Awaited<ReturnType<typeof planPush>>;

/** Does a running `npm run dev` follow the migrations? @throws UserError with `allowDrop`, which would be lost on it */
export function isFollowed(root: string, target: Target, allowDrop: boolean): boolean {
  const url = holderOf(root, target)?.url;
  if (url === undefined) return false;
  if (allowDrop) throw new UserError(`${url} serves this project; stop npm run dev first`);
  progress(`npm run dev serves ${url}; it follows migrations by itself`);
  return true;
}

/**
 * Migrates a local database that `npm run dev` has changed: it has a part of the changes of the pending migrations already,
 * so it is changed to the layout of the files instead.
 * @returns false for a database that only migrations have changed; it is left alone.
 * @throws UserError for changes that drop content, without `allowDrop` and in no migration
 */
export async function catchUpDatabase(root: string, db: D1Database, allowDrop: boolean): Promise<boolean> {
  const local = await readSchema(db);
  const { sources, folder } = await readFiles(root);
  const { foreign } = await localHistory(folder.migrations, db);
  if (!local || (!local.pushed && foreign.length === 0)) return false;
  const allowed = { allowConvert: true, allowDrop };
  const { what, statements } = await planPush({ sources, folder }, db, local, allowed);
  await runAll(db, 'content-types/', statements);
  progress(`local database: ${what ?? 'up to date'}`);
  return true;
}

/** Opens the local database for it, if no server has it open. */
export async function catchUp(root: string, target: Target, allowDrop: boolean): Promise<boolean> {
  if (target.remote) return false;
  if (isFollowed(root, target, allowDrop)) return true;
  return withStorage(root, target, ({ db }) => catchUpDatabase(root, db, allowDrop));
}
