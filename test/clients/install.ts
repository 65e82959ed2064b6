/**
 * @module Installs the published clients that tests drive. They are large, and nothing but these tests needs them, so
 * `npm ci` leaves them out and `npm test` installs them once for each lockfile.
 */
import { execSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = import.meta.dirname;
const LOCKFILE = join(FOLDER, 'package-lock.json');
const INSTALLED = join(FOLDER, 'node_modules/.installed-lock.json');

const isInstalled = (): boolean =>
  existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === readFileSync(LOCKFILE, 'utf8');

/** @throws Error when npm cannot install them; npm has then written why. */
export function installClients(): void {
  if (isInstalled()) return;
  process.stderr.write('... installing the published clients and the browser that tests drive\n');
  execSync('npm ci', { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] });
  copyFileSync(LOCKFILE, INSTALLED);
}

if (import.meta.main)
  try {
    installClients();
  } catch {
    process.stderr.write('The published clients could not be installed: run npm ci in test/clients\n');
    process.exitCode = 1;
  }
