/**
 * @module What must not outlast a command that fails, or that a signal ends: files that are not whole, temporary folders.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { constants, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Those by which a user or the system ends a command. */
export const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

const cleanups = new Set<() => void>();

function cleanUp(): void {
  for (const cleanup of cleanups) cleanup();
  cleanups.clear();
}

const end = (signal: NodeJS.Signals): never => process.exit(128 + constants.signals[signal]);

/** Calls `cleanup` when the process ends before that is taken back. @returns takes it back. */
export function atExit(cleanup: () => void): () => void {
  if (cleanups.size === 0) {
    process.on('exit', cleanUp);
    for (const signal of SIGNALS) process.on(signal, end);
  }
  cleanups.add(cleanup);
  return () => {
    if (!cleanups.delete(cleanup) || cleanups.size > 0) return;
    process.off('exit', cleanUp);
    for (const signal of SIGNALS) process.off(signal, end);
  };
}

/** In the name of what must not outlast a process: whose it is. */
const MARK = `edgewise-${hostname()}-`;
export const OWN_MARK = `${MARK}${process.pid}`;

/** Does a process run, of this user or another? */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes what processes that were killed have left in a folder. */
export function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const start = name.lastIndexOf(MARK);
    const [, pid] = /^(\d+)(?:-\w{6}|\.part)$/.exec(start < 0 ? '' : name.slice(start + MARK.length)) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // That of another user stays.
    }
  }
}

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), `${OWN_MARK}-`));
  removeLeftovers(tmpdir());
  const erase = () => rmSync(folder, { recursive: true, force: true });
  const forget = atExit(erase);
  return {
    folder,
    remove(): void {
      forget();
      erase();
    },
  };
}

const TEMPORARY = process.platform === 'win32' ? 'TEMP' : 'TMPDIR';

/** Calls `work`, of which a library makes its temporary files in `folder` instead of that of the system. */
export async function withTemporaryFiles<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const before = process.env[TEMPORARY];
  process.env[TEMPORARY] = folder;
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env[TEMPORARY];
    else process.env[TEMPORARY] = before;
  }
}

/** Calls `work` with a new folder, which is gone afterwards. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const { folder, remove } = temporaryFolder();
  try {
    return await work(folder);
  } finally {
    remove();
  }
}
