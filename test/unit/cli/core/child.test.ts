import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';

const MODULE = join(import.meta.dirname, '../../../../cli/core/child.ts');

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it('a child ends with a process that is killed', async () => {
  const script = `
    const { spawn } = await import('node:child_process');
    const { endChildrenWithProcess } = await import(${JSON.stringify(MODULE)});
    endChildrenWithProcess();
    spawn('sleep', ['600']).on('spawn', function () { console.log(this.pid); });
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk] = (await once(parent.stdout, 'data')) as [Buffer];
  const child = Number(String(chunk));
  expect(runs(child)).toBe(true);
  await pause(50);
  parent.kill('SIGKILL');
  while (runs(child)) await pause(50);
  expect(runs(child)).toBe(false);
});
