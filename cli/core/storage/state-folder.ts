/**
 * @module The folder of a local database, and which `npm run dev` serves it: only one may, since it changes the tables.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isRunning } from '../leftovers.ts';
import { replaceFile } from '../replace-file.ts';
import { UserError } from '../terminal.ts';
import type { Target } from '../wrangler/wrangler.ts';

export const stateFolder = (root: string, { persistTo }: Target): string =>
  resolve(root, persistTo ?? '.wrangler/state');

/** Does the database exist? A command that only reads does not create a local one. */
export const hasDatabase = (root: string, target: Target): boolean =>
  target.remote === true || existsSync(join(stateFolder(root, target), 'v3/d1'));

/** A file that `npm run dev` keeps beside the local database. */
export const stateFile = (root: string, target: Target, name: string): string =>
  resolve(stateFolder(root, target), 'edgewise', name);

/** Writes such a file, for its owner alone. */
export const writeState = (root: string, target: Target, name: string, text: string): void =>
  replaceFile(stateFile(root, target, name), text, 0o600);

interface Holder {
  readonly pid: number;
  readonly url: string;
  readonly control?: string;
}

const NOTE = 'serving.json';

/** The other process that serves the local database; undefined if no process does. */
export function holderOf(root: string, target: Target): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(stateFile(root, target, NOTE), 'utf8')) as Holder;
    return holder.pid !== process.pid && isRunning(holder.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Records the URL at which this process serves, and the one that accepts statements. */
export const noteHolder = (root: string, target: Target, url: string, control?: string): void =>
  writeState(root, target, NOTE, JSON.stringify({ pid: process.pid, url, control }));

/** @throws UserError while `npm run dev` serves the database, if it is a local one. */
export function assertUnlocked(root: string, target: Target): void {
  const holder = target.remote ? undefined : holderOf(root, target);
  if (holder) throw new UserError(`${holder.url} serves this project (process ${holder.pid}); stop npm run dev first`);
}

/** @param port that is wanted for it. @throws UserError when another process serves the local database */
export function assertUnserved(root: string, target: Target, port: number): void {
  const holder = holderOf(root, target);
  if (holder)
    throw new UserError(
      `${holder.url} serves this database already (process ${holder.pid}); stop it, or use another one: npm run dev -- --port ${port + 1} --persist-to <dir>`,
    );
}

/**
 * Takes the local database for this process.
 * @returns gives it back.
 * @throws UserError when another process has it.
 */
export function lockState(root: string, target: Target, url: string): () => void {
  assertUnserved(root, target, Number(new URL(url).port));
  noteHolder(root, target, url);
  return () => rmSync(stateFile(root, target, NOTE), { force: true });
}
