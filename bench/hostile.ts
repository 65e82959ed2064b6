/**
 * @module `npm run bench -- --hostile`: what the worst bodies of a megabyte cost, in CPU of the runtime.
 */
import { join } from 'node:path';
import type { Registry } from '../src/schema/model.ts';
import { ENTRIES, HOSTILE_BODIES, type HostileBody } from './hostile-bodies.ts';
import { median } from './median.ts';
import { cpuTime } from './processes.ts';
import { progress } from './report.ts';
import { headersOf, TOKEN } from './rows.ts';
import { makeScratch } from './scratch.ts';
import { seedTables, withDatabase } from './seed.ts';
import { type Server, startServer } from './server.ts';

/** CPU milliseconds that a request may cost, whatever its body. */
const LIMIT = 200;
const ROUNDS = 5;
/** The content model with every kind of attribute. */
const MODEL = join(import.meta.dirname, '..', 'test', 'conformance', 'corpus');

interface HostileFigure {
  readonly name: string;
  readonly method: string;
  readonly status: number;
  readonly cpu: number;
}

async function startHostile(config: string, root: string, registry: Registry): Promise<Server> {
  const state = join(root, 'state', 'hostile');
  await seedTables(config, state, registry);
  await withDatabase(config, state, async (database) => {
    const tags = JSON.stringify(Array.from({ length: ENTRIES }, (_, index) => `tag${index}`));
    const insert =
      'insert into tags (document_id, locale, published_at, created_at, updated_at, name) select value, ?, 1, 1, 1, value from json_each(?)';
    await database.prepare(insert).bind('', tags).run();
  });
  const headers = headersOf({ method: 'GET', path: '/' });
  return startServer({ config, state, path: '/api/articles', headers });
}

async function send(server: Server, method: string, path: string, { text, contentType }: Omit<HostileBody, 'name'>) {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': contentType };
  const response = await fetch(server.url + path, { method, headers, body: text });
  return { status: response.status, text: await response.text() };
}

/** CPU of one request, the garbage that it leaves included. */
async function costOf(server: Server, method: string, path: string, body: HostileBody) {
  const before = cpuTime(server.pid ?? 0) ?? Number.NaN;
  const { status } = await send(server, method, path, body);
  return { status, cpu: (cpuTime(server.pid ?? 0) ?? Number.NaN) - before };
}

async function newArticle(server: Server): Promise<string> {
  const { text } = await send(server, 'POST', '/api/articles', {
    text: '{"data":{"title":"abc","facts":[{"label":"a"}]}}',
    contentType: 'application/json',
  });
  const { data } = JSON.parse(text) as { data: { documentId: string } };
  return `/api/articles/${data.documentId}`;
}

async function measure(server: Server, method: string, body: HostileBody): Promise<HostileFigure> {
  const path = method === 'PUT' ? await newArticle(server) : '/api/articles';
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await costOf(server, method, path, body));
  return { name: body.name, method, status: rounds[0]?.status ?? 0, cpu: median(rounds.map(({ cpu }) => cpu)) };
}

const lineOf = ({ name, method, status, cpu }: HostileFigure): string =>
  `${cpu.toFixed(0).padStart(6)} ms  ${cpu > LIMIT ? 'OVER' : '    '}  ${status}  ${method.padEnd(4)}  ${name}\n`;

/** @returns whether every request stayed within the limit, and none made the server fail. */
export async function benchHostile(): Promise<boolean> {
  const { root, registry, configs } = await makeScratch(MODEL);
  progress('seeding');
  const server = await startHostile(configs.product, root, registry);
  if (server.pid === undefined) throw new Error('the kernel does not tell the CPU time of the runtime');
  const figures: HostileFigure[] = [];
  for (const body of HOSTILE_BODIES)
    for (const method of ['POST', 'PUT']) {
      const figure = await measure(server, method, body);
      process.stdout.write(lineOf(figure));
      figures.push(figure);
    }
  const failed = figures.filter(({ cpu, status }) => cpu > LIMIT || status >= 500);
  process.stdout.write(
    `\n${failed.length} of ${figures.length} above ${LIMIT} ms of CPU, or a failure of the server\n`,
  );
  return failed.length === 0;
}
