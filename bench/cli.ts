/**
 * @module `npm run bench`: the product against a hand-written Worker, on the same runtime and the same data, by turns.
 */
import { loadavg } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { compareWith } from './against.ts';
import { batches } from './batch.ts';
import { ceiling } from './ceiling.ts';
import { benchHostile } from './hostile.ts';
import type { Effort } from './measure.ts';
import { writePlot } from './plot.ts';
import {
  endProgress,
  type Figure,
  type Floor,
  type Memory,
  progress,
  type Report,
  tableOf,
  writeResults,
} from './report.ts';
import { type BenchRow, MEDIA_ROWS, ROWS } from './rows.ts';
import { makeScratch } from './scratch.ts';
import { killServers, quietWrangler, stopServers } from './server.ts';
import { siteCosts } from './sites.ts';
import { measureSize } from './size.ts';
import { startupTime } from './startup.ts';
import { besideStrapi } from './strapi.ts';

interface Flags {
  readonly size?: readonly number[];
  readonly lives?: number;
  readonly rounds?: number;
  readonly seconds?: number;
  readonly connections: number;
  readonly only: readonly string[];
  readonly quick?: true;
  readonly against?: string;
  readonly hostile?: true;
  readonly ceiling?: true;
  readonly batch?: true;
  readonly cost?: true;
  readonly history?: true;
  readonly startup?: true;
  readonly strapi?: true;
  readonly release?: string;
}

const FULL = { lives: 3, rounds: 3, seconds: 1, warmup: 2 };
const QUICK = { lives: 1, rounds: 3, seconds: 1, warmup: 1 };
const AGAINST = { lives: 6, rounds: 3, seconds: 1, warmup: 1 };
const SIZES = [1_000, 10_000, 100_000];
const ONE_SIZE = 10_000;

/** The options that were given, over defaults. */
function effortOf({ quick, against, connections, lives, rounds, seconds }: Flags): Effort {
  const defaults = against === undefined ? FULL : AGAINST;
  const { warmup, ...effort } = quick ? QUICK : defaults;
  return {
    connections,
    warmup,
    lives: lives ?? effort.lives,
    rounds: rounds ?? effort.rounds,
    seconds: seconds ?? effort.seconds,
  };
}

const ALL_ROWS = [...ROWS, ...MEDIA_ROWS];
const NAMES = ALL_ROWS.map(({ name }) => name).join(', ');

/** @throws Error for a row of the media library without `--against`: the hand-written Worker has no such library. */
function rowsOf({ only, against }: Flags): readonly BenchRow[] {
  const lone = MEDIA_ROWS.find(({ name }) => against === undefined && only.includes(name));
  if (lone) throw new Error(`The row "${lone.name}" compares two commits: add --against <rev>.`);
  return (against === undefined ? ROWS : ALL_ROWS).filter(({ name }) => only.length === 0 || only.includes(name));
}

/** @throws Error for `--history` without `--against` */
async function bench(flags: Flags): Promise<void> {
  if (flags.history) throw new Error('--history compares two commits: add --against <rev>.');
  const [load = 0] = loadavg();
  const { quick, release, size: sizes = SIZES } = flags;
  const [effort, rows] = [effortOf(flags), rowsOf(flags)];
  const scratch = await makeScratch();
  const figures: Figure[] = [];
  const floors: Floor[] = [];
  const memories: Memory[] = [];
  let direct = true;
  for (const size of quick ? sizes.slice(0, 1) : sizes) {
    const measured = await measureSize(scratch, rows, size, effort);
    figures.push(...measured.figures);
    floors.push(measured.floor);
    if (measured.memory) memories.push(measured.memory);
    direct &&= measured.direct;
  }
  const report: Report = { effort, direct, load, figures, floors, memories };
  endProgress();
  process.stdout.write(tableOf(report));
  progress(`every round: ${writeResults(report, new Date(), release)}`);
  if (release) progress(`plot: ${writePlot(figures)}`);
  process.stderr.write('\n');
}

function count(value: string): number {
  const number = Number(value.replaceAll(/[_,]/g, ''));
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('Expected a whole number from 1.');
  return number;
}

function rowName(value: string, previous: readonly string[]): readonly string[] {
  if (ALL_ROWS.some(({ name }) => name === value)) return [...previous, value];
  throw new InvalidArgumentError(`Expected one of ${NAMES}.`);
}

/** Servers are stopped however this ends. */
async function run(flags: Flags): Promise<void> {
  quietWrangler();
  process.on('exit', killServers);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => process.exit(130));
  try {
    if (flags.against !== undefined) {
      const { against, size: sizes = [ONE_SIZE], history = null } = flags;
      if (!(await compareWith(against, rowsOf(flags), sizes, effortOf(flags), { history }))) process.exitCode = 1;
    } else if (flags.ceiling) await ceiling();
    else if (flags.batch) await batches();
    else if (flags.cost) await siteCosts();
    else if (flags.startup) await startupTime();
    else if (flags.strapi) await besideStrapi(ONE_SIZE, { ...QUICK, connections: flags.connections });
    else if (!flags.hostile) await bench(flags);
    else if (!(await benchHostile())) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await stopServers();
  }
}

const addSize = (value: string, previous: readonly number[] = []): readonly number[] => [...previous, count(value)];

await new Command('npm run bench --')
  .description('The product against a hand-written Worker: requests per second, latency, CPU and rows read.')
  .option('--size <documents...>', 'articles in the database (default: 1000, 10000 and 100000)', addSize)
  .option('--lives <number>', 'how often both servers are started anew (default: 3)', count)
  .option('--rounds <number>', 'rounds that count, of each server in each of its lives (default: 3)', count)
  .option('--seconds <number>', 'of each round (default: 1)', count)
  .option('--connections <number>', 'at the same time', count, 8)
  .option('--only <row...>', `some rows: ${NAMES}`, rowName, [])
  .option('--quick', 'one size, few short rounds')
  .option(
    '--against <rev>',
    'this tree beside another commit instead, both under load at the same moment, with 10000 articles and in 6 lives by default: 10 to 15 minutes',
  )
  .option('--history', 'with --against: both keep the former versions of all types')
  .option('--ceiling', 'CPU and memory of the most expensive reads instead')
  .option('--batch', '100 creates in one batch beside 100 requests instead')
  .option('--cost', 'rows and dollars a month of three sites instead')
  .option('--startup', 'time that a Worker with 50 content types takes to start instead')
  .option('--strapi', 'beside a Strapi 5 with 10,000 documents instead; the first time it is installed from npm')
  .option('--release <name>', 'keeps the figures as those of a release, and draws them')
  .option('--hostile', 'CPU of the worst bodies instead, each against its limit')
  .action((flags: Flags) => run(flags))
  .parseAsync();
