/**
 * @module `npm run mutants`: changes the code in one place at a time, and keeps which test files notice.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Command } from 'commander';
import { count } from '../support/count.ts';
import { replaceIn } from './marks.ts';
import type { TestFile } from './reporter.ts';
import { type Mutant, markTree, sampleOf } from './sample.ts';
import { isRun, type Result, summaryOf } from './summary.ts';
import { check, compiles, git, openTree, runAll, type Verdict } from './tree.ts';

interface Options {
  readonly sample: number;
  readonly seed: number;
  readonly minutes: number;
  readonly summary?: string;
  readonly without?: string;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Runs all tests on a tree with marks, and without them those that fail. @throws Error if any fails without marks. */
async function measure(root: string): Promise<readonly TestFile[]> {
  if (!(await compiles(root))) throw new Error('The compiler rejects the tree without a mutant');
  markTree(root);
  const tests = await runAll(root);
  openTree(root);
  const failed = tests.filter(({ isPassed }) => !isPassed);
  const { outcome, killers } = await check(root, failed);
  if (outcome !== 'survived') throw new Error(`Without a mutant: ${outcome}, ${killers.join(', ')}`);
  return tests;
}

/** What a mutant's test files may take together: nine of ten that any file kills are killed by then. */
const SECONDS = 90;

/**
 * Returns the test files that execute the function of a mutant, and where the functions are that tell which of them know it
 * best: in its file. Outside of functions, and for those that run when their module is loaded, it is the folder for both.
 */
function testsOf({ mark, file }: Mutant, tests: readonly TestFile[]) {
  const isCalled = mark !== undefined && !tests.some(({ loaded }) => loaded?.includes(mark));
  const place = isCalled ? `${file}:` : `${dirname(file)}/`;
  const isNear = (executed: string) => (isCalled ? executed === mark : executed.startsWith(place));
  return { place, near: tests.filter(({ executed }) => executed?.some(isNear)) };
}

/** Sorts test files: those of whose functions most are in a place, and that take least. */
function nearestFirst(place: string, tests: readonly TestFile[]): readonly TestFile[] {
  const worth = ({ executed = [], seconds }: TestFile) =>
    executed.filter((mark) => mark.startsWith(place)).length / executed.length / Math.sqrt(seconds + 0.3);
  return tests.toSorted((a, b) => worth(b) - worth(a));
}

/** Returns the mutants of the functions that a test file executes, first of those that few other files do. */
function executedBy(file: string, mutants: readonly Mutant[], tests: readonly TestFile[]): readonly Mutant[] {
  const own = new Set(tests.find((test) => test.file === file)?.executed);
  if (own.size === 0) throw new Error(`No test file ${file} executes anything`);
  const marks = tests.flatMap(({ executed = [] }) => executed);
  const counts = new Map([...Map.groupBy(marks, (mark) => mark)].map(([mark, { length }]) => [mark, length]));
  const filesOf = ({ mark = '' }: Mutant): number => Number(counts.get(mark));
  return mutants.filter(({ mark = '' }) => own.has(mark)).toSorted((a, b) => filesOf(a) - filesOf(b));
}

/** Gives a mutant its verdict. */
async function judge(root: string, mutant: Mutant, tests: readonly TestFile[]): Promise<Verdict> {
  if (!(await compiles(root))) return { outcome: 'rejected', killers: [], ran: 0 };
  const { place, near } = testsOf(mutant, tests);
  let left = SECONDS;
  const chosen = nearestFirst(place, near).filter(({ seconds }, index) => {
    left -= seconds;
    return left >= 0 || index === 0;
  });
  return check(root, chosen);
}

async function run({ sample, seed, minutes, summary, without }: Options): Promise<void> {
  const end = Date.now() + minutes * 60_000;
  const folder = join(import.meta.dirname, '../../.scratch/mutants', String(seed));
  const testsPath = join(folder, 'tests.json');
  const path = join(folder, without === undefined ? 'results.jsonl' : `without-${basename(without)}.jsonl`);
  const roots = Array.from({ length: availableParallelism() }, (_, index) => join(folder, `tree-${index}`));
  for (const root of roots) openTree(root);
  const [first = ''] = roots;
  if (!existsSync(testsPath)) writeFileSync(testsPath, JSON.stringify(await measure(first)));
  const all: readonly TestFile[] = JSON.parse(readFileSync(testsPath, 'utf8'));
  const tests = all.filter(({ file }) => file !== without);
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  const results: Result[] = lines.map((line) => JSON.parse(line));
  const done = new Set(results.map(({ id }) => id));
  const mutants = sampleOf(first, seed);
  const left = (without === undefined ? mutants : executedBy(without, mutants, all)).values();
  const runIn = async (root: string): Promise<void> => {
    for (const mutant of left) {
      if (Date.now() > end || results.filter(isRun).length >= sample) break;
      if (done.has(mutant.id)) continue;
      const started = Date.now();
      const file = join(root, mutant.file);
      writeFileSync(file, replaceIn(readFileSync(file, 'utf8'), [mutant]));
      const verdict = await judge(root, mutant, tests);
      openTree(root);
      const result: Result = { ...mutant, ...verdict, seconds: Math.round((Date.now() - started) / 1000) };
      results.push(result);
      appendFileSync(path, `${JSON.stringify(result)}\n`);
      print(
        `${result.seconds} s, ${result.ran} files, ${result.outcome}: ${mutant.file}:${mutant.line} ${mutant.kind}`,
      );
    }
  };
  await Promise.all(roots.map(runIn));
  const page = summaryOf(`Commit \`${git(first, 'rev-parse', '--short', 'HEAD')}\`, seed ${seed}.`, results);
  if (summary === undefined) print(page);
  else writeFileSync(summary, page);
}

// Ends what runs.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

await new Command('mutants')
  .description('Changes the code in one place at a time, and shows which mutants the tests do not notice.')
  .option('--sample <number>', 'mutants that run', count, 40)
  .option('--seed <number>', 'of the sample; the same one goes on where it ended, at its commit', count, 1)
  .option('--minutes <number>', 'after which none begins', count, 60)
  .option('--without <file>', 'takes mutants of what this test file executes, and runs the others')
  .option('--summary <file>', 'writes the results by room to this file')
  .action(run)
  .parseAsync();
