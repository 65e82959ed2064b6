/**
 * @module Changes that convert no value: the migration is to be completed by hand, and fails until then.
 */
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { readMigrations } from '../../../cli/migrations/migration-files.ts';
import { pendingLosses, readRevisions } from '../../../cli/migrations/revisions.ts';
import { checkGenerated, generate } from '../../../cli/project/generate.ts';
import type { Attributes } from '../../support/schema-files.ts';
import { BY_HAND_CASES, byHandFiles, OPEN_PLACE } from './by-hand-cases.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

/** Nobody counts what a local database holds. */
const execute = async () => ({ code: 1, stdout: '', stderr: '' });

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  return () => project.remove('.');
});

const STRING = { type: 'string' };

const save = (attributes: Attributes, label: Attributes[string]) => {
  const { types, components } = byHandFiles(attributes, label);
  project.schemas(...types, ...components);
};

const ADVICE =
  /^No stored value is converted there: complete drizzle\/0002_\w+\.sql by hand, where the places are marked/;

describe('generate with allowByHand', () => {
  it.each(BY_HAND_CASES)(
    'writes a migration that fails until its place is completed, and then keeps what that keeps: $what',
    async ({ before, after, fill, byHand, query, kept, label = [STRING, STRING], subject = 'article.value' }) => {
      save(before, label[0]);
      await generate(project.root, { execute });
      save(after, label[1]);
      await expect(generate(project.root, { execute, allowByHand: true })).rejects.toThrow(ADVICE);
      const path = `drizzle/${project.migrations()[1]}`;
      expect([...project.read(path).matchAll(OPEN_PLACE)].map(([, name]) => name)).toEqual([subject]);
      await expect(checkGenerated(project.root)).rejects.toThrow(`complete this migration by hand: ${subject}`);
      project.write(path, project.read(path).replace(OPEN_PLACE, byHand));
      await checkGenerated(project.root);
      const migrations = readMigrations(project.root);
      const database = new DatabaseSync(':memory:');
      database.exec(`${migrations[0]?.text}; ${fill}`);
      for (const { text } of migrations.slice(1)) database.exec(text);
      expect(
        database
          .prepare(query)
          .all()
          .map(({ value }) => value),
      ).toEqual(kept);
    },
  );

  it('writes nothing where a change beside it loses content, and nothing without the option', async () => {
    save({ value: STRING, gone: STRING }, STRING);
    await generate(project.root, { execute });
    save({ value: { type: 'integer' }, gone: STRING }, STRING);
    await expect(generate(project.root, { execute })).rejects.toThrow(
      /article\.value: string becomes integer: no stored value is kept[\s\S]*Nothing was written/,
    );
    save({ value: { type: 'integer' } }, STRING);
    await expect(generate(project.root, { execute, allowByHand: true })).rejects.toThrow(/Nothing was written/);
    expect(project.migrations()).toHaveLength(1);
  });

  it('names what --allow-drop empties before a deployment, and not what is moved by hand', async () => {
    const losses = async (options: object) => {
      save({ value: STRING }, STRING);
      await generate(project.root, { execute });
      save({ value: { type: 'integer' } }, STRING);
      await generate(project.root, { execute, ...options }).catch(() => undefined);
      expect(project.migrations().length).toBeGreaterThan(1);
      const folder = { migrations: readMigrations(project.root), revisions: readRevisions(project.root) };
      const [first] = project.migrations();
      project.remove('drizzle');
      return (await pendingLosses(folder, [first ?? ''])).map(({ subject }) => subject);
    };
    expect(await losses({ allowDrop: true })).toEqual(['article.value']);
    expect(await losses({ allowByHand: true })).toEqual([]);
  });
});
