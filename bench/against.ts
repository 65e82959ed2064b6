/**
 * @module `npm run bench -- --against REV`: this tree and another commit, under the same load at the same moment.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Registry } from '../src/schema/model.ts';
import type { SettingsInput } from '../src/schema/settings/config.ts';
import { pagesAfter } from './cursor-walk.ts';
import { type Round, runRound } from './load.ts';
import type { Effort } from './measure.ts';
import { pinToCore } from './processes.ts';
import { type Comparison, compareRounds, type Trees, verdictOf } from './ratios.ts';
import { alignedTable, endProgress, fixed, pair, progress, writeFigures } from './report.ts';
import { type BenchRequest, type BenchRow, headersOf } from './rows.ts';
import { assertSameAnswers } from './same-answers.ts';
import { makeScratch } from './scratch.ts';
import { contentSteps, fill } from './seed.ts';
import { type Server, startServer, stopServers } from './server.ts';
import { makeTree, resolveCommit } from './trees.ts';

type Tree = keyof Trees<unknown>;

/** Does the same for both trees at the same moment, and begins with each by turns. */
async function forBoth<T>(turn: number, work: (tree: Tree) => Promise<T>): Promise<Trees<T>> {
  const order: readonly Tree[] = turn % 2 === 0 ? ['now', 'against'] : ['against', 'now'];
  const running = new Map(order.map((tree) => [tree, work(tree)]));
  await Promise.allSettled(running.values());
  return { now: (await running.get('now')) as T, against: (await running.get('against')) as T };
}

interface Place {
  readonly configs: Trees<string>;
  /** Of the databases. */
  readonly folder: string;
  readonly size: number;
}

interface Measured extends Comparison {
  readonly size: number;
  readonly row: string;
  readonly title: string;
  /** Did the two trees respond with different bytes? */
  readonly differs: boolean;
}

const seededState = (folder: string, tree: Tree): string => join(folder, 'seeded', tree);

/** Seeds a database for each tree, with the tables of its own migrations. */
async function seedBoth({ configs, folder, size }: Place, registry: Registry): Promise<void> {
  for (const tree of ['now', 'against'] as const) {
    const state = seededState(folder, tree);
    cpSync(join(dirname(configs[tree]), '.wrangler', 'state'), state, { recursive: true });
    await fill(configs[tree], state, contentSteps(registry, size), () => undefined);
  }
}

/** Starts both servers, each with a copy of its seeded database, on one core. */
function startBoth({ configs, folder }: Place, life: number): Promise<Trees<Server>> {
  return forBoth(life, async (tree) => {
    const state = join(folder, tree);
    rmSync(state, { recursive: true, force: true });
    cpSync(seededState(folder, tree), state, { recursive: true });
    const headers = headersOf({ method: 'GET', path: '/' });
    const server = await startServer({ config: configs[tree], state, path: '/api/articles', headers });
    if (server.pid !== undefined) pinToCore(server.pid, life % cpus().length);
    return server;
  });
}

/** Returns the requests of a row to one server: cursors are its own. */
async function requestsTo({ url }: Server, row: BenchRow, size: number): Promise<readonly BenchRequest[]> {
  const requests = row.requests(size);
  const [first] = requests;
  const send = (request: BenchRequest) => fetch(url + request.path, { headers: headersOf(request) });
  return row.walks && first ? pagesAfter(first, send) : requests;
}

async function isDifferent(row: BenchRow, size: number, { now, against }: Trees<Server>): Promise<boolean> {
  try {
    await assertSameAnswers(row, size, now, against, 'other commit');
    return false;
  } catch (error) {
    progress((error as Error).message);
    return true;
  }
}

/** Loads both servers with one row: a warm-up, then the rounds that count. */
async function loadBoth(servers: Trees<Server>, row: BenchRow, size: number, effort: Effort, life: number) {
  const requests = await forBoth(life, (tree) => requestsTo(servers[tree], row, size));
  const load = (turn: number, seconds: number) =>
    forBoth(turn, (tree) => runRound(servers[tree], requests[tree], { ...effort, seconds }));
  await load(life, effort.warmup);
  const rounds: Trees<Round>[] = [];
  for (let round = 1; round <= effort.rounds; round += 1) rounds.push(await load(life + round, effort.seconds));
  return rounds;
}

async function measure(place: Place, rows: readonly BenchRow[], effort: Effort): Promise<readonly Measured[]> {
  const { size } = place;
  const all = rows.map((row) => ({ row, rounds: [] as Trees<Round>[], differs: false }));
  for (let life = 0; life < effort.lives; life += 1) {
    const at = `${size.toLocaleString('en')} documents, life ${life + 1} of ${effort.lives}`;
    progress(`${at}: starting both servers`);
    const servers = await startBoth(place, life);
    for (const measured of all) {
      const { row, rounds } = measured;
      progress(`${at}: ${row.title}`);
      try {
        measured.differs ||= await isDifferent(row, size, servers);
        rounds.push(...(await loadBoth(servers, row, size, effort, life)));
      } catch (error) {
        progress(`failed: ${(error as Error).message}`);
        process.exitCode = 1;
      }
    }
    await stopServers();
  }
  return all.flatMap(({ row: { name, title }, rounds, differs }) =>
    rounds.length > 0 ? [{ size, row: name, title, differs, ...compareRounds(rounds) }] : [],
  );
}

const HEAD = ['documents', 'row', 'requests/s', 'ratio', 'spread', 'CPU ms', 'ratio', 'spread', 'verdict'];

function cellsOf(measured: Measured): readonly string[] {
  const { size, title, perSecond, speed, cpu, efficiency, differs } = measured;
  return [
    size.toLocaleString('en'),
    differs ? `${title} *` : title,
    pair(perSecond.now, perSecond.against, 0),
    fixed(speed.ratio, 2),
    fixed(speed.spread, 2),
    pair(cpu?.now, cpu?.against, 2),
    fixed(efficiency?.ratio, 2),
    fixed(efficiency?.spread, 2),
    verdictOf(measured),
  ];
}

function tableOf(figures: readonly Measured[], revision: string, effort: Effort): string {
  const { lives, rounds, seconds, connections } = effort;
  const notes = [
    `this tree / ${revision}, under load at the same moment; ratios: 1 is as good as ${revision}, less is worse.`,
    `${lives} lives of both servers with ${rounds} rounds of ${seconds} s, ${connections} connections to each; medians of the rounds. Spread: the ratios'`,
    'third quartile less their first. Behind, ahead: the ratio of CPU (of requests/s where CPU is unknown) differs from 1 by more than its spread.',
    ...(figures.some(({ differs }) => differs) ? ['* The two respond with different bytes.'] : []),
  ];
  return `${alignedTable([HEAD, ...figures.map(cellsOf)])}\n\n${notes.join('\n')}\n`;
}

/** Makes the projects of both, in folders of their own. */
async function makeTrees(root: string, given: SettingsInput, revision: string, commit: string) {
  progress('building this tree');
  const now = await makeTree(join(root, 'now'), given);
  progress(`building ${revision}`);
  return { now, against: await makeTree(join(root, 'against'), given, commit) };
}

/**
 * Compares this tree with a commit, and prints the table.
 * @param settings of both, beside those of the content types.
 * @returns whether no row is behind.
 * @throws Error for a revision that git does not know, or that cannot be built.
 */
export async function compareWith(
  revision: string,
  rows: readonly BenchRow[],
  sizes: readonly number[],
  effort: Effort,
  settings: SettingsInput,
) {
  const commit = resolveCommit(revision);
  const root = mkdtempSync(join(tmpdir(), 'edgewise-bench-'));
  process.once('exit', () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  const configs = await makeTrees(root, settings, revision, commit);
  const { registry } = await makeScratch();
  const figures: Measured[] = [];
  for (const size of sizes) {
    const folder = join(root, 'state', String(size));
    progress(`${size.toLocaleString('en')} documents: seeding`);
    await seedBoth({ configs, folder, size }, registry);
    figures.push(...(await measure({ configs, folder, size }, rows, effort)));
    rmSync(folder, { recursive: true, force: true });
  }
  endProgress();
  process.stdout.write(tableOf(figures, revision, effort));
  progress(`every round: ${writeFigures({ commit, effort, figures }, new Date())}\n`);
  return figures.every((measured) => verdictOf(measured) !== 'behind');
}
