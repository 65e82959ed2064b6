/**
 * @module The file of the package that a new project depends on: a clone is packed, and a package that was installed from a file
 * leads to it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { PACKAGE } from '../core/package.ts';
import { progress, UserError } from '../core/terminal.ts';
import { clientBeside } from './client-file.ts';
import { npmCommand } from './install.ts';

/** The file that npm installed this package from; undefined for one from a registry. */
function installedFile(): string | undefined {
  const modules = dirname(PACKAGE);
  const lock = join(modules, '.package-lock.json');
  if (!existsSync(lock)) return undefined;
  const { packages } = JSON.parse(readFileSync(lock, 'utf8'));
  const resolved: string | undefined = packages['node_modules/edgewise']?.resolved;
  return resolved?.startsWith('file:') ? resolve(dirname(modules), resolved.slice('file:'.length)) : undefined;
}

/** Packs a package of a clone. A folder as a dependency would be a link, without the packages that it needs. */
function packed(...which: readonly string[]): string {
  const [command, args, options] = npmCommand(['pack', '--silent', ...which]);
  const done = spawnSync(command, args, { ...options, cwd: PACKAGE, encoding: 'utf8' });
  // The last line names the file; before it stands what the build has written.
  if (done.status === 0) return join(PACKAGE, done.stdout.trim().split('\n').at(-1) ?? '');
  throw new UserError(`npm pack failed in ${PACKAGE}:\n${done.stderr?.trim() || done.error?.message}`);
}

/** Returns the files of the package, and of the client for a site; none for packages from a registry. @throws UserError */
export function packageFiles(hasSite: boolean): readonly string[] {
  const isClone = basename(dirname(PACKAGE)) !== 'node_modules';
  if (isClone) {
    progress('packing Edgewise …');
    return [packed('--workspaces=false'), ...(hasSite ? [packed('--workspace=client')] : [])];
  }
  const file = installedFile();
  return file === undefined ? [] : [file, ...(hasSite ? [clientBeside(file)] : [])];
}
