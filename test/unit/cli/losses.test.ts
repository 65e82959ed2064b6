/**
 * @module Every change that loses stored values is named, with how many rows hold one before the migration.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { countLosses, lossTexts } from '../../../cli/migrations/losses.ts';
import { MAX_ATTRIBUTE_COLUMNS } from '../../../src/schema/names.ts';
import { type Attributes, component, contentType } from '../../support/schema-files.ts';
import { openTestDatabase, type TestDatabase } from './content-model.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.reset());
afterAll(() => database.close());

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };
const AUTHOR = contentType('author', { name: STRING });
const toAuthors = { type: 'relation', relation: 'oneToMany', target: 'api::author.author' };
const repeatable = { type: 'component', component: 'shared.seo', repeatable: true };
const single = { ...repeatable, repeatable: false };
const zone = (...components: string[]) => ({ type: 'dynamiczone', components });
const COMPONENTS = [
  component('shared.seo', { title: STRING, note: STRING }),
  component('shared.card', { seo: repeatable }),
];

const model = (attributes: Attributes, components = COMPONENTS) => ({
  types: [contentType('article', { kept: STRING, ...attributes }), AUTHOR],
  components,
});

const insert = async (...rows: readonly Readonly<Record<string, unknown>>[]) => {
  const sqlOf = (value: unknown) =>
    typeof value === 'number'
      ? value
      : `'${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll("'", "''")}'`;
  for (const [index, row] of rows.entries()) {
    const names = ['document_id', 'published_at', ...Object.keys(row)];
    const values = [`'${index}'`, 1, ...Object.values(row).map(sqlOf)];
    await database.run(`INSERT INTO articles (${names.join(', ')}) VALUES (${values.join(', ')})`);
  }
};

const many = Object.fromEntries(Array.from({ length: MAX_ATTRIBUTE_COLUMNS }, (_, index) => [`a${index}`, STRING]));

interface Case {
  readonly what: string;
  readonly before: Attributes;
  readonly after: Attributes;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly held: Readonly<Record<string, number>>;
}

const CASES: readonly Case[] = [
  {
    what: 'a removed attribute',
    before: { lead: STRING },
    after: {},
    rows: [{ lead: 'x' }, { lead: '' }, {}],
    held: { 'article.lead': 2 },
  },
  {
    what: 'a removed list of components',
    before: { seo: repeatable },
    after: {},
    rows: [{ seo: [{ id: 1 }] }, { seo: [] }, {}],
    held: { 'article.seo': 1 },
  },
  {
    what: 'a removed attribute without a column',
    before: { ...many, last: STRING },
    after: many,
    rows: [{ overflow_attributes: { last: 'x' } }, { overflow_attributes: { other: 'x' } }, {}],
    held: { 'article.last': 1 },
  },
  {
    what: 'texts that become numbers',
    before: { size: STRING },
    after: { size: INTEGER },
    rows: [{ size: '12' }, { size: 'twelve' }, {}],
    held: { 'article.size': 2 },
  },
  {
    what: 'fractions',
    before: { size: { type: 'decimal' } },
    after: { size: INTEGER },
    rows: [{ size: 12 }, { size: 1.5 }, {}],
    held: { 'article.size': 2 },
  },
  {
    what: 'times of day',
    before: { at: { type: 'datetime' } },
    after: { at: { type: 'date' } },
    rows: [{ at: 86_400_000 }, { at: 86_400_001 }, {}],
    held: { 'article.at': 2 },
  },
  {
    what: 'digits beyond 2^53',
    before: { size: { type: 'biginteger' } },
    after: { size: { type: 'decimal' } },
    rows: [{ size: 12 }, { size: 2 ** 53 }, {}],
    held: { 'article.size': 2 },
  },
  {
    what: 'another kind of attribute',
    before: { lead: STRING },
    after: { lead: toAuthors },
    rows: [{ lead: 'x' }, {}],
    held: { 'article.lead': 1 },
  },
  {
    what: 'another component',
    before: { seo: single },
    after: { seo: { ...single, component: 'shared.card' } },
    rows: [{ seo: { id: 1 } }, {}],
    held: { 'article.seo': 1 },
  },
  {
    what: 'a list of components that becomes a single one',
    before: { seo: repeatable },
    after: { seo: single },
    rows: [{ seo: [{ id: 1 }, { id: 2 }] }, { seo: [{ id: 1 }] }, { seo: [] }, {}],
    held: { 'article.seo': 2 },
  },
  {
    what: 'components that a zone no longer allows',
    before: { zone: zone('shared.seo', 'shared.card') },
    after: { zone: zone('shared.card') },
    rows: [
      {
        zone: [
          { __component: 'shared.seo', id: 1 },
          { __component: 'shared.seo', id: 2 },
        ],
      },
      { zone: [{ __component: 'shared.card', id: 1 }] },
      {},
    ],
    held: { 'article.zone': 1 },
  },
];

describe('what a migration loses', () => {
  it.each(CASES)('is named and counted: $what', async ({ before, after, rows, held }) => {
    await database.evolve(model(before));
    await insert(...rows);
    expect((await database.evolve(model(after))).held).toEqual(held);
  });

  it('is counted by the names that are there before it', async () => {
    await database.evolve(model({ lead: STRING, size: STRING, authors: toAuthors }));
    await insert({ lead: 'x', size: 'twelve' }, { size: '12' });
    await database.run(`INSERT INTO articles_authors_lnk VALUES ('0', '', 'x', '', 'published', 1, 1)`);
    const post = contentType('post', { kept: STRING, extent: INTEGER });
    const { held } = await database.evolve(
      { types: [post, AUTHOR] },
      { renameType: ['articles=posts'], rename: ['post.size=extent'] },
    );
    expect(held).toEqual({ 'post.authors': 1, 'post.extent': 2, 'post.lead': 1 });
  });

  it('are the documents of a content type', async () => {
    await database.evolve(model({}));
    await insert({}, {});
    expect((await database.evolve({ types: [AUTHOR] })).held).toEqual({ article: 2 });
  });

  it.each([
    ['for which there is no room', { ...toAuthors, relation: 'oneToOne' }],
    ['to another type', { ...toAuthors, target: 'api::article.article' }],
  ])('are links %s', async (_, top) => {
    await database.evolve(model({ top: toAuthors }));
    await insert({}, {});
    await database.run(
      `INSERT INTO articles_top_lnk VALUES ('0', '', 'x', '', 'published', 1, 1), ('0', '', 'y', '', 'published', 2, 1), ('1', '', 'x', '', 'published', 1, 2)`,
    );
    expect((await database.evolve(model({ top }))).held).toEqual({ 'article.top': 3 });
    expect(await database.run('SELECT 1 FROM articles_top_lnk')).toEqual([]);
  });

  it('are values inside components, at any depth', async () => {
    const attributes = {
      seo: single,
      list: repeatable,
      card: { ...single, component: 'shared.card' },
      zone: zone('shared.seo', 'shared.card'),
    };
    await database.evolve(model(attributes));
    const held = { id: 1, title: 'x', note: 'n' };
    const bare = { id: 2, title: 'x', note: null };
    await insert(
      { seo: held, list: [bare, held] },
      { list: [bare, held] },
      { card: { id: 3, seo: [bare, held] } },
      { zone: [{ __component: 'shared.card', id: 3, seo: [held] }] },
      { zone: [{ __component: 'shared.seo', ...held }] },
      { seo: bare, list: [bare], card: { id: 3, seo: [bare] }, zone: [{ __component: 'shared.seo', ...bare }] },
      {},
    );
    const next = [component('shared.seo', { title: STRING }), component('shared.card', { seo: repeatable })];
    expect((await database.evolve(model(attributes, next))).held).toEqual({ 'shared.seo.note': 5 });
  });

  it('are drafts, and other locales', async () => {
    const article = (drafts: boolean, localized: boolean) => ({
      types: [contentType('article', { title: STRING }, { drafts, localized })],
    });
    await database.evolve(article(true, true));
    await database.run(
      `INSERT INTO articles (document_id, locale, published_at) VALUES ('a', 'en', 1), ('a', 'fr', 1), ('a', 'en', NULL)`,
    );
    expect((await database.evolve(article(false, true))).held).toEqual({ article: 1 });
    expect((await database.evolve(article(false, false))).held).toEqual({ article: 1 });
  });
});

describe('an attribute that is no longer localized', () => {
  const own = { pluginOptions: { i18n: { localized: true } } };
  const article = (attributes: Attributes, on: boolean) => {
    const entries = Object.entries(attributes).map(([name, json]) => [name, on ? { ...json, ...own } : json] as const);
    return {
      types: [
        contentType(
          'article',
          { kept: { ...STRING, ...own }, ...Object.fromEntries(entries) },
          { localized: true, drafts: true },
        ),
      ],
    };
  };
  const ROWS = `('a', 'en', 1, 'Draft'), ('a', 'en', NULL, 'Draft'), ('a', 'fr', 1, 'Publié'), ('a', 'fr', NULL, 'Draft'), ('b', 'it', 1, 'B'), ('b', 'fr', 1, 'A'), ('c', 'fr', 1, 'alone')`;
  const titles = async (column = 'title') =>
    (await database.run(`SELECT ${column} AS title FROM articles ORDER BY id`)).map(({ title }) => title);

  it.each([
    ['en', ['Draft', 'Draft', 'Draft', 'Draft', 'A', 'A', 'alone']],
    ['fr', ['Publié', 'Draft', 'Publié', 'Draft', 'A', 'A', 'alone']],
  ])('loses the values of locales other than %s, which is named', async (defaultLocale, kept) => {
    await database.evolve(article({ title: STRING }, true));
    await database.run(`INSERT INTO articles (document_id, locale, published_at, title) VALUES ${ROWS}`);
    const { held, losses } = await database.evolve(article({ title: STRING }, false), { defaultLocale });
    expect(losses[0]?.reason).toMatch(/^no longer localized/);
    expect(held).toEqual({ 'article.title': 2 });
    expect(await titles()).toEqual(kept);
  });

  it('is counted under its former name where it is renamed and gets another type', async () => {
    await database.evolve(article({ count: INTEGER }, true));
    await database.run(
      `INSERT INTO articles (document_id, locale, published_at, count) VALUES ('a', 'en', 1, 1), ('a', 'fr', 1, 2)`,
    );
    const next = article({ size: STRING }, false);
    const { held } = await database.evolve(next, { rename: ['article.count=size'] });
    expect(held).toEqual({ 'article.size': 1 });
    expect(await titles('size')).toEqual(['1', '1']);
  });

  it('shares what it has without a column, too', async () => {
    const wide = Object.fromEntries(Object.keys(many).map((name) => [name, STRING]));
    await database.evolve(article({ ...wide, title: STRING }, true));
    await database.run(
      `INSERT INTO articles (document_id, locale, published_at, overflow_attributes) VALUES ('a', 'en', 1, '{"title":"One"}'), ('a', 'fr', 1, '{"a89":"x","title":"Un"}'), ('a', 'it', 1, NULL)`,
    );
    const next = article({ ...wide, title: STRING }, true).types[0]?.json as { attributes: Record<string, unknown> };
    const types = [
      {
        path: 'content-types/article/schema.json',
        json: { ...next, attributes: { ...next.attributes, title: STRING } },
      },
    ];
    expect((await database.evolve({ types })).held).toEqual({ 'article.title': 2 });
    expect(await titles(`overflow_attributes ->> '$.title'`)).toEqual(['One', 'One', 'One']);
    expect(await titles(`overflow_attributes ->> '$.a89'`)).toEqual([null, 'x', null]);
  });

  it('shares its files', async () => {
    const cover = { type: 'media', multiple: true };
    await database.evolve(article({ cover }, true));
    await database.run(
      `INSERT INTO articles (document_id, locale, published_at) VALUES ('a', 'en', 1), ('a', 'fr', 1)`,
    );
    await database.run(
      `INSERT INTO articles_cover_lnk VALUES ('a', 'en', 'x', '', 'published', 1, 1), ('a', 'fr', 'x', '', 'published', 1, 2), ('a', 'fr', 'y', '', 'published', 2, 1)`,
    );
    expect((await database.evolve(article({ cover }, false))).held).toEqual({ 'article.cover': 1 });
    expect(
      await database.run('SELECT source_locale AS l, target_document_id AS t FROM articles_cover_lnk ORDER BY 1, 2'),
    ).toEqual([
      { l: 'en', t: 'x' },
      { l: 'fr', t: 'x' },
    ]);
  });

  it('gives each locale components of its own, which differ by more than their ids where one is lost', async () => {
    const shared = (on: boolean) => ({ ...article({ seo: repeatable }, on), components: COMPONENTS });
    await database.evolve(shared(true));
    const list = (id: number, title: string) => JSON.stringify([{ id, title, note: null }]);
    await database.run(
      `INSERT INTO articles (document_id, locale, published_at, seo) VALUES ('a', 'en', 1, '${list(1, 'same')}'), ('a', 'fr', 1, '${list(2, 'same')}'), ('b', 'en', 1, '${list(3, 'one')}'), ('b', 'fr', 1, '${list(4, 'un')}')`,
    );
    expect((await database.evolve(shared(false))).held).toEqual({ 'article.seo': 1 });
    const rows = await titles('seo');
    expect(rows.slice(0, 3)).toEqual([list(1, 'same'), list(2, 'same'), list(3, 'one')]);
    const [instance] = JSON.parse(String(rows[3]));
    expect(instance).toMatchObject({ title: 'one' });
    expect([3, 4]).not.toContain(instance.id);
  });

  it('loses nothing where it becomes localized', async () => {
    await database.evolve(article({ title: STRING }, false));
    const { losses, statements } = await database.evolve(article({ title: STRING }, true));
    expect({ losses, statements }).toEqual({ losses: [], statements: [] });
  });
});

describe('a renamed component', () => {
  const holder = (uid: string) => ({
    seo: { ...single, component: uid },
    card: { ...single, component: 'shared.card' },
    zone: zone(uid, 'shared.card'),
  });
  const named = (uid: string, attributes: Attributes = { title: STRING }) =>
    model(holder(uid), [
      component(uid, attributes),
      component('shared.card', { seo: { ...repeatable, component: uid } }),
    ]);
  const row = (uid: string) => ({
    seo: { id: 1, title: 'x' },
    card: { id: 2, seo: [{ id: 3, title: 'y' }] },
    zone: [
      { __component: uid, id: 4, title: 'z' },
      { __component: 'shared.card', id: 5, seo: [{ id: 6, title: uid }] },
    ],
  });
  const stored = async () => {
    const [found] = await database.run('SELECT seo, card, zone FROM articles');
    return Object.fromEntries(Object.entries(found ?? {}).map(([name, json]) => [name, JSON.parse(String(json))]));
  };

  it('keeps every instance, when it is declared', async () => {
    await database.evolve(named('shared.seo'));
    await insert(row('shared.seo'));
    const { losses } = await database.evolve(named('meta.tags'), { renameComponent: ['shared.seo=meta.tags'] });
    expect(losses).toEqual([]);
    const { seo, card, zone: entries } = row('meta.tags');
    const inner = { ...entries[1], seo: [{ id: 6, title: 'shared.seo' }] };
    expect(await stored()).toEqual({ seo, card, zone: [entries[0], inner] });
    expect((await database.evolve(named('meta.tags'))).statements).toEqual([]);
  });

  it('keeps them when its whole category is renamed', async () => {
    await database.evolve(named('shared.seo'));
    await insert(row('shared.seo'));
    const types = [
      contentType('article', {
        kept: STRING,
        seo: { ...single, component: 'meta.seo' },
        card: { ...single, component: 'meta.card' },
        zone: zone('meta.seo', 'meta.card'),
      }),
      AUTHOR,
    ];
    const components = [
      component('meta.seo', { title: STRING }),
      component('meta.card', { seo: { ...repeatable, component: 'meta.seo' } }),
    ];
    const { losses } = await database.evolve({ types, components }, { renameComponent: ['shared=meta'] });
    expect(losses).toEqual([]);
    expect((await stored()).zone.map((entry: { __component: string }) => entry.__component)).toEqual([
      'meta.seo',
      'meta.card',
    ]);
  });

  it('may have an attribute renamed and another removed in the same migration', async () => {
    await database.evolve(named('shared.seo', { title: STRING, note: STRING }));
    await insert({ zone: [{ __component: 'shared.seo', id: 1, title: 'x', note: 'n' }] });
    const { held } = await database.evolve(named('meta.tags', { head: STRING }), {
      renameComponent: ['shared.seo=meta.tags'],
      rename: ['meta.tags.title=head'],
    });
    expect(held).toEqual({ 'meta.tags.note': 1 });
    const [found] = await database.run('SELECT zone FROM articles');
    expect(JSON.parse(String(found?.zone))).toEqual([{ __component: 'meta.tags', id: 1, head: 'x' }]);
  });

  it('loses its instances without it, which is named and counted', async () => {
    await database.evolve(named('shared.seo'));
    await insert(row('shared.seo'));
    const { held } = await database.evolve(named('meta.tags'));
    expect(held).toEqual({ 'article.seo': 1, 'article.zone': 1, 'shared.card.seo': 1 });
  });

  it.each([
    ['shared.seo', 'expected category.oldName=category.newName'],
    ['shared.seo=meta', 'expected category.oldName=category.newName'],
    ['shared.nope=meta.tags', 'there was no component shared.nope'],
    ['shared.card=meta.tags', 'there still is a component shared.card'],
    ['shared.seo=shared.card', 'there was a component shared.card already'],
    ['shared.seo=meta.other', 'there is no component meta.other'],
  ])('is refused when the files do not bear it out: %s', async (option, message) => {
    await database.evolve(named('shared.seo'));
    await expect(database.evolve(named('meta.tags'), { renameComponent: [option] })).rejects.toThrow(message);
  });
});

describe('losses', () => {
  const run = (statements: readonly string[]) => Promise.all(statements.map((sql) => database.run(sql)));

  it('are counted in a database, and where it has no such table the others are all the same', async () => {
    await database.evolve(model({}));
    await insert({}, {});
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
    await insert({}, {});
    const { losses: gone } = await database.evolve(model({}));
    expect((await countLosses(gone, run)).map(({ rows }) => rows)).toEqual([undefined]);
  });
});
