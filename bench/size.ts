/**
 * @module One size of content: seeded, asked what each row costs in D1, and measured under load.
 */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { costsOf } from './costs.ts';
import { walked } from './cursor-walk.ts';
import type { Round } from './load.ts';
import { comparisonOf, type Effort, loadBoth, loadOne, type Pair, sideOf } from './measure.ts';
import { residentMegabytes } from './processes.ts';
import { type Figure, type Floor, type Memory, progress } from './report.ts';
import { type BenchRow, FLOOR, headersOf } from './rows.ts';
import { assertSameAnswers } from './same-answers.ts';
import type { Scratch } from './scratch.ts';
import { seed } from './seed.ts';
import { type Server, startServer, stopServers } from './server.ts';

type Servers = Pair<Server>;

interface Place {
  readonly scratch: Scratch;
  readonly size: number;
  /** Of all databases of this size. */
  readonly folder: string;
}

const SEEDED = 'seeded';

/** A copy of the seeded database, in place of one that was there. */
function copyOf({ folder }: Place, name: string): string {
  const copy = join(folder, name);
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(folder, SEEDED), copy, { recursive: true });
  return copy;
}

/** Both servers, each with a database of its own. */
async function startBoth(place: Place): Promise<Servers> {
  const [path, headers] = ['/api/articles', headersOf({ method: 'GET', path: '/' })];
  const start = (name: keyof Servers) =>
    startServer({ config: place.scratch.configs[name], state: copyOf(place, name), path, headers });
  return { product: await start('product'), handwritten: await start('handwritten') };
}

/** Of both runtimes, in megabytes. */
const memoryOf = ({ product, handwritten }: Servers) => ({
  product: product.pid && residentMegabytes(product.pid),
  handwritten: handwritten.pid && residentMegabytes(handwritten.pid),
});

/** What one row could not be measured for does not take the others' figures away. */
function failed(error: unknown): void {
  progress(`failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

interface Life {
  /** Of each row; none where it failed. */
  readonly rounds: readonly (readonly Pair<Round>[])[];
  readonly floor: readonly Round[];
  readonly memory: Memory;
  readonly direct: boolean;
}

/** @param life from 0. */
async function live(place: Place, rows: readonly BenchRow[], effort: Effort, life: number): Promise<Life> {
  const { size } = place;
  const at = `${size.toLocaleString('en')} documents, life ${life + 1} of ${effort.lives}`;
  progress(`${at}: starting both servers`);
  const servers = await startBoth(place);
  const before = memoryOf(servers);
  const rounds = rows.map((): readonly Pair<Round>[] => []);
  for (const [index, row] of rows.entries()) {
    const report = (round: number) =>
      progress(`${at}: ${row.title}, ${round === 0 ? 'warm-up' : `round ${round} of ${effort.rounds}`}`, {
        minor: round > 0,
      });
    try {
      await assertSameAnswers(row, size, servers.product, servers.handwritten);
      rounds[index] = await loadBoth(servers, row, size, effort, life, report);
    } catch (error) {
      failed(error);
    }
  }
  const memory = { size, before, after: memoryOf(servers) };
  progress(`${at}: the platform alone`);
  const floor = await loadOne(servers.handwritten, FLOOR, size, effort);
  await stopServers();
  return { rounds, floor, memory, direct: servers.product.direct && servers.handwritten.direct };
}

interface Measured {
  readonly figures: readonly Figure[];
  readonly floor: Floor;
  /** Of the last life. */
  readonly memory: Memory | undefined;
  /** Were the runtimes asked directly, or through Wrangler's proxy? */
  readonly direct: boolean;
}

/** Seeds a database, and asks what rows cost there; those that walk by cursors have all their pages then. */
async function prepare(place: Place, chosen: readonly BenchRow[]) {
  const { scratch, size, folder } = place;
  const { configs, registry } = scratch;
  const at = `${size.toLocaleString('en')} documents: seeding`;
  progress(at);
  await seed(configs.product, join(folder, SEEDED), registry, size, (step) =>
    progress(`${at} ${step}`, { minor: true }),
  );
  progress('counting rows read and written');
  const states = { product: copyOf(place, 'product-costs'), handwritten: copyOf(place, 'handwritten-costs') };
  const rows = await walked(chosen, size, { config: configs.product, state: states.product, registry });
  return { rows, costs: await costsOf(scratch, states, rows, size) };
}

/** Measures rows with a database of `size` documents. A row that fails is told, and has no figure. */
export async function measureSize(
  scratch: Scratch,
  chosen: readonly BenchRow[],
  size: number,
  effort: Effort,
): Promise<Measured> {
  const place = { scratch, size, folder: join(scratch.root, 'state', String(size)) };
  const { rows, costs } = await prepare(place, chosen);
  const lives: Life[] = [];
  for (let life = 0; life < effort.lives; life += 1) lives.push(await live(place, rows, effort, life));
  rmSync(place.folder, { recursive: true, force: true });
  const figures = rows.flatMap(({ name, title }, index): readonly Figure[] => {
    const [database, rounds] = [costs[index], lives.flatMap((life) => life.rounds[index] ?? [])];
    return database && rounds.length > 0 ? [{ size, row: name, title, database, ...comparisonOf(rounds) }] : [];
  });
  const floor = { size, ...sideOf(lives.flatMap((life) => life.floor)) };
  return { figures, floor, memory: lives.at(-1)?.memory, direct: lives.every(({ direct }) => direct) };
}
