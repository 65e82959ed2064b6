/**
 * @module How losses are counted and worded. What each change loses is in `test/support/changes/`.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { countLosses, lossTexts, storedLosses } from '../../../cli/migrations/losses.ts';
import { type Attributes, component, contentType } from '../../support/schema-files.ts';
import { useTestDatabase } from './content-model.ts';

const database = await useTestDatabase();
afterEach(() => database.reset());

const STRING = { type: 'string' };
const AUTHOR = contentType('author', { name: STRING });
const toAuthors = { type: 'relation', relation: 'oneToMany', target: 'api::author.author' };
const repeatable = { type: 'component', component: 'shared.seo', repeatable: true };
const single = { ...repeatable, repeatable: false };
const zone = (...components: string[]) => ({ type: 'dynamiczone', components });

const model = (attributes: Attributes) => ({
  types: [contentType('article', { kept: STRING, ...attributes }), AUTHOR],
  components: [component('shared.seo', { title: STRING })],
});

const insertTwo = () => database.run(`INSERT INTO articles (document_id) VALUES ('a'), ('b')`);

describe('losses', () => {
  const run = (statements: readonly string[]) => Promise.all(statements.map((sql) => database.run(sql)));

  it('are counted in a database, and where it has no such table the others are all the same', async () => {
    await database.evolve(model({}));
    await insertTwo();
    const lossOf = (subject: string, table: string) => ({
      ...{ subject, reason: 'gone', counts: [`SELECT count(*) AS "rows" FROM "${table}" WHERE 1`] },
    });
    const counted = await countLosses([lossOf('article', 'articles'), lossOf('tag', 'tags')], run);
    expect(lossTexts(counted, {})).toEqual([
      expect.stringMatching(/article: gone \(2 rows of the local database\)$/),
      expect.stringMatching(/tag: gone \(rows of the local database unknown\)$/),
    ]);
  });

  it.each<[what: string, removed: Attributes]>([
    ['a scalar', { lead: STRING }],
    ['a component', { seo: single }],
    ['a list of components', { seo: repeatable }],
    ['a dynamic zone', { zone: zone('shared.seo') }],
    ['a relation', { authors: toAuthors }],
  ])('count no row where %s is not there, whose name SQLite could read as a text', async (_, removed) => {
    await database.evolve(model(removed));
    await insertTwo();
    const { losses: gone } = await database.evolve(model({}));
    const others = ['kept', 'document_id'].map((column) => ({
      ...{ subject: column, reason: 'gone' },
      counts: [`SELECT count(*) AS "rows" FROM "articles" WHERE "articles"."${column}" IS NOT NULL`],
    }));
    expect((await countLosses([...gone, ...others], run)).map(({ rows }) => rows)).toEqual([undefined, 0, 2]);
  });

  it('without statements need no database, and lose no row', async () => {
    const reached: string[] = [];
    const none = async (statements: readonly string[]) => {
      reached.push(...statements, 'reached');
      return [];
    };
    expect(await countLosses([], none)).toEqual([]);
    const [loss] = await countLosses([{ subject: 'a', reason: 'gone', counts: [] }], none);
    expect([loss?.rows, loss?.versions, reached]).toEqual([0, 0, []]);
  });
});

it('of content are those of rows or former versions, or of what cannot be counted', async () => {
  const countOf = (table: string) => `SELECT count(*) AS "rows" FROM "${table}" WHERE 1`;
  const lossOf = (subject: string, table: string, versions?: string) => ({
    ...{ subject, reason: 'gone', counts: [countOf(table)] },
    ...(versions !== undefined && { versions: countOf(versions) }),
  });
  const numbers: Readonly<Record<string, number>> = { none: 0, one: 1, two: 2 };
  const run = async (statements: readonly unknown[]) =>
    statements.map((sql) => [{ rows: numbers[/FROM "(.*)"/.exec(String(sql))?.[1] ?? ''] as number }]);
  const all = [lossOf('a', 'none', 'none'), lossOf('b', 'two'), lossOf('c', 'none', 'two'), lossOf('d', 'one', 'one')];
  const stored = await storedLosses(all, run);
  expect(lossTexts(stored, { remote: true })).toEqual([
    '  b: gone (2 rows of the deployed database)',
    '  c: gone (0 rows and 2 former versions of the deployed database)',
    '  d: gone (1 row and 1 former version of the deployed database)',
  ]);
  const failing = async () => Promise.reject(new Error('no database'));
  expect((await storedLosses(all, failing)).map(({ rows }) => rows)).toEqual(all.map(() => undefined));
});

describe('whole numbers of 64 bits that become integers', () => {
  const withSize = (type: string) => ({
    types: [
      contentType('article', {
        size: { type },
        part: { type: 'component', component: 'shared.part', repeatable: true },
        zone: { type: 'dynamiczone', components: ['shared.part'] },
      }),
    ],
    components: [component('shared.part', { size: { type } })],
  });

  it('are named and counted where they have digits that responses would round, also in components', async () => {
    await database.evolve(withSize('biginteger'));
    const sizes = ['9007199254740993', '-9223372036854775808', '9007199254740991', '-12', 'null'];
    for (const [index, size] of sizes.entries()) {
      const part = JSON.stringify([{ id: 1, size: size === 'null' ? null : size }]);
      const zone = JSON.stringify([{ id: 2, __component: 'shared.part', size: '1' }]);
      await database.run(
        `INSERT INTO articles (document_id, size, part, zone) VALUES ('${index}', ${size}, '${part}', '${zone}')`,
      );
    }
    const { losses, held } = await database.evolve(withSize('integer'));
    const reason = 'biginteger becomes integer: numbers beyond 2^53 are rounded';
    expect(losses.map((loss) => loss.reason)).toEqual([reason, reason]);
    expect(held).toEqual({ 'article.size': 2, 'shared.part.size': 2 });
    const [row] = await database.run(`SELECT CAST(size AS TEXT) AS size, part FROM articles WHERE document_id = '0'`);
    expect(row).toEqual({ size: '9007199254740993', part: '[{"id":1,"size":9007199254740993}]' });
  });

  it('are named as they are afterwards where a component renames them, too', async () => {
    const large = withSize('biginteger');
    await database.evolve(large);
    const part = JSON.stringify([{ id: 1, size: '9007199254740993' }]);
    await database.run(`INSERT INTO articles (document_id, part) VALUES ('a', '${part}')`);
    const renamed = { types: large.types, components: [component('shared.part', { width: { type: 'integer' } })] };
    const { held } = await database.evolve(renamed, { rename: ['shared.part.size=width'] });
    expect(held).toEqual({ 'shared.part.width': 1 });
  });
});
