/**
 * @module The files that commands write for the user: what they are called, and where they may go.
 */
import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from './terminal.ts';

/** `edgewise-2026-01-31-120000.tar.gz` */
export function timedName(prefix: string, now: Date, suffix = ''): string {
  const time = now.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '');
  return `${prefix}-${time}.tar.gz${suffix}`;
}

/** @throws UserError for a file that is there already, and for a folder in which none can be made. */
export function assertNewFile(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })) throw new UserError(`--file: ${path} is there already`);
  const folder = dirname(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`--file: there is no folder ${folder}`);
  accessSync(folder, constants.W_OK);
}
