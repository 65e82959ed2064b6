/**
 * @module One command at a time writes to a project: to its files, and to its local database. The system frees the lock of a
 * process that ends, however it ends.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { isRunning } from '../leftovers.ts';
import { replaceFile } from '../replace-file.ts';
import { progress, UserError } from '../terminal.ts';

/** An empty database: SQLite locks its file the same way on every system. */
const LOCK = '.wrangler/edgewise-command.lock';
const NOTE = '.wrangler/edgewise-command.json';

/** Milliseconds that a command waits for another one: most take less. */
const PATIENCE = 10_000;
const AGAIN_AFTER = 50;

interface Holder {
  readonly command: string;
  readonly pid: number;
  /** ISO 8601 */
  readonly since: string;
}

const UNKNOWN = 'another command';

/** `edgewise import (process 12, since 10:00:12)`. A lock is taken before it is noted, so the note may be that of the one before. */
function holderText(root: string): string {
  try {
    const { command, pid, since } = JSON.parse(readFileSync(join(root, NOTE), 'utf8')) as Holder;
    if (!isRunning(pid)) return UNKNOWN;
    return `edgewise ${command} (process ${pid}, since ${new Date(since).toLocaleTimeString('en-GB')})`;
  } catch {
    return UNKNOWN;
  }
}

const SQLITE_BUSY = 5;

function tryLock(db: DatabaseSync): boolean {
  try {
    db.exec('begin exclusive');
    return true;
  } catch (error) {
    if ((error as { readonly errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}

/** Names the command that writes to the project at the moment; undefined if none does. Changes nothing. */
export function runningCommand(root: string): string | undefined {
  const path = join(root, LOCK);
  if (!existsSync(path)) return undefined;
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    return tryLock(db) ? undefined : holderText(root);
  } finally {
    db.close();
  }
}

/**
 * Waits for a command that writes to the project, but not long.
 * @param command for messages of others: `media check`
 * @returns frees the lock.
 * @throws UserError if the other command goes on
 */
export async function lockProject(root: string, command: string, patience: number = PATIENCE): Promise<() => void> {
  const path = join(root, LOCK);
  mkdirSync(dirname(path), { recursive: true });
  const db = new DatabaseSync(path, { timeout: 0 });
  const limit = Date.now() + patience;
  for (let isFirst = true; !tryLock(db); isFirst = false) {
    const holder = holderText(root);
    if (Date.now() > limit) {
      db.close();
      throw new UserError(
        `${holder} writes to this project. Nothing was changed: run the command again when it has ended`,
      );
    }
    if (isFirst) progress(`waiting for ${holder} …`);
    await pause(AGAIN_AFTER);
  }
  replaceFile(
    join(root, NOTE),
    JSON.stringify({ command, pid: process.pid, since: new Date().toISOString() } satisfies Holder),
  );
  return () => db.close();
}

/** Does what writes to a project while no other command does. @throws UserError if another one goes on */
export async function whileLocked<T>(root: string, command: string, work: () => Promise<T>): Promise<T> {
  const free = await lockProject(root, command);
  try {
    return await work();
  } finally {
    free();
  }
}
