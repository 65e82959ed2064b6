import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkGenerated, generate, planGenerate, readBasis } from '../../../cli/project/generate.ts';
import { writeFiles } from '../../../cli/project/write-files.ts';
import { contentType } from '../../support/schema-files.ts';
import { STORAGE_TOML } from './memory-storage.ts';
import { runCommand } from './run-command.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  return () => project.remove('.');
});

const TITLE = { title: { type: 'string' } };

const plan = async (name?: string) =>
  (await planGenerate(project.root, await readBasis(project.root), name === undefined ? {} : { name })).outputs;

const everything = () => readdirSync(project.root, { recursive: true, encoding: 'utf8' }).toSorted();

describe('writeFiles', () => {
  it('makes and removes files and folders, leaves no empty folder, and has nothing to do the second time', () => {
    project.write('demo/old/a.json', '{}');
    project.write('whole/some/a.json', '{}');
    mkdirSync(join(project.root, 'whole/empty'));
    project.write('same.json', '{}');
    const changes = [
      ...['demo/old/a.json', 'whole'].map((path) => ({ path, text: null })),
      ...['new/folder/b.json', 'same.json'].map((path) => ({ path, text: '{}' })),
    ];
    expect(writeFiles(project.root, changes)).toEqual(['demo/old/a.json', 'whole', 'new/folder/b.json']);
    const after = everything();
    expect(after).toEqual(['new', 'new/folder', 'new/folder/b.json', 'same.json']);
    expect(writeFiles(project.root, changes)).toEqual([]);
    expect(everything()).toEqual(after);
  });
});

describe('two generate at once', () => {
  beforeEach(async () => {
    project.schemas(contentType('article', TITLE));
    await generate(project.root);
    project.schemas(contentType('article', { ...TITLE, body: { type: 'text' } }));
  });

  it('make one migration of one number, and the loser stops with one sentence', async () => {
    const both = await Promise.allSettled(['one', 'two'].map((name) => generate(project.root, { name })));
    const failures = both.flatMap((each) => (each.status === 'rejected' ? [String(each.reason.message)] : []));
    expect(failures).toEqual([
      'drizzle/meta/0002_snapshot.json was made meanwhile: another npx edgewise generate is running, or one was interrupted; run it again',
    ]);
    expect(project.migrations()).toHaveLength(2);
    await checkGenerated(project.root);
    expect(await generate(project.root)).toEqual([]);
  });

  it('make the same migration if they are the same, and neither fails', async () => {
    await Promise.all([generate(project.root), generate(project.root)]);
    expect(project.migrations()).toEqual(['0001_initial.sql', '0002_alter_articles.sql']);
    await checkGenerated(project.root);
  });

  it('claim every number of their migrations, not only that of the snapshot', async () => {
    const outputs = await plan();
    project.write('drizzle/meta/0003_snapshot.json', '{}');
    const before = everything();
    expect(() => writeFiles(project.root, outputs)).toThrow(/^drizzle\/meta\/0003_snapshot\.json was made meanwhile/);
    expect(everything()).toEqual(before);
  });
});

describe('a generate that was interrupted', () => {
  it.each([1, 2, 4, 7])('is completed by the next one, after %s of its files', async (count) => {
    project.schemas(contentType('article', TITLE));
    const outputs = await plan();
    expect(outputs.length).toBeGreaterThan(7);
    writeFiles(project.root, outputs.slice(0, count));
    expect(project.migrations()).toEqual([]);
    await generate(project.root);
    expect(project.migrations()).toEqual(['0001_initial.sql']);
    await checkGenerated(project.root);
  });

  it.each([1, 2, -1])(
    'leaves nothing beside the migration of other content types, with its first files: %s',
    async (count) => {
      project.write('wrangler.toml', STORAGE_TOML);
      project.schemas(contentType('article', TITLE));
      writeFiles(project.root, (await plan('first')).slice(0, count));
      project.schemas(contentType('article', { ...TITLE, body: { type: 'text' } }));
      expect((await runCommand(project.root, 'generate --name second')).said).toContain(
        'removed a migration that was not completed: drizzle/',
      );
      expect(project.migrations()).toEqual(['0001_second.sql']);
      await checkGenerated(project.root);
    },
  );

  it.each(['--rename article.title=name', '--rename-type article=essay'])(
    'has nothing to do the second time: %s',
    async (option) => {
      project.write('wrangler.toml', STORAGE_TOML);
      project.schemas(contentType('article', TITLE));
      await generate(project.root);
      project.remove('content-types');
      const isType = option.startsWith('--rename-type');
      project.schemas(isType ? contentType('essay', TITLE) : contentType('article', { name: TITLE.title }));
      expect(await runCommand(project.root, `generate ${option}`)).toMatchObject({ code: 0 });
      expect(await runCommand(project.root, `generate ${option}`)).toMatchObject({
        code: 0,
        said: expect.stringMatching(/^0002_\w+\.sql has these renames already\n(.*\n)?up to date\n$/),
      });
    },
  );

  it('has written the journal last, and the migration before it', async () => {
    project.schemas(contentType('article', TITLE));
    const paths = (await plan()).map(({ path }) => path);
    expect(paths[0]).toBe('drizzle/meta/0001_snapshot.json');
    expect(paths.slice(-2)).toEqual(['drizzle/0001_initial.sql', 'drizzle/meta/_journal.json']);
  });
});
