import { afterEach, expect, it } from 'vitest';
import { askServer, type Control, openControl } from '../../../../src/cli/core/storage/control.ts';
import { UserError } from '../../../../src/cli/core/terminal.ts';
import { scratchProject } from '../scratch-project.ts';

const project = scratchProject();
let control: Control;
afterEach(() => {
  control.close();
  project.remove('.');
});

it('a command beside npm run dev is told that the disk is full, and what else the database refuses', async () => {
  const failures = [
    new Error('p cannot be used', { cause: { message: 'SQLITE_FULL', path: '/p' } }),
    new Error('D1_ERROR: no'),
  ];
  control = await openControl(async () => {
    throw failures.shift();
  });
  const holder = { pid: process.ppid, url: 'http://127.0.0.1:1', control: control.url };
  project.write('.wrangler/state/edgewise/serving.json', JSON.stringify(holder));
  const ask = () => askServer(project.root, {}, []);
  await expect(ask()).rejects.toEqual(new UserError('/p cannot be used: there is no space left on the disk'));
  expect(await ask()).toEqual({ kind: 'refused', message: 'D1_ERROR: no' });
});
