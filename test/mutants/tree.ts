/**
 * @module The worktree whose files are mutated: the commands that its tests spawn are those of the mutant, too.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { REPORT, type TestFile } from './reporter.ts';

const ROOT = join(import.meta.dirname, '../..');
// Mutants are in what is built; to check the tests, too, takes twice as long.
const TSC = ['node_modules/typescript/bin/tsc', '--noEmit', '--incremental', '--project', 'tsconfig.build.json'];
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--configLoader=native', '--testTimeout=240000'];
const MINUTE = 60_000;

/** What becomes of a mutant. `crashed`: the tests write no report. */
export interface Verdict {
  readonly outcome: 'rejected' | 'survived' | 'killed' | 'crashed' | 'timeout';
  /** The test files that fail. */
  readonly killers: readonly string[];
  /** How many test files ran. */
  readonly ran: number;
}

export const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/** Makes the worktree of the last commit, or takes the one that is there, without the edits that were left. */
export function openTree(root: string): void {
  if (existsSync(root)) return void git(root, 'checkout', '--', '.');
  git(ROOT, 'worktree', 'prune');
  git(ROOT, 'worktree', 'add', '--detach', root);
  mkdirSync(dirname(join(root, REPORT)));
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'), 'dir');
  for (const script of ['build', 'types']) execFileSync('npm', ['run', '-s', script], { cwd: root });
}

/** Runs Node, and ends all that it started. @returns the exit code, or null after the time limit, which ends endless loops. */
async function runNode(cwd: string, args: readonly string[], timeout = 20 * MINUTE): Promise<number | null> {
  const child = spawn(process.execPath, args, {
    cwd,
    detached: true,
    stdio: 'ignore',
    timeout,
    killSignal: 'SIGKILL',
  });
  const kill = () => void spawnSync('kill', ['-KILL', '--', `-${child.pid}`]);
  process.once('exit', kill);
  const [code] = await once(child, 'exit');
  process.off('exit', kill);
  kill();
  return code;
}

/** Runs test files of projects; no files: all. @returns the exit code, and what became of each file, if there is a report. */
async function runTests(root: string, projects: readonly string[], files: readonly string[], timeout?: number) {
  const path = join(root, REPORT);
  rmSync(path, { force: true });
  const flags = ['--reporter=./test/mutants/reporter.ts', ...projects.map((project) => `--project=${project}`)];
  // Each worker loads and compiles all modules anew, so that each tree has one.
  if (files.length > 0) flags.push('--bail=1', '--maxWorkers=1', '--config=test/mutants/vitest.config.ts');
  const code = await runNode(root, [...VITEST, ...flags, ...files], timeout);
  const tests: readonly TestFile[] | undefined = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  return { code, tests };
}

/** Runs all tests of the short tier. */
export async function runAll(root: string): Promise<readonly TestFile[]> {
  const { tests } = await runTests(root, ['unit', 'node', 'worker'], [], 120 * MINUTE);
  if (!tests) throw new Error('The tests wrote no report');
  return tests;
}

/** Does the compiler find nothing? */
export const compiles = async (root: string): Promise<boolean> => (await runNode(root, TSC)) === 0;

/** Runs some test files, in this order, until one fails. */
export async function check(root: string, chosen: readonly TestFile[]): Promise<Verdict> {
  const verdict = { killers: [], ran: chosen.length };
  if (chosen.length === 0) return { ...verdict, outcome: 'survived' };
  const projects = new Set(chosen.map(({ project }) => project));
  const { code, tests } = await runTests(
    root,
    [...projects],
    chosen.map(({ file }) => file),
  );
  if (!tests) return { ...verdict, outcome: code === null ? 'timeout' : 'crashed' };
  const killers = tests.filter(({ isPassed }) => !isPassed).map(({ file }) => file);
  return { ...verdict, outcome: code === 0 ? 'survived' : 'killed', killers };
}
