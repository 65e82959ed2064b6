/**
 * @module The worktree whose files are mutated: the commands that its tests spawn are those of the mutant, too.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const TSC = ['node_modules/typescript/bin/tsc', '--noEmit', '--incremental'];
const VITEST = 'node_modules/vitest/vitest.mjs';
const PROJECTS = ['--project=unit', '--project=node', '--project=worker'];
/** Ends endless loops. */
const LIMIT_MS = 20 * 60_000;

/** A test file of the short tier. */
export interface TestFile {
  readonly file: string;
  readonly projectName: string;
}

/** What becomes of a mutant. `crashed`: the tests write no report. */
export interface Verdict {
  readonly outcome: 'rejected' | 'survived' | 'killed' | 'crashed' | 'timeout';
  /** By project: the test files that fail. */
  readonly killers: Readonly<Partial<Record<string, readonly string[]>>>;
  /** How many test files ran. */
  readonly ran: number;
}

export const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/** Makes the worktree of the last commit, or takes the one that is there, without the edit that was left. */
export function openTree(root: string): void {
  if (existsSync(root)) return void git(root, 'checkout', '--', '.');
  git(ROOT, 'worktree', 'prune');
  git(ROOT, 'worktree', 'add', '--detach', root);
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'), 'dir');
  for (const script of ['build', 'types']) execFileSync('npm', ['run', '-s', script], { cwd: root });
}

/** Runs Node, and ends all that it started. @returns the exit code, or null after the time limit. */
async function runNode(cwd: string, args: readonly string[]): Promise<number | null> {
  const child = spawn(process.execPath, args, {
    cwd,
    detached: true,
    stdio: 'ignore',
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const kill = () => void spawnSync('kill', ['-KILL', '--', `-${child.pid}`]);
  process.once('exit', kill);
  const [code] = await once(child, 'exit');
  process.off('exit', kill);
  kill();
  return code;
}

/** Lists the test files that mutants may run. */
export async function listTests(root: string): Promise<readonly TestFile[]> {
  const path = join(root, '.scratch/tests.json');
  await runNode(root, [VITEST, 'list', '--filesOnly', `--json=${path}`, ...PROJECTS]);
  const tests: readonly TestFile[] = JSON.parse(readFileSync(path, 'utf8'));
  return tests.map((test) => ({ ...test, file: relative(root, test.file) }));
}

/** Runs the compiler, and if it finds nothing the test files. */
export async function check(root: string, tests: readonly TestFile[]): Promise<Verdict> {
  const verdict = { killers: {}, ran: tests.length };
  if ((await runNode(root, TSC)) !== 0) return { ...verdict, outcome: 'rejected', ran: 0 };
  if (tests.length === 0) return { ...verdict, outcome: 'survived' };
  const path = join(root, '.scratch/report.json');
  rmSync(path, { force: true });
  const flags = ['--configLoader=native', '--reporter=json', `--outputFile=${path}`, '--testTimeout=60000'];
  const code = await runNode(root, [VITEST, 'run', ...PROJECTS, ...flags, ...tests.map(({ file }) => file)]);
  if (!existsSync(path)) return { ...verdict, outcome: code === null ? 'timeout' : 'crashed' };
  const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as { testResults: { name: string; status: string }[] };
  const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name));
  const killers = Object.groupBy(failed, (name) => tests.find(({ file }) => file === name)?.projectName ?? '');
  return { ...verdict, outcome: code === 0 ? 'survived' : 'killed', killers };
}
