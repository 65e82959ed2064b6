/**
 * @module `npm test`: all files of the short tier, with `--long` of both; or those whose paths are given, of either.
 */
import { spawnSync } from 'node:child_process';

const LONG = '--long';
const given = process.argv.slice(2).filter((argument) => argument !== LONG);
const isLong = process.argv.includes(LONG) || given.some((argument) => argument.includes('.long.'));

/** Ends here if the command fails. */
function run(command: string, ...args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

if (given.length > 0) run('npm', 'run', '-s', 'build');
else {
  run('npm', 'run', 'check');
  run('node', 'test/clients/install.ts');
  run('tsc', '-p', 'test/studio', '--singleThreaded');
  if (isLong) run('tsc', '-p', 'test/clients');
}
run('vitest', 'run', ...(isLong ? ['--mode', 'long'] : []), ...given);
