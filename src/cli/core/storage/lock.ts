/**
 * @module One `npm run dev` for each local database: two would change its tables under each other.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeText } from '../disk.ts';
import { isRunning } from '../leftovers.ts';
import { UserError } from '../terminal.ts';
import type { Target } from '../wrangler/wrangler.ts';
import { stateFile } from './state-folder.ts';

interface Holder {
  readonly pid: number;
  readonly url: string;
  /** Where it takes statements. */
  readonly control?: string;
}

const notePath = (root: string, target: Target): string => stateFile(root, target, 'serving.json');

/** The other process that serves the local database; undefined: there is none. */
export function holderOf(root: string, target: Target): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(notePath(root, target), 'utf8')) as Holder;
    return holder.pid !== process.pid && isRunning(holder.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Says where this process serves, and where it takes statements. */
export function noteHolder(root: string, target: Target, url: string, control?: string): void {
  const holder = { pid: process.pid, url, control };
  writeText(notePath(root, target), JSON.stringify(holder), 0o600);
}

/** @throws UserError while `npm run dev` serves the database, if it is a local one. */
export function assertUnlocked(root: string, target: Target): void {
  const holder = target.remote ? undefined : holderOf(root, target);
  if (holder) throw new UserError(`${holder.url} serves this project (process ${holder.pid}); stop npm run dev first`);
}

/**
 * Takes the local database for this process.
 * @returns gives it back.
 * @throws UserError when another process has it.
 */
export function lockState(root: string, target: Target, url: string): () => void {
  const holder = holderOf(root, target);
  if (holder)
    throw new UserError(
      `${holder.url} serves this database already (process ${holder.pid}); stop it, or use another one: npm run dev -- --port ${Number(new URL(url).port) + 1} --persist-to <dir>`,
    );
  const path = notePath(root, target);
  mkdirSync(dirname(path), { recursive: true });
  noteHolder(root, target, url);
  return () => rmSync(path, { force: true });
}
