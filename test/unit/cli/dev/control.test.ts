import { afterAll, afterEach, expect, it } from 'vitest';
import type { LocalServer } from '../../../../cli/core/local-server.ts';
import { openControl, servedDatabase } from '../../../../cli/core/storage/control.ts';
import { UserError } from '../../../../cli/core/terminal.ts';
import { scratchProject } from '../scratch-project.ts';

const project = scratchProject();
const NOTHING = async () => {};
let control: LocalServer;
afterEach(() => control.close());
afterAll(() => project.remove('.'));

it('a command beside npm run dev is told that the disk is full, and what else the database refuses', async () => {
  const failures = [
    new Error('p cannot be used', { cause: { message: 'SQLITE_FULL', path: '/p' } }),
    new Error('D1_ERROR: no'),
  ];
  control = await openControl(async () => {
    throw failures.shift();
  }, NOTHING);
  const holder = { pid: process.ppid, url: 'http://127.0.0.1:1', control: control.url };
  project.write('.wrangler/state/edgewise/serving.json', JSON.stringify(holder));
  const ask = async () => servedDatabase(project.root, {})?.prepare('select 1').all();
  await expect(ask()).rejects.toEqual(new UserError('/p cannot be used: there is no space left on the disk'));
  await expect(ask()).rejects.toEqual(new Error('D1_ERROR: no'));
  await control.close();
  await expect(ask()).rejects.toEqual(new UserError('npm run dev has just stopped; repeat the command'));
});

it('a server rejects a body that is no JSON, and goes on', async () => {
  control = await openControl(async () => [], NOTHING);
  const send = (body: string) => fetch(control.url, { method: 'POST', body });
  expect((await send('{')).status).toBe(400);
  expect((await send('[]')).status).toBe(200);
});

it('a build waits until what it bundles is prepared, and a URL without the secret reaches nothing', async () => {
  const done: string[] = [];
  control = await openControl(
    async () => [],
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      done.push('prepared');
    },
  );
  expect((await fetch(`${control.url}/build`)).status).toBe(404);
  expect((await fetch(new URL('/build', control.url), { method: 'POST' })).status).toBe(404);
  expect(done).toEqual([]);
  expect((await fetch(`${control.url}/build`, { method: 'POST' })).status).toBe(200);
  expect(done).toEqual(['prepared']);
});
