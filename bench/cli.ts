/**
 * @module `npm run bench`: the product against a hand-written Worker, on the same runtime and the same data, by turns.
 */
import { cpSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { ceiling } from './ceiling.ts';
import { type Costs, costsOf, type States } from './costs.ts';
import { walked } from './cursor-walk.ts';
import { benchHostile } from './hostile.ts';
import { manyLinks } from './many-links.ts';
import { compare, type Effort, measureOne } from './measure.ts';
import { writePlot } from './plot.ts';
import { residentMegabytes } from './processes.ts';
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
import { type BenchRow, FLOOR, headersOf, ROWS } from './rows.ts';
import { assertSameAnswers } from './same-answers.ts';
import { makeScratch, type Scratch } from './scratch.ts';
import { seed } from './seed.ts';
import { killServers, quietWrangler, type Server, startServer, stopServers } from './server.ts';
import { startupTime } from './startup.ts';

interface Flags {
  readonly size: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly only: readonly string[];
  readonly quick?: true;
  readonly hostile?: true;
  readonly ceiling?: true;
  readonly links?: true;
  readonly startup?: true;
  readonly release?: string;
}

interface Servers {
  readonly product: Server;
  readonly handwritten: Server;
}

const FULL = { rounds: 7, seconds: 2, warmup: 3 };
const QUICK = { rounds: 3, seconds: 1, warmup: 1 };

/** Both servers, each with a database of its own. */
async function startBoth({ configs }: Scratch, states: States): Promise<Servers> {
  const [path, headers] = ['/api/articles', headersOf({ method: 'GET', path: '/' })];
  const { product, handwritten } = states;
  return {
    product: await startServer({ config: configs.product, state: product, path, headers }),
    handwritten: await startServer({ config: configs.handwritten, state: handwritten, path, headers }),
  };
}

async function measureRow(servers: Servers, row: BenchRow, size: number, effort: Effort, database: Costs) {
  const at = `${size.toLocaleString('en')} documents, ${row.title}`;
  await assertSameAnswers(row, size, servers.product, servers.handwritten);
  progress(at);
  const comparison = await compare(servers, row, size, effort, (round) =>
    progress(`${at}: ${round === 0 ? 'warm-up' : `round ${round} of ${effort.rounds}`}`, { minor: true }),
  );
  return { size, row: row.name, title: row.title, database, ...comparison };
}

/** Of both runtimes, in megabytes. */
const memoryOf = ({ product, handwritten }: Servers) => ({
  product: product.pid && residentMegabytes(product.pid),
  handwritten: handwritten.pid && residentMegabytes(handwritten.pid),
});

/** Four copies of a seeded database: one for each server, and one for each to be asked what requests cost. */
async function seededStates({ root, configs, registry }: Scratch, size: number) {
  const at = `${size.toLocaleString('en')} documents: seeding`;
  const state = (name: string) => join(root, 'state', `${size}-${name}`);
  const seeded = state('seeded');
  progress(at);
  await seed(configs.product, seeded, registry, size, (step) => progress(`${at} ${step}`, { minor: true }));
  const copy = (name: string): string => {
    cpSync(seeded, state(name), { recursive: true });
    return state(name);
  };
  return {
    served: { product: copy('product'), handwritten: copy('handwritten') },
    asked: { product: copy('product-costs'), handwritten: seeded },
  };
}

/** What one row could not be measured for does not take the others' figures away. */
function failed(error: unknown): void {
  progress(`failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function measureSize(scratch: Scratch, chosen: readonly BenchRow[], size: number, effort: Effort) {
  const { served, asked } = await seededStates(scratch, size);
  const { configs, registry } = scratch;
  const rows = await walked(chosen, size, { config: configs.product, state: asked.product, registry });
  progress('counting rows read and written');
  const costs = await costsOf(scratch, asked, rows, size);
  progress('starting both servers');
  const servers = await startBoth(scratch, served);
  const figures: Figure[] = [];
  const before = memoryOf(servers);
  for (const [index, row] of rows.entries())
    await measureRow(servers, row, size, effort, costs[index] as Costs).then((figure) => figures.push(figure), failed);
  const memory: Memory = { size, before, after: memoryOf(servers) };
  progress('the platform alone');
  const floor: Floor = { size, ...(await measureOne(servers.handwritten, FLOOR, size, { ...effort, rounds: 3 })) };
  await stopServers();
  rmSync(join(scratch.root, 'state'), { recursive: true, force: true });
  return { figures, floor, memory, direct: servers.product.direct && servers.handwritten.direct };
}

async function bench({ size: sizes, only, connections, quick, rounds, seconds, release }: Flags): Promise<void> {
  const [load = 0] = loadavg();
  const effort = quick ? { connections, ...QUICK } : { connections, ...FULL, rounds, seconds };
  const rows = ROWS.filter(({ name }) => only.length === 0 || only.includes(name));
  const scratch = makeScratch();
  const figures: Figure[] = [];
  const floors: Floor[] = [];
  const memories: Memory[] = [];
  let direct = true;
  for (const size of quick ? sizes.slice(0, 1) : sizes) {
    const measured = await measureSize(scratch, rows, size, effort);
    figures.push(...measured.figures);
    floors.push(measured.floor);
    memories.push(measured.memory);
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
  if (ROWS.some(({ name }) => name === value)) return [...previous, value];
  throw new InvalidArgumentError(`Expected one of ${ROWS.map(({ name }) => name).join(', ')}.`);
}

/** Servers are stopped however this ends. */
async function run(flags: Flags): Promise<void> {
  quietWrangler();
  process.on('exit', killServers);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => {
      process.stderr.write('\nstopping the servers\n');
      void stopServers().finally(() => process.exit(130));
    });
  try {
    if (flags.ceiling) await ceiling();
    else if (flags.links) await manyLinks();
    else if (flags.startup) await startupTime();
    else if (!flags.hostile) await bench(flags);
    else if (!(await benchHostile())) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await stopServers();
  }
}

let sizesGiven = false;
function sizes(value: string, previous: readonly number[]): readonly number[] {
  const list = sizesGiven ? previous : [];
  sizesGiven = true;
  return [...list, count(value)];
}

await new Command('npm run bench --')
  .description('The product against a hand-written Worker: requests per second, latency, CPU and rows read.')
  .option('--size <documents...>', 'articles in the database', sizes, [1_000, 10_000, 100_000])
  .option('--rounds <number>', 'rounds that count, of each server', count, FULL.rounds)
  .option('--seconds <number>', 'of each round', count, FULL.seconds)
  .option('--connections <number>', 'at the same time', count, 8)
  .option('--only <row...>', `some rows: ${ROWS.map(({ name }) => name).join(', ')}`, rowName, [])
  .option('--quick', 'one size, few short rounds')
  .option('--ceiling', 'CPU and memory of the most expensive reads instead')
  .option('--links', 'rows read and written where one of many links changes instead')
  .option('--startup', 'time that a Worker with 50 content types takes to start instead')
  .option('--release <name>', 'keeps the figures as those of a release, and draws them')
  .option('--hostile', 'CPU of the worst bodies instead, each against its limit')
  .action((flags: Flags) => run(flags))
  .parseAsync();
