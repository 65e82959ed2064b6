/**
 * @module One `npm run dev` for each local database: two would change its tables under each other.
 */
import { readFileSync, rmSync } from 'node:fs';
import { isRunning } from '../leftovers.ts';
import { UserError } from '../terminal.ts';
import type { Target } from '../wrangler/wrangler.ts';
import { stateFile, writeState } from './state-folder.ts';

interface Holder {
  readonly pid: number;
  readonly url: string;
  /** Where it takes statements. */
  readonly control?: string;
}

const NOTE = 'serving.json';

/** The other process that serves the local database; undefined: there is none. */
export function holderOf(root: string, target: Target): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(stateFile(root, target, NOTE), 'utf8')) as Holder;
    return holder.pid !== process.pid && isRunning(holder.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Says where this process serves, and where it takes statements. */
export const noteHolder = (root: string, target: Target, url: string, control?: string): void =>
  writeState(root, target, NOTE, JSON.stringify({ pid: process.pid, url, control }));

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
  noteHolder(root, target, url);
  return () => rmSync(stateFile(root, target, NOTE), { force: true });
}
