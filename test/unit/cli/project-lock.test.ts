import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { generate } from '../../../cli/project/generate.ts';
import { untilSettled, withProjectLock } from '../../../cli/project/project-lock.ts';
import { contentType } from './content-model.ts';
import { scratchProject } from './scratch-project.ts';

const CHILD = join(import.meta.dirname, 'child-lock.ts');
const project = scratchProject();
const { root } = project;
afterAll(() => project.remove('.'));

describe('the lock of a project', () => {
  it('names the command that has it, and is free as soon as that is killed', async () => {
    const child = spawn(process.execPath, ['--no-warnings', CHILD, root, 'npm run import'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await expect(withProjectLock(root, 'npm run generate', () => expect.unreachable(), 200)).rejects.toThrow(
      `npm run import (process ${child.pid}) is changing this project; repeat the command when it has ended`,
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await withProjectLock(root, 'npm run generate', () => 'mine', 0)).toBe('mine');
  });

  it('is given back after a failure, and leaves no name behind', async () => {
    const failing = () => Promise.reject(new Error('failed'));
    await expect(withProjectLock(root, 'npm run generate', failing)).rejects.toThrow('failed');
    await untilSettled(root, 'npm run token');
    expect(readdirSync(join(root, '.wrangler/edgewise'))).toEqual(['lock']);
  });

  it('lets one generate after the other make one migration of one change', async () => {
    project.schemas(contentType('article', { title: { type: 'string' } }));
    const both = await Promise.all([1, 2].map(() => withProjectLock(root, 'npm run generate', () => generate(root))));
    expect(project.migrations()).toEqual(['0001_initial.sql']);
    expect(both.map((written) => written.length > 0).toSorted()).toEqual([false, true]);
  });
});
