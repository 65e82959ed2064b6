/**
 * @module Runs npm and git in a project. npm writes to stderr, where progress is.
 */
import { spawnSync } from 'node:child_process';
import { progress, UserError } from '../core/terminal.ts';

const isWindows = process.platform === 'win32';

/** Installs what package.json names. @throws UserError where npm fails, after what it has written, with what is to be done */
export function installPackages(root: string, next = 'run it again there'): void {
  progress('installing packages …');
  const args = ['install', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell: isWindows });
  if (status !== 0) throw new UserError(`npm install failed in ${root}; ${next}`);
}

/** Makes a repository, unless the folder is in one already, or there is no git. */
export function initRepository(root: string): void {
  const isWithin =
    spawnSync('git', ['rev-parse', '--is-inside-work-tree'], { cwd: root, stdio: 'ignore' }).status === 0;
  if (!isWithin) spawnSync('git', ['init', '--quiet'], { cwd: root, stdio: 'ignore' });
}
