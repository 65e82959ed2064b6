/**
 * @module Runs npm in a project, with its output on stderr, where progress is.
 */
import { spawnSync } from 'node:child_process';
import { progress, UserError } from '../core/terminal.ts';

/** Installs what package.json names. @throws UserError where npm fails, after what it has written */
export function installPackages(root: string): void {
  progress('installing packages …');
  const shell = process.platform === 'win32';
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell,
  });
  if (status !== 0) throw new UserError(`npm install failed in ${root}; run it again there`);
}
