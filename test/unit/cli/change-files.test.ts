import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Change, changeFiles, isUnfinished, settleFiles } from '../../../cli/project/change-files.ts';
import { checkGenerated, generate, planGenerate, readBasis } from '../../../cli/project/generate.ts';
import { contentType } from './content-model.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';
import { contentsOf, endingAfter, Stopped, stoppingAfter } from './stopping-disk.ts';

let project: ScratchProject;
let template: string;
let changes: readonly Change[];
let before: Readonly<Record<string, string>>;
let after: Readonly<Record<string, string>>;

function reset(): void {
  rmSync(project.root, { recursive: true });
  cpSync(template, project.root, { recursive: true });
}

let stepsToCommit = 0;

/** Stops right behind the commit. */
function commitOnly(): void {
  for (; ; stepsToCommit += 1) {
    reset();
    expect(() => changeFiles(project.root, changes, stoppingAfter(stepsToCommit))).toThrow(Stopped);
    if (isUnfinished(project.root)) return;
  }
}

beforeAll(async () => {
  project = scratchProject();
  template = `${project.root}-template`;
  project.schemas(contentType('article', { title: { type: 'string' } }));
  project.write('demo/old/a.json', '{}');
  project.write('whole/some/a.json', '{}');
  mkdirSync(join(project.root, 'whole/empty'));
  project.write('state/v3/db', 'rows');
  project.write('edgewise.config.ts', 'export default {};\n');
  await generate(project.root);
  project.schemas(contentType('article', { title: { type: 'string' }, body: { type: 'text' } }));
  cpSync(project.root, template, { recursive: true });
  before = contentsOf(project.root);
  const { outputs } = await planGenerate(project.root, await readBasis(project.root));
  changes = [
    { path: 'state', to: 'state.old-1' },
    ...outputs,
    ...['demo/old/a.json', 'whole'].map((path) => ({ path, text: null })),
    { path: 'new/folder/b.json', text: '{}' },
  ];
  changeFiles(project.root, changes);
  after = contentsOf(project.root);
});
afterAll(() => {
  project.remove('.');
  rmSync(template, { recursive: true });
});

describe('a change of several files', () => {
  it('makes, removes and moves files and folders, and leaves neither a journal nor an empty folder', () => {
    const names = Object.keys(after).filter((path) => !(path in before));
    const moved = ['', '/v3', '/v3/db'];
    expect(names).toEqual([
      ...['drizzle/0002_alter_articles.sql', 'drizzle/meta/0002_snapshot.json', 'drizzle/meta/_0002_layout.json'],
      ...['new', 'new/folder', 'new/folder/b.json'],
      ...moved.map((path) => `state.old-1${path}`),
    ]);
    expect(Object.keys(before).filter((path) => !(path in after))).toEqual([
      ...['demo', 'demo/old', 'demo/old/a.json'],
      ...moved.map((path) => `state${path}`),
      ...['whole', 'whole/empty', 'whole/some', 'whole/some/a.json'],
    ]);
    expect(changeFiles(project.root, changes)).toEqual([]);
  });

  it('that is stopped after any step is all there or not at all after the next command', async () => {
    const seen = { before: 0, after: 0 };
    for (let steps = 0; ; steps += 1) {
      reset();
      let isWhole = true;
      try {
        changeFiles(project.root, changes, stoppingAfter(steps));
      } catch (error) {
        expect(error).toBeInstanceOf(Stopped);
        isWhole = false;
      }
      settleFiles(project.root);
      const now = contentsOf(project.root);
      const isAfter = now['drizzle/0002_alter_articles.sql'] !== undefined;
      expect(now, `after ${steps} steps`).toEqual(isAfter ? after : before);
      seen[isAfter ? 'after' : 'before'] += 1;
      if (isWhole) break;
    }
    expect(seen.before).toBeGreaterThan(10);
    expect(seen.after).toBeGreaterThan(8);
  });

  it('that is stopped while it is completed is completed by the next command', () => {
    for (let steps = 0; ; steps += 1) {
      commitOnly();
      let isWhole = true;
      try {
        settleFiles(project.root, stoppingAfter(steps));
      } catch {
        isWhole = false;
      }
      settleFiles(project.root);
      expect(contentsOf(project.root)).toEqual(after);
      if (isWhole) break;
    }
  });

  it('that the disk has no room for leaves everything as it was', () => {
    const full = (steps: number) =>
      endingAfter(steps, (kind) => {
        if (kind === 'write') throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      });
    for (let steps = 0; steps < 12; steps += 1) {
      reset();
      expect(() => changeFiles(project.root, changes, full(steps))).toThrow('no space left');
      expect(contentsOf(project.root)).toEqual(before);
    }
  });

  it('is not completed over files that were changed since, or outside of the project', () => {
    const [, first] = changes;
    commitOnly();
    project.write('drizzle/meta/_journal.json', '{}');
    expect(() => settleFiles(project.root)).toThrow(
      /interrupted while it changed files, and drizzle\/meta\/_journal\.json was changed since.*remove \.edgewise\/changes\.committed/,
    );
    reset();
    const outside = join(project.root, '../edgewise-outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'kept'), 'kept');
    const note = { path: '../edgewise-outside/kept', before: null, after: null };
    project.write('.edgewise/changes.committed', JSON.stringify([{ ...note, path: first?.path, after: null }, note]));
    settleFiles(project.root);
    expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('kept');
    rmSync(outside, { recursive: true });
  });
});

describe('generate', () => {
  it('after one that was stopped makes the same as one that was not', async () => {
    for (const steps of [1, 5, 9, 15, 18]) {
      reset();
      const { outputs } = await planGenerate(project.root, await readBasis(project.root));
      try {
        changeFiles(project.root, outputs, stoppingAfter(steps));
      } catch {}
      settleFiles(project.root);
      await generate(project.root);
      expect(project.migrations()).toEqual(['0001_initial.sql', '0002_alter_articles.sql']);
      await checkGenerated(project.root);
    }
  });

  it('--check says that one was interrupted', async () => {
    reset();
    project.write('.edgewise/changes.committed', '[]');
    await expect(checkGenerated(project.root)).rejects.toThrow(/interrupted.*npm run generate/);
  });
});
