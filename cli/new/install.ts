/**
 * @module Runs npm and git in a project. npm writes to stderr, where progress is.
 */
import { spawnSync } from 'node:child_process';
import { progress, UserError } from '../core/terminal.ts';

type Spawned = readonly [command: string, args: readonly string[], options: { readonly shell: boolean }];

/**
 * The arguments of a spawn that runs npm. On Windows npm is a script, which takes a shell; there a path ends at a blank unless
 * it is quoted, and none has a quote itself.
 */
export function npmCommand(args: readonly string[], platform: string = process.platform): Spawned {
  if (platform !== 'win32') return ['npm', args, { shell: false }];
  return [['npm', ...args.map((arg) => `"${arg}"`)].join(' '), [], { shell: true }];
}

/** Installs what package.json names. @throws UserError where npm fails, after what it has written, with what is to be done */
export function installPackages(root: string, next = 'run it again there'): void {
  progress('installing packages …');
  const [command, args, options] = npmCommand(['install', '--no-audit', '--no-fund']);
  const { status } = spawnSync(command, args, { ...options, cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new UserError(`npm install failed in ${root}; ${next}`);
}

/** Makes a repository, unless the folder is in one already, or there is no git. */
export function initRepository(root: string): void {
  const isWithin =
    spawnSync('git', ['rev-parse', '--is-inside-work-tree'], { cwd: root, stdio: 'ignore' }).status === 0;
  if (!isWithin) spawnSync('git', ['init', '--quiet'], { cwd: root, stdio: 'ignore' });
}
