/**
 * @module `drizzle/meta/`: the revisions of the tables. A revision is what one `npx edgewise generate` has written. The journal
 * and the snapshots have the format of drizzle-kit, which ignores other files if their names begin with `_`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { memoized } from '../../src/common/cache.ts';
import { sha256 } from '../../src/common/digest.ts';
import { isObject } from '../../src/common/json.ts';
import { readValue } from '../core/read-value.ts';
import { UserError } from '../core/terminal.ts';
import { whenOf } from './deploy-order.ts';
import { diffSchemas, EMPTY_STATE } from './migration.ts';
import { isGenerated, jsonText, MIGRATIONS, type Migration, type Output, readMigrations } from './migration-files.ts';
import type { Loss, SchemaState } from './migration-work.ts';
import { joinRenames, type Renames } from './rename-options.ts';
import { SNAPSHOT_ID } from './snapshot.ts';

/** What a layout file holds in addition to the layout: what cannot be computed from the states. */
interface Declared {
  /** With uids and tables. */
  readonly renames: Renames;
  /** Renames of what only a local database had, which was ahead of the migrations. */
  readonly localRenames: Renames;
  /** Subjects (`article.lead`) of the accepted losses. */
  readonly drops: readonly string[];
  /** That of the settings when the migrations were written. */
  readonly defaultLocale: string;
}

export interface Revision extends Declared {
  /** File names, in order. */
  readonly migrations: readonly string[];
  /** After them. */
  readonly state: SchemaState;
}

/** The folder `drizzle/` as it is, or will be. */
export type MigrationFolder = Readonly<{ migrations: readonly Migration[]; revisions: readonly Revision[] }>;

export const META = `${MIGRATIONS}/meta`;
const JOURNAL = `${META}/_journal.json`;

const isSnapshot = (name: string): boolean => /^\d+_snapshot\.json$/.test(name);
const numberOf = (name: string): string => name.replace(/_.*/, '');
const snapshotPath = (name: string): string => `${META}/${numberOf(name)}_snapshot.json`;
const layoutPath = (name: string): string => `${META}/_${numberOf(name)}_layout.json`;

const hashOf = memoized((revision: Revision) => sha256(jsonText(revision)), new WeakMap());

/** The id of a snapshot: a hash of its revision, as a UUID; zeros before the first one. */
function idOf(revision: Revision | undefined): string {
  if (!revision) return SNAPSHOT_ID;
  return hashOf(revision).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

const journal = z.object({ entries: z.array(z.object({ tag: z.string() })) });

/** drizzle-kit requires times in ascending order; numbers keep the file reproducible. */
function journalOf(names: readonly string[]) {
  const tags = names.map((name) => name.replace(/\.sql$/, ''));
  const entries = tags.map((tag, idx) => ({ idx, version: '6', when: idx + 1, tag, breakpoints: false }));
  return { version: '7', dialect: 'sqlite', entries };
}

/** The files of the last revision. @param isNew does the project have no files of it yet? */
export function revisionFiles(revisions: readonly Revision[], isNew: boolean): readonly Output[] {
  const [before, last] = [revisions.at(-2), revisions.at(-1)];
  const name = last?.migrations.at(-1);
  if (!last || name === undefined) return [];
  const { state, migrations: _, ...declared } = last;
  const snapshot = { ...state.snapshot, id: idOf(last), prevId: idOf(before) };
  return [
    {
      path: snapshotPath(name),
      text: jsonText(snapshot),
      ...(isNew && { claims: numberOf(last.migrations[0] ?? name) }),
    },
    { path: layoutPath(name), text: jsonText({ layout: state.layout, ...declared }) },
  ];
}

/** The journal of all revisions. A migration that it does not list does not count, so it is written last. */
export function journalFiles(revisions: readonly Revision[]): readonly Output[] {
  const names = revisions.flatMap(({ migrations }) => migrations);
  return names.length === 0 ? [] : [{ path: JOURNAL, text: jsonText(journalOf(names)) }];
}

/** Adds a revision, or replaces the state of the last one if there are no new migrations. */
export function nextRevisions(revisions: readonly Revision[], next: Revision): readonly Revision[] {
  const last = revisions.at(-1);
  if (next.migrations.length > 0 || !last) return [...revisions, next];
  return [...revisions.slice(0, -1), { ...last, state: next.state }];
}

/** @throws UserError for a missing or damaged file. */
export function readJson(root: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(join(root, path), 'utf8'));
    if (isObject(value)) return value;
    throw new Error('it is no JSON object');
  } catch (error) {
    throw new UserError(`${path}: restore it from version control; ${(error as Error).message}`);
  }
}

function readRevision(root: string, migrations: readonly string[], before: Revision | undefined): Revision {
  const name = migrations.at(-1) ?? '';
  const { id, prevId, ...tables } = readJson(root, snapshotPath(name));
  const { layout, ...declared } = readJson(root, layoutPath(name));
  const state = { snapshot: { ...tables, id: SNAPSHOT_ID, prevId: SNAPSHOT_ID }, layout };
  // The ids say that the files are as they were written.
  const revision = { ...declared, migrations, state } as unknown as Revision;
  if (id === idOf(revision) && prevId === idOf(before)) return revision;
  throw new UserError(
    `${snapshotPath(name)} does not match ${layoutPath(name)} or the revision before it: restore the files in ${META}/ from version control`,
  );
}

/** Reads the names of the migrations that the journal lists. @throws UserError for a damaged journal. */
function readJournal(root: string): readonly string[] {
  if (!existsSync(join(root, JOURNAL))) return [];
  const { entries } = readValue(journal, readJson(root, JOURNAL), JOURNAL);
  return entries.map(({ tag }) => `${tag}.sql`);
}

/**
 * Returns the snapshot that is newer than the journal: a command writes its migration, or was stopped doing so.
 * @throws UserError for two of them, since a migration is written only if the journal lists all before it
 */
function unfinishedSnapshot(root: string, listed: readonly string[]): string | undefined {
  const folder = join(root, META);
  const names = existsSync(folder) ? readdirSync(folder).filter(isSnapshot).sort() : [];
  const newer = names.filter((name) => numberOf(name) > numberOf(listed.at(-1) ?? '0000'));
  if (newer.length > 1)
    throw new UserError(
      `${JOURNAL}: restore it from version control; it does not list the migrations of ${newer.join(', ')}`,
    );
  return newer[0] === undefined ? undefined : `${META}/${newer[0]}`;
}

/** Returns the paths of a migration that was not completed, without any that is written by hand. */
export function unfinishedFiles(root: string): readonly string[] {
  const listed = readJournal(root);
  const snapshot = unfinishedSnapshot(root, listed);
  if (snapshot === undefined) return [];
  const isNewer = ({ name, text }: Migration) =>
    isGenerated(text) && numberOf(name) > numberOf(listed.at(-1) ?? '0000');
  const migrations = readMigrations(root).filter(isNewer);
  const layout = layoutPath(basename(snapshot));
  return [...migrations.map(({ name }) => `${MIGRATIONS}/${name}`), layout, snapshot].filter((path) =>
    existsSync(join(root, path)),
  );
}

/** Milliseconds between two reads of the files. */
const INTERVAL = 50;

/**
 * Waits until no other command is writing a migration.
 * @param patience in milliseconds
 * @throws UserError that names the snapshot of a migration which is not completed by then.
 */
export async function untilWritten(root: string, patience = 10_000): Promise<void> {
  const snapshot = () => unfinishedSnapshot(root, readJournal(root));
  for (const limit = Date.now() + patience; snapshot() !== undefined && Date.now() < limit; ) await pause(INTERVAL);
  const path = snapshot();
  if (path === undefined) return;
  throw new UserError(`${path}: the migration was not completed; run npx edgewise generate again`);
}

function revisionsOf(root: string, names: readonly string[]): readonly Revision[] {
  const revisions: Revision[] = [];
  let own: string[] = [];
  for (const name of names) {
    own.push(name);
    if (name !== names.at(-1) && !existsSync(join(root, snapshotPath(name)))) continue;
    revisions.push(readRevision(root, own, revisions.at(-1)));
    own = [];
  }
  return revisions;
}

/**
 * Reads `drizzle/` without a migration that is being written: the journal lists it at last. The journal is read first, and
 * the snapshots after the migrations, so each migration that is not listed yet has its snapshot.
 * @throws UserError for a missing or damaged file of `drizzle/meta/`.
 */
export function readFolder(root: string): MigrationFolder {
  const listed = readJournal(root);
  const all = readMigrations(root);
  const isUnfinished = unfinishedSnapshot(root, listed) !== undefined;
  const counts = ({ name, text }: Migration) =>
    !isUnfinished || !isGenerated(text) || numberOf(name) <= numberOf(listed.at(-1) ?? '0000');
  const migrations = all.filter(counts);
  if (listed.length === 0 && migrations.length > 0) readJson(root, JOURNAL);
  return { migrations, revisions: revisionsOf(root, listed) };
}

export const readRevisions = (root: string): readonly Revision[] => readFolder(root).revisions;

export const lastState = (revisions: readonly Revision[]): SchemaState => revisions.at(-1)?.state ?? EMPTY_STATE;

/** The state after all migrations of a project. @throws UserError as `readRevisions` does. */
export const readState = (root: string): SchemaState => lastState(readRevisions(root));

/** Computes the losses of the migrations that a database has not applied, without what they move by hand. */
export async function pendingLosses(folder: MigrationFolder, applied: readonly string[]): Promise<readonly Loss[]> {
  const { migrations, revisions } = folder;
  const losses: Loss[] = [];
  for (const [index, revision] of revisions.entries()) {
    if (revision.migrations.every((name) => applied.includes(name))) continue;
    const before = lastState(revisions.slice(0, index));
    const { parts } = await diffSchemas(before, revision.state, { ...revision, isForced: true });
    const files = migrations.filter(({ name }) => revision.migrations.includes(name));
    for (const part of parts) {
      const own = files.filter(({ text }) => whenOf(text) === part.when);
      const accepted = part.losses.filter(({ subject, byHand }) => !byHand || revision.drops.includes(subject));
      if (own.length === 0 || own.some(({ name }) => !applied.includes(name))) losses.push(...accepted);
    }
  }
  return losses;
}

/** Collects what the revisions of migrations declare: renames, and subjects whose stored content may be lost. */
export function declaredBy({ revisions: all }: MigrationFolder, migrations: readonly Migration[]) {
  const isMeant = (revision: Revision) => migrations.some(({ name }) => revision.migrations.includes(name));
  const revisions = all.filter(isMeant);
  return {
    renames: joinRenames(revisions.flatMap(({ renames, localRenames }) => [renames, localRenames])),
    dropped: new Set(revisions.flatMap(({ drops }) => drops)),
  };
}
