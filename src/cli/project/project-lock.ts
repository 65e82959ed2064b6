/**
 * @module One command at a time writes a project or its local database. The lock is one of SQLite, which the operating
 * system takes from a process that ends, however it ends.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { writeText } from '../core/disk.ts';
import { progress, UserError } from '../core/terminal.ts';
import { settleFiles } from './change-files.ts';

const FOLDER = '.wrangler/edgewise';
/** Milliseconds that a command waits for another one. */
const PATIENCE = 15_000;
/** Milliseconds after which it says so. */
const SILENCE = 1_000;
const INTERVAL = 100;
/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

interface Holder {
  readonly command: string;
  readonly pid: number;
}

const holderFile = (root: string): string => join(root, FOLDER, 'lock.json');

function holderText(root: string): string {
  try {
    const { command, pid } = JSON.parse(readFileSync(holderFile(root), 'utf8')) as Holder;
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
  const start = Date.now();
  let isSilent = true;
  while (!tryLock(db)) {
    const waited = Date.now() - start;
    if (isSilent && waited > SILENCE) progress(`waiting for ${holderText(root)} …`);
    isSilent &&= waited <= SILENCE;
    if (waited >= patience)
      throw new UserError(`${holderText(root)} is changing this project; repeat the command when it has ended`);
    await pause(INTERVAL);
  }
}

/**
 * Runs `work` while no other command changes the project, on files that are whole.
 * @param command what others are told about who has it.
 * @throws UserError when another command has it for too long.
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
    writeText(holderFile(root), JSON.stringify({ command, pid: process.pid } satisfies Holder));
    settleFiles(root);
    return await work();
  } finally {
    // Closing gives the lock back; whoever waits for it writes its own name.
    if (db.isTransaction) rmSync(holderFile(root), { force: true });
    db.close();
  }
}

/** Waits until no other command changes the project. Its files are whole then. */
export const untilSettled = (root: string, command: string): Promise<void> =>
  withProjectLock(root, command, () => undefined);
