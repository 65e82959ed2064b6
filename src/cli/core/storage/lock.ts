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

function holderOf(path: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8')) as Holder;
    return holder.pid !== process.pid && isRunning(holder.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Where `npm run dev` serves the local database; undefined: nowhere. */
export const servedAt = (root: string, target: Target): string | undefined =>
  holderOf(stateFile(root, target, 'serving.json'))?.url;

/** The URL at which the server of the local database takes statements; undefined without a server. */
export const controlOf = (root: string, target: Target): string | undefined =>
  holderOf(stateFile(root, target, 'serving.json'))?.control;

/** Says where this process takes statements. */
export function noteControl(root: string, target: Target, url: string, control: string): void {
  const holder: Holder = { pid: process.pid, url, control };
  writeText(stateFile(root, target, 'serving.json'), JSON.stringify(holder), 0o600);
}

/** @throws UserError while `npm run dev` serves the database, if it is a local one. */
export function assertUnlocked(root: string, target: Target): void {
  const holder = target.remote ? undefined : holderOf(stateFile(root, target, 'serving.json'));
  if (holder) throw new UserError(`${holder.url} serves this project (process ${holder.pid}); stop npm run dev first`);
}

/**
 * Takes the local database for this process.
 * @returns gives it back.
 * @throws UserError when another process has it.
 */
export function lockState(root: string, target: Target, url: string): () => void {
  const path = stateFile(root, target, 'serving.json');
  const holder = holderOf(path);
  if (holder)
    throw new UserError(
      `${holder.url} serves this database already (process ${holder.pid}); stop it, or use another one: npm run dev -- --port ${Number(new URL(url).port) + 1} --persist-to <dir>`,
    );
  mkdirSync(dirname(path), { recursive: true });
  writeText(path, JSON.stringify({ pid: process.pid, url } satisfies Holder), 0o600);
  return () => rmSync(path, { force: true });
}
