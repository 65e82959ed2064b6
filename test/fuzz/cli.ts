/**
 * @module `npm run fuzz`: the properties of test/fuzz with many more requests than `npm test` spends on them.
 */
import { Command } from 'commander';
import { startVitest } from 'vitest/node';
import { count } from '../support/count.ts';

interface Options {
  readonly runs: number;
  readonly seed: number;
  readonly only?: string;
}

/** The lines that the properties write are the progress; anything else is what the reporter has to say. */
function showProgress(log: string): boolean {
  const lines = log.split('\n').filter((line) => line.startsWith('fuzz: '));
  for (const line of lines) process.stdout.write(`${line}\n`);
  return false;
}

async function run({ runs, seed, only }: Options): Promise<boolean> {
  const files = only ? [`fuzz/${only}`] : ['fuzz/'];
  const fuzz = { runs, seed };
  process.stdout.write(`fuzz: ${runs} runs of each property, seed ${seed}\n`);
  const vitest = await startVitest(
    'test',
    files,
    {
      run: true,
      // All files, as in the long tier.
      mode: 'long',
      watch: false,
      project: ['worker', 'unit'],
      reporters: ['dot'],
      provide: { fuzz },
      onConsoleLog: showProgress,
    },
    {},
  );
  const failed = vitest.state.getCountOfFailedTests() > 0 || vitest.state.getUnhandledErrors().length > 0;
  const passed = vitest.state.getFiles().length > 0 && !failed && process.exitCode !== 1;
  await vitest.close();
  process.stdout.write(passed ? 'fuzz: nothing found\n' : `fuzz: failed; again with: npm run fuzz -- --seed ${seed}\n`);
  return passed;
}

const options = new Command('fuzz')
  .description('Sends generated requests to the Worker, on a real D1 in workerd, and checks every answer.')
  .option('--runs <number>', 'requests for each property', count, 20_000)
  .option('--seed <number>', 'repeats the run of that seed', count, 1 + Math.trunc(Math.random() * 2 ** 31))
  .option(
    '--only <file>',
    'one file of test/fuzz: bodies, dependencies, drafts-only, filters, interference, limits, random-models, requests, tools, written, written-files, written-history, written-users',
  )
  .parse()
  .opts<Options>();

process.exitCode = (await run(options)) ? 0 : 1;
