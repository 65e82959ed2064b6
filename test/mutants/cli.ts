/**
 * @module `npm run mutants`: changes the code in one place at a time, and keeps which test files notice.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { count } from '../support/count.ts';
import { replaceIn } from './marks.ts';
import type { TestFile } from './reporter.ts';
import { byTurns, type Mutant, markTree, sampleOf } from './sample.ts';
import { isRun, type Result, summaryOf } from './summary.ts';
import { check, compiles, git, openTree, runAll, type Verdict } from './tree.ts';

interface Options {
  readonly sample: number;
  readonly seed: number;
  readonly minutes: number;
  readonly summary?: string;
  readonly without: readonly string[];
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

/** Sorts mutants: those of functions that few test files execute, one of each function before the second of any. */
function rarestFirst(mutants: readonly Mutant[], tests: readonly TestFile[]): readonly Mutant[] {
  const marks = tests.flatMap(({ executed = [] }) => executed);
  const counts = new Map([...Map.groupBy(marks, (mark) => mark)].map(([mark, { length }]) => [mark, length]));
  const countOf = ({ mark = '' }: Mutant): number => counts.get(mark) ?? 0;
  return byTurns(
    mutants.toSorted((a, b) => countOf(a) - countOf(b)),
    ({ mark = '' }) => mark,
  );
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
  // Without other files, other verdicts.
  const list = createHash('sha256').update(without.toSorted().join()).digest('hex');
  const path = join(folder, without.length === 0 ? 'results.jsonl' : `without-${list}.jsonl`);
  const roots = Array.from({ length: availableParallelism() }, (_, index) => join(folder, `tree-${index}`));
  for (const root of roots) openTree(root);
  const [first = ''] = roots;
  if (!existsSync(testsPath)) writeFileSync(testsPath, JSON.stringify(await measure(first)));
  const all: readonly TestFile[] = JSON.parse(readFileSync(testsPath, 'utf8'));
  const tests = all.filter(({ file }) => !without.includes(file));
  const unknown = without.filter((name) => !all.some(({ file }) => file === name));
  if (unknown.length > 0) throw new Error(`--without: no test file that ran is ${unknown.join(' or ')}`);
  const asked = all.flatMap(({ file, executed }) => (without.includes(file) ? [new Set(executed)] : []));
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  const results: Result[] = lines.map((line) => JSON.parse(line));
  const done = new Set(results.map(({ id }) => id));
  const mutants = sampleOf(first, seed);
  const order = without.length === 0 ? mutants : rarestFirst(mutants, tests);
  /** Takes the next mutant: of all, or of the file that has fewest, until there are so many of each. */
  const next = (): Mutant | undefined => {
    const judged = results.filter(isRun);
    const counts = asked.map((marks) => ({ marks, count: judged.filter(({ mark = '' }) => marks.has(mark)).length }));
    const [fewest] = counts.toSorted((a, b) => a.count - b.count);
    const isEnough = (fewest?.count ?? judged.length) >= sample || Date.now() > end;
    const mutant = order.find(({ id, mark = '' }) => !done.has(id) && (!fewest || fewest.marks.has(mark)));
    if (isEnough || !mutant) return undefined;
    done.add(mutant.id);
    return mutant;
  };
  const runIn = async (root: string): Promise<void> => {
    for (let mutant = next(); mutant; mutant = next()) {
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
  .option('--without <files...>', 'takes so many of what each of these test files executes, and runs the others', [])
  .option('--summary <file>', 'writes the results by room to this file')
  .action(run)
  .parseAsync();
