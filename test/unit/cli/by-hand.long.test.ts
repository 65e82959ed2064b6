/**
 * @module Changes that convert no value: the migration is to be completed by hand, and fails until then.
 */
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { readMigrations } from '../../../cli/migrations/migration-files.ts';
import { pendingLosses, readRevisions } from '../../../cli/migrations/revisions.ts';
import { checkGenerated, generate } from '../../../cli/project/generate.ts';
import { type Attributes, component, contentType } from '../../support/schema-files.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

/** Nobody counts what a local database holds. */
const execute = async () => ({ code: 1, stdout: '', stderr: '' });

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  return () => project.remove('.');
});

const STRING = { type: 'string' };
const CARD = { type: 'component', component: 'shared.card' };
const toAuthors = (relation: string) => ({ type: 'relation', relation, target: 'api::author.author' });

interface Case {
  readonly what: string;
  readonly before: Attributes;
  readonly after: Attributes;
  readonly fill: string;
  readonly byHand: string;
  readonly query: string;
  readonly kept: readonly unknown[];
  /** The attribute of the component, before and after. */
  readonly label?: readonly [Attributes[string], Attributes[string]];
  readonly subject?: string;
}

const CASES: readonly Case[] = [
  {
    what: 'a text that becomes a number',
    before: { value: STRING },
    after: { value: { type: 'integer' } },
    fill: `INSERT INTO articles (document_id, value) VALUES ('a', '12'), ('b', 'twelve')`,
    byHand: `UPDATE articles SET edgewise_new = CAST(value AS INTEGER) WHERE value GLOB '[0-9]*'`,
    query: 'SELECT value FROM articles ORDER BY id',
    kept: [12, null],
  },
  {
    what: 'a date that becomes a time of day, in a column of the same affinity',
    before: { value: STRING },
    after: { value: { type: 'date' } },
    fill: `INSERT INTO articles (document_id, value) VALUES ('a', '2024-01-02 at noon')`,
    byHand: 'UPDATE articles SET edgewise_new = substr(value, 1, 10)',
    query: 'SELECT value FROM articles',
    kept: ['2024-01-02'],
  },
  {
    what: 'a relation to several that becomes one to one',
    before: { value: toAuthors('manyToMany') },
    after: { value: toAuthors('manyToOne') },
    fill: `INSERT INTO articles_value_lnk VALUES ('a', '', 'x', '', 'published', 1, 1), ('a', '', 'y', '', 'published', 2, 1)`,
    byHand: 'DELETE FROM articles_value_lnk WHERE position > 1',
    query: 'SELECT target_document_id AS value FROM articles_value_lnk',
    kept: ['x'],
  },
  {
    what: 'a list of components that becomes a single one',
    before: { value: { ...CARD, repeatable: true } },
    after: { value: CARD },
    fill: `INSERT INTO articles (document_id, value) VALUES ('a', '[{"id":1},{"id":2}]')`,
    byHand: `UPDATE articles SET value = value -> '$[0]'`,
    query: 'SELECT value FROM articles',
    kept: ['{"id":1}'],
  },
  {
    what: 'a component that becomes a dynamic zone',
    before: { value: CARD },
    after: { value: { type: 'dynamiczone', components: ['shared.card'] } },
    fill: `INSERT INTO articles (document_id, value) VALUES ('a', '{"id":1}')`,
    byHand: `UPDATE articles SET edgewise_new = json_array(json_set(value, '$.__component', 'shared.card'))`,
    query: 'SELECT value FROM articles',
    kept: ['[{"id":1,"__component":"shared.card"}]'],
  },
  {
    what: 'a text that becomes a relation',
    before: { value: STRING },
    after: { value: toAuthors('manyToOne') },
    fill: `INSERT INTO articles (document_id, value) VALUES ('a', 'x')`,
    byHand: `INSERT INTO articles_value_lnk (source_document_id, target_document_id, status, position, inverse_position) SELECT document_id, value, 'published', 1, id FROM articles`,
    query: 'SELECT target_document_id AS value FROM articles_value_lnk',
    kept: ['x'],
  },
  {
    what: 'a text of a component that becomes a number',
    before: { value: CARD },
    after: { value: CARD },
    label: [STRING, { type: 'integer' }],
    subject: 'shared.card.label',
    fill: `INSERT INTO articles (document_id, value) VALUES ('a', '{"id":1,"label":"12"}')`,
    byHand: `UPDATE articles SET value = json_set(value, '$.label', CAST(value ->> '$.label' AS INTEGER))`,
    query: 'SELECT value FROM articles',
    kept: ['{"id":1,"label":12}'],
  },
];

const save = (attributes: Attributes, label: Attributes[string]) =>
  project.schemas(
    contentType('article', { title: STRING, ...attributes }),
    contentType('author', { name: STRING }),
    component('shared.card', { label }),
  );

const MARK = /^-- .*; replace the next line\nSELECT 1 FROM "complete this migration by hand: (.*)";$/gm;

const ADVICE =
  /^No stored value is converted there: complete drizzle\/0002_\w+\.sql by hand, where the places are marked/;

describe('generate with allowByHand', () => {
  it.each(CASES)(
    'writes a migration that fails until its place is completed, and then keeps what that keeps: $what',
    async ({ before, after, fill, byHand, query, kept, label = [STRING, STRING], subject = 'article.value' }) => {
      save(before, label[0]);
      await generate(project.root, { execute });
      save(after, label[1]);
      await expect(generate(project.root, { execute, allowByHand: true })).rejects.toThrow(ADVICE);
      const path = `drizzle/${project.migrations()[1]}`;
      expect([...project.read(path).matchAll(MARK)].map(([, name]) => name)).toEqual([subject]);
      await expect(checkGenerated(project.root)).rejects.toThrow(`complete this migration by hand: ${subject}`);
      project.write(path, project.read(path).replace(MARK, `${byHand};`));
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
      const folder = { migrations: readMigrations(project.root), revisions: readRevisions(project.root) };
      const [first] = project.migrations();
      project.remove('drizzle');
      return (await pendingLosses(folder, [first ?? ''])).map(({ subject }) => subject);
    };
    expect(await losses({ allowDrop: true })).toEqual(['article.value']);
    expect(await losses({ allowByHand: true })).toEqual([]);
  });
});
