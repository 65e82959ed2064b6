/**
 * @module Three clients create documents with a component in `npm run dev`, while one of its attributes is renamed in another
 * terminal: each document that was answered with success has its value under the new name.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../../cli/core/local-server.ts';
import { component, contentType } from '../../support/schema-files.ts';
import { type Clone, cleanClone, interrupt, type Running } from './clone.ts';

const MINUTES = 240_000;
const STRING = { type: 'string' };
const [OLD, NEW] = ['text', 'body'] as const;

let clone: Clone;
let server: Running;
let origin: string;
let token: string;
const edgewise = (...args: readonly string[]) => clone.run('npx', 'edgewise', ...args);

function saveModel(name: string): void {
  const line = { type: 'component', component: 'shared.line' };
  const memo = contentType('memo', { line, lines: { ...line, repeatable: true } }, { drafts: false });
  for (const { path, json } of [memo, component('shared.line', { [name]: STRING, other: STRING })])
    clone.save(path, JSON.stringify(json, null, 2));
}

async function send(path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${origin}/api/${path}`, { ...init, headers });
  return { status: response.status, text: await response.text() };
}

/** Creates documents until it is stopped, each with a text of its own. */
function startCreating(client: number) {
  const texts = new Map<string, string>();
  const failures: string[] = [];
  let name: string = OLD;
  let isStopped = false;
  const create = async () => {
    for (let count = 0; !isStopped; count += 1) {
      const text = `${client}-${count}`;
      const data = { line: { [name]: text, other: 'o' }, lines: [{ [name]: text }] };
      const { status, text: shown } = await send('memos', { method: 'POST', body: JSON.stringify({ data }) });
      if (status < 300) texts.set(JSON.parse(shown).data.documentId, text);
      // The other version serves.
      else if (status === 400 && shown.includes(name)) name = name === OLD ? NEW : OLD;
      else if (status !== 503) failures.push(`${status} ${shown}`);
    }
  };
  const creating = create();
  return {
    count(): number {
      if (failures.length > 0) throw new Error([...failures, server.output()].join('\n'));
      return texts.size;
    },
    async stop() {
      isStopped = true;
      await creating;
      return { texts, failures };
    },
  };
}

async function* allMemos() {
  for (let page = 1; ; page += 1) {
    const { text } = await send(`memos?populate=*&sort=id&pagination[pageSize]=100&pagination[page]=${page}`);
    const { data } = JSON.parse(text);
    yield* data;
    if (data.length < 100) return;
  }
}

beforeAll(async () => {
  clone = cleanClone();
  saveModel(OLD);
  expect((await edgewise('generate')).code).toBe(0);
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  server = clone.start('npm', 'run', 'dev', '--', '--port', String(port));
  await server.says('Ctrl-C stops the server', 120_000);
  const { output } = await edgewise('token', 'create', '--name', 'w', '--type', 'full-access');
  token = /[0-9a-f]{64}/.exec(output)?.[0] ?? output;
}, MINUTES);
afterAll(async () => {
  await interrupt(server);
  clone.remove();
});

it('keeps the value of each document that is created while an attribute of its component is renamed', {
  timeout: MINUTES,
}, async () => {
  const clients = [1, 2, 3].map(startCreating);
  const count = () => clients.reduce((sum, client) => sum + client.count(), 0);
  while (count() < 30) await pause(50);
  saveModel(NEW);
  expect((await edgewise('generate', '--rename', `shared.line.${OLD}=${NEW}`)).code).toBe(0);
  const isRenamed = async () => (await send('memos?populate=line')).text.includes(`"${NEW}":`);
  for (const limit = Date.now() + 60_000; Date.now() < limit && !(await isRenamed()); ) await pause(50);
  const before = count();
  while (count() < before + 30) await pause(50);
  const stopped = await Promise.all(clients.map(({ stop }) => stop()));
  expect(stopped.flatMap(({ failures }) => failures)).toEqual([]);
  const found = new Map<string, string>();
  for await (const { documentId, line, lines } of allMemos())
    found.set(documentId, JSON.stringify([line?.[NEW], lines?.[0]?.[NEW]]));
  const lost = stopped.flatMap(({ texts }) =>
    [...texts].filter(([id, text]) => found.get(id) !== JSON.stringify([text, text])),
  );
  expect(lost, server.output()).toEqual([]);
});
