/**
 * @module What must not outlast a command that fails, or that a signal ends: files that are not whole, temporary folders.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { constants, hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { progress } from './terminal.ts';

/** Those by which a user or the system ends a command. */
export const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

for (const signal of SIGNALS) process.on(signal, () => process.exit(128 + constants.signals[signal]));

/** Calls `cleanup` if the process ends before the returned function is called. */
export function atExit(cleanup: () => void): () => void {
  process.on('exit', cleanup);
  return () => void process.off('exit', cleanup);
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

/** Removes what processes that were killed have left in a folder. @returns their names */
export function removeLeftovers(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => {
    const start = name.lastIndexOf(MARK);
    const [, pid] = /^(\d+)(?:-\w{6}|\.part)$/.exec(start < 0 ? '' : name.slice(start + MARK.length)) ?? [];
    if (pid === undefined || isRunning(Number(pid))) return false;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
      return true;
    } catch {
      // That of another user stays.
      return false;
    }
  });
}

/** Removes what processes that were killed have left in a folder of the user, and reports it. */
export function reportLeftovers(folder: string): void {
  for (const name of removeLeftovers(folder)) progress(`starting over: removed ${name}, which a stopped command left`);
}

const TEMPORARY = process.platform === 'win32' ? 'TEMP' : 'TMPDIR';

/** For the environment of wrangler, which has a cache in the folder of the system. */
export const SYSTEM_TEMPORARY = { [TEMPORARY]: tmpdir() };

/**
 * Returns the folder for temporary files of this process, and makes libraries use it: those of Miniflare would outlast a
 * process that is killed.
 */
export function temporaryFolder(): string {
  if (basename(tmpdir()).startsWith(`${OWN_MARK}-`)) return tmpdir();
  removeLeftovers(tmpdir());
  const folder = mkdtempSync(join(tmpdir(), `${OWN_MARK}-`));
  atExit(() => rmSync(folder, { recursive: true, force: true }));
  process.env[TEMPORARY] = folder;
  return folder;
}

/** Calls `work` with a new folder, which is gone afterwards. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(temporaryFolder(), 'for-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
