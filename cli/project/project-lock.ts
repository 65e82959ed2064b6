/**
 * @module Lets one command at a time write a project or its local database. The lock is one of SQLite: the operating system
 * releases it when the process ends, even when it is killed.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { writeText } from '../core/disk.ts';
import { progress, UserError } from '../core/terminal.ts';
import { settleFiles } from './change-files.ts';

const FOLDER = '.wrangler/edgewise';
/** Milliseconds that a command waits for another. */
const PATIENCE = 15_000;
/** Milliseconds after which it reports that. */
const REPORT_AFTER = 1_000;
const INTERVAL = 100;
/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

const holderFile = (root: string): string => join(root, FOLDER, 'lock.json');

function holderText(root: string): string {
  try {
    const { command, pid } = JSON.parse(readFileSync(holderFile(root), 'utf8'));
    return `${command} (process ${pid})`;
  } catch {
    return 'Another command';
  }
}

function tryLock(db: DatabaseSync): boolean {
  try {
    db.exec('begin exclusive');
    return true;
  } catch (error) {
    if ((error as { readonly errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw Object.assign(error as Error, { path: db.location() ?? FOLDER });
  }
}

function openLock(root: string): DatabaseSync {
  const path = join(root, FOLDER, 'lock');
  mkdirSync(join(root, FOLDER), { recursive: true });
  try {
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw Object.assign(error as Error, { path });
  }
}

async function lock(root: string, db: DatabaseSync, patience: number): Promise<void> {
  for (let waited = 0; !tryLock(db); waited += INTERVAL) {
    if (waited === REPORT_AFTER) progress(`waiting for ${holderText(root)} …`);
    if (waited >= patience)
      throw new UserError(`${holderText(root)} is changing this project; repeat the command when it has ended`);
    await pause(INTERVAL);
  }
}

/**
 * Calls `work` while no other command changes the project, after completing what an interrupted command left.
 * @param command named in the messages of waiting commands
 * @throws UserError when another command holds the lock for too long
 */
export async function withProjectLock<T>(
  root: string,
  command: string,
  work: () => T | Promise<T>,
  patience: number = PATIENCE,
): Promise<T> {
  const db = openLock(root);
  try {
    await lock(root, db, patience);
    writeText(holderFile(root), JSON.stringify({ command, pid: process.pid }));
    settleFiles(root);
    return await work();
  } finally {
    // Closing the database releases the lock.
    if (db.isTransaction) rmSync(holderFile(root), { force: true });
    db.close();
  }
}

export const untilSettled = (root: string, command: string) => withProjectLock(root, command, () => undefined);
