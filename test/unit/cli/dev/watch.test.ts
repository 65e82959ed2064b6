import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Watching, watchSources } from '../../../../src/cli/dev/watch.ts';
import { type ScratchProject, scratchProject } from '../scratch-project.ts';

const FILE = 'content-types/article/schema.json';

let project: ScratchProject;
let watching: Watching;
let changes = 0;
beforeEach(async () => {
  project = scratchProject();
  project.write(FILE, '{}');
  project.write('edgewise.config.ts', '');
  changes = 0;
  watching = await watchSources(project.root, async () => {
    changes += 1;
  });
  return async () => {
    await watching.close();
    project.remove('.');
  };
});

/** Waits until a change was noticed, and then until nothing more comes. */
async function noticed(): Promise<number> {
  for (const limit = Date.now() + 10_000; changes === 0 && Date.now() < limit; )
    await new Promise((resolve) => setTimeout(resolve, 50));
  await new Promise((resolve) => setTimeout(resolve, 400));
  const seen = changes;
  changes = 0;
  return seen;
}

describe('watching', () => {
  it('notices a file that is saved in place, and one that is put in the place of another, again and again', async () => {
    for (const path of [FILE, 'edgewise.config.ts']) {
      project.write(path, '{ }');
      expect(await noticed()).toBe(1);
      for (const text of ['one', 'two']) {
        writeFileSync(join(project.root, `${path}.swp`), text);
        renameSync(join(project.root, `${path}.swp`), join(project.root, path));
        expect(await noticed()).toBeGreaterThan(0);
      }
    }
  });

  it('notices folders that go and come, as with git checkout, and files in them later', async () => {
    project.remove('content-types');
    expect(await noticed()).toBeGreaterThan(0);
    project.write(FILE, '{}');
    project.write('content-types/page/schema.json', '{}');
    expect(await noticed()).toBeGreaterThan(0);
    project.write('content-types/page/schema.json', '{ }');
    expect(await noticed()).toBe(1);
  });

  it('notices a file that the settings import, once it is named', async () => {
    project.write('own/roles.ts', '');
    watching.include([join(project.root, 'own/roles.ts')]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    changes = 0;
    project.write('own/roles.ts', 'export const roles = {};');
    expect(await noticed()).toBeGreaterThan(0);
  });

  it('notices migrations of a folder that was not there', async () => {
    project.write('drizzle/0001_initial.sql', '');
    expect(await noticed()).toBeGreaterThan(0);
  });
});
