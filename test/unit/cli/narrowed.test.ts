/**
 * @module Relations and kinds that have room for less than before: what goes is named and counted.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Attributes, component, contentType, type TypeOptions } from '../../support/schema-files.ts';
import { openTestDatabase, type TestDatabase } from './content-model.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.reset());
afterAll(() => database.close());

const STRING = { type: 'string' };
type Side = Attributes[string];
const to = (name: string, relation: string, side: Side = {}): Side => ({
  type: 'relation',
  relation,
  target: `api::${name}.${name}`,
  ...side,
});
const OWNED = { inversedBy: 'articles' };
const MAPPED = { mappedBy: 'tags' };

/** Articles with tags, whose links they hold, unless tags do. */
const model = (
  tags: Side | undefined,
  articles: Side | undefined,
  options: Partial<Record<'article' | 'tag', TypeOptions>> = {},
) => ({
  types: [
    contentType('article', { title: STRING, ...(tags && { tags }) }, options.article),
    contentType('tag', { name: STRING, ...(articles && { articles }) }, options.tag),
  ],
});

const BOTH = model(to('tag', 'manyToMany', OWNED), to('article', 'manyToMany', MAPPED));

/** Article a: x, y; article b: y, x; article c: y. Tag y has b before a. */
const LINKS = `('a', 'x', 1, 1), ('a', 'y', 2, 2), ('b', 'y', 1, 1), ('b', 'x', 2, 2), ('c', 'y', 1, 3)`;

async function link(): Promise<void> {
  await database.run(`INSERT INTO articles (document_id, published_at) VALUES ('a', 1), ('b', 1), ('c', 1)`);
  await database.run(`INSERT INTO tags (document_id, published_at) VALUES ('x', 1), ('y', 1)`);
  await database.run(
    `INSERT INTO articles_tags_lnk (source_document_id, target_document_id, position, inverse_position, status) SELECT column1, column2, column3, column4, 'published' FROM (VALUES ${LINKS})`,
  );
}

const pairs = async (table = 'articles_tags_lnk') =>
  (
    await database.run(
      `SELECT source_document_id || target_document_id AS pair FROM ${table} ORDER BY source_document_id, position`,
    )
  ).map(({ pair }) => pair);

describe('a relation whose other side may have one document alone', () => {
  it('keeps no link, which is named and counted', async () => {
    await database.evolve(model(to('tag', 'manyToOne', OWNED), to('article', 'oneToMany', MAPPED)));
    await link();
    await database.run(`DELETE FROM articles_tags_lnk WHERE position = 2`);
    const { held, losses } = await database.evolve(
      model(to('tag', 'oneToOne', OWNED), to('article', 'oneToOne', MAPPED)),
    );
    expect(losses.map(({ reason }) => reason)).toEqual(['can be held by one document only: no link is kept']);
    expect(held).toEqual({ 'article.tags': 3 });
    expect(await pairs()).toEqual([]);
  });

  it('counts each link once, where its own side may have one alone, too', async () => {
    await database.evolve(BOTH);
    await link();
    const { held, losses } = await database.evolve(
      model(to('tag', 'oneToOne', OWNED), to('article', 'oneToOne', MAPPED)),
    );
    expect(losses).toHaveLength(1);
    expect(held).toEqual({ 'article.tags': 5 });
    expect(await pairs()).toEqual([]);
  });

  it('is one that gets another side, as well', async () => {
    await database.evolve(model(to('tag', 'oneToOne'), undefined));
    await link();
    await database.run(`DELETE FROM articles_tags_lnk WHERE position = 2`);
    const { held } = await database.evolve(model(to('tag', 'oneToOne', OWNED), to('article', 'oneToOne', MAPPED)));
    expect(held).toEqual({ 'article.tags': 3 });
    expect(await pairs()).toEqual([]);
  });

  it.each([
    ['widened', to('tag', 'manyToMany', OWNED), to('article', 'manyToMany', MAPPED)],
    ['left alone by the other side', to('tag', 'manyToMany'), undefined],
    ['described otherwise by the other side', to('tag', 'manyToMany', OWNED), to('article', 'oneToOne', MAPPED)],
  ])('keeps all links when it is %s', async (_, tags, articles) => {
    await database.evolve(BOTH);
    await link();
    const { losses, statements } = await database.evolve(model(tags, articles));
    expect({ losses, statements }).toEqual({ losses: [], statements: [] });
    expect(await pairs()).toHaveLength(5);
  });
});

describe('a relation that is held by its other side from now on', () => {
  const TURNED = { inversedBy: 'tags' };
  const HELD = { mappedBy: 'articles' };

  it('keeps all links in their order at both ends', async () => {
    await database.evolve(BOTH);
    await link();
    const { losses } = await database.evolve(model(to('tag', 'manyToMany', HELD), to('article', 'manyToMany', TURNED)));
    expect(losses).toEqual([]);
    expect(await pairs('tags_articles_lnk')).toEqual(['xa', 'xb', 'yb', 'ya', 'yc']);
    expect(
      await database.run(
        `SELECT target_document_id AS id FROM tags_articles_lnk WHERE source_document_id = 'y' ORDER BY position`,
      ),
    ).toEqual([{ id: 'b' }, { id: 'a' }, { id: 'c' }]);
    expect(await database.run(`SELECT name FROM sqlite_master WHERE name = 'articles_tags_lnk'`)).toEqual([]);
  });

  it('keeps no link if it has no room for all, counted where they are', async () => {
    await database.evolve(BOTH);
    await link();
    const { held } = await database.evolve(model(to('tag', 'oneToMany', HELD), to('article', 'manyToOne', TURNED)));
    expect(held).toEqual({ 'tag.articles': 5 });
    expect(await pairs('tags_articles_lnk')).toEqual([]);
  });

  it('keeps links of a type to itself', async () => {
    const self = (next: Side, previous: Side) => ({ types: [contentType('article', { next, previous })] });
    const self1 = self(
      to('article', 'oneToOne', { inversedBy: 'previous' }),
      to('article', 'oneToOne', { mappedBy: 'next' }),
    );
    await database.evolve(self1);
    await database.run(
      `INSERT INTO articles_next_lnk VALUES ('a', '', 'b', '', 'published', 1, 1), ('b', '', 'a', '', 'published', 1, 1)`,
    );
    const { losses } = await database.evolve(
      self(to('article', 'oneToOne', { mappedBy: 'previous' }), to('article', 'oneToOne', { inversedBy: 'next' })),
    );
    expect(losses).toEqual([]);
    expect(await pairs('articles_previous_lnk')).toEqual(['ab', 'ba']);
  });

  it('is a removal where the other side held links of its own', async () => {
    await database.evolve(model(to('tag', 'manyToMany'), to('article', 'manyToMany')));
    await link();
    const { held } = await database.evolve(model(to('tag', 'manyToMany', HELD), to('article', 'manyToMany', TURNED)));
    expect(held).toEqual({ 'article.tags': 5 });
  });
});

describe('links to a type', () => {
  it('of other locales go when the type gets locales, which is named and counted', async () => {
    await database.evolve(model(to('tag', 'manyToMany'), undefined, { article: { localized: true } }));
    await database.run(`INSERT INTO tags (document_id, published_at) VALUES ('x', 1)`);
    await database.run(
      `INSERT INTO articles (document_id, locale, published_at) VALUES ('a', 'en', 1), ('a', 'fr', 1)`,
    );
    await database.run(
      `INSERT INTO articles_tags_lnk VALUES ('a', 'en', 'x', '', 'published', 1, 1), ('a', 'fr', 'x', '', 'published', 1, 2)`,
    );
    const localized = { localized: true };
    const { held } = await database.evolve(
      model(to('tag', 'manyToMany'), undefined, { article: localized, tag: localized }),
    );
    expect(held).toEqual({ 'article.tags': 1 });
    expect(await pairs()).toEqual(['ax']);
  });

  it('stay with a document that keeps one locale of several', async () => {
    await database.evolve(model(to('tag', 'manyToMany'), undefined, { tag: { localized: true } }));
    await database.run(`INSERT INTO tags (document_id, locale, published_at) VALUES ('x', 'en', 1), ('x', 'fr', 1)`);
    await database.run(`INSERT INTO articles (document_id, published_at) VALUES ('a', 1)`);
    await database.run(`INSERT INTO articles_tags_lnk VALUES ('a', '', 'x', 'fr', 'published', 1, 1)`);
    const { held } = await database.evolve(model(to('tag', 'manyToMany'), undefined));
    expect(held).toEqual({ tag: 1 });
    expect(await pairs()).toEqual(['ax']);
  });
});

describe('relations inside components', () => {
  const seo = { type: 'component', component: 'shared.seo', repeatable: true };
  const pages = (page: boolean, tag: boolean) => ({
    types: [
      contentType('page', { title: STRING, seo }, { localized: page }),
      contentType('tag', {}, { localized: tag }),
    ],
    components: [component('shared.seo', { tag: to('tag', 'oneToOne') })],
  });
  const insert = (locale: string, named: string) =>
    database.run(
      `INSERT INTO pages (document_id, locale, published_at, seo) VALUES ('p', '${locale}', 1, '${JSON.stringify([{ id: 1, tag: [{ documentId: 'x', locale: named }] }, { id: 2 }])}')`,
    );
  const locales = async () =>
    (await database.run(`SELECT seo ->> '$[0].tag[0].locale' AS locale FROM pages ORDER BY id`)).map(
      ({ locale }) => locale,
    );

  it('name the default locale when their target gets locales, and their row has none', async () => {
    await database.evolve(pages(false, false));
    await insert('', '');
    const { losses } = await database.evolve(pages(false, true), { defaultLocale: 'fr' });
    expect(losses).toEqual([]);
    expect(await locales()).toEqual(['fr']);
  });

  it('follow their row when it has locales; what other locales do not show then is named and counted', async () => {
    await database.evolve(pages(true, false));
    for (const locale of ['en', 'fr', 'it']) await insert(locale, '');
    await database.run(`UPDATE pages SET seo = '[]' WHERE locale = 'it'`);
    const { held, losses } = await database.evolve(pages(true, true));
    expect(losses[0]?.reason).toMatch(/^localization of its target turned on/);
    expect(held).toEqual({ 'shared.seo.tag': 1 });
    expect(await locales()).toEqual(['', '', null]);
  });

  it('name the default locale when their row loses its locales, unless they name another one', async () => {
    await database.evolve(pages(true, true));
    await insert('en', '');
    await database.run(
      `INSERT INTO pages (document_id, locale, published_at, seo) SELECT 'q', 'en', 1, replace(seo, '"locale":""', '"locale":"it"') FROM pages`,
    );
    await database.evolve(pages(false, true));
    expect(await locales()).toEqual(['en', 'it']);
  });
});

describe('a collection type that becomes a single type', () => {
  const home = (options: TypeOptions = {}) => ({
    types: [
      contentType('home', { title: STRING, tags: to('tag', 'manyToMany') }, options),
      contentType('tag', { homes: to('home', 'manyToMany') }),
    ],
  });
  const titles = async () => (await database.run('SELECT title FROM homes ORDER BY id')).map(({ title }) => title);

  it('keeps the first document that is published, with its links, and counts the rows of the others', async () => {
    await database.evolve(home({ drafts: true, localized: true }));
    await database.run(
      `INSERT INTO homes (document_id, locale, published_at, title) VALUES ('a', 'en', NULL, 'draft'), ('b', 'fr', 1, 'autre'), ('c', 'en', 1, 'kept'), ('c', 'en', NULL, 'kept draft'), ('c', 'fr', 1, 'gardé')`,
    );
    await database.run(`INSERT INTO tags (document_id, published_at) VALUES ('x', 1)`);
    await database.run(
      `INSERT INTO homes_tags_lnk VALUES ('b', 'fr', 'x', '', 'published', 1, 1), ('c', 'en', 'x', '', 'published', 1, 2)`,
    );
    await database.run(
      `INSERT INTO tags_homes_lnk VALUES ('x', '', 'b', 'fr', 'published', 1, 1), ('x', '', 'c', 'fr', 'published', 1, 1)`,
    );
    const { held, losses } = await database.evolve(home({ single: true, drafts: true, localized: true }));
    expect(losses.map(({ reason }) => reason)).toEqual([
      'collection type becomes single type: only the first document is kept',
    ]);
    expect(held).toEqual({ home: 2 });
    expect(await titles()).toEqual(['kept', 'kept draft', 'gardé']);
    expect([await pairs('homes_tags_lnk'), await pairs('tags_homes_lnk')]).toEqual([['cx'], ['xc']]);
    expect(
      await database.run(
        `SELECT locale, status, total FROM edgewise_counters WHERE type = 'api::home.home' ORDER BY 1, 2`,
      ),
    ).toEqual([
      { locale: 'en', status: 'draft', total: 1 },
      { locale: 'en', status: 'published', total: 1 },
      { locale: 'fr', status: 'published', total: 1 },
    ]);
  });

  it('keeps its links where it gets drafts, and its targets locales, at the same time', async () => {
    await database.evolve(home());
    await database.run(
      `INSERT INTO homes (document_id, published_at, title) VALUES ('a', 1, 'kept'), ('b', 1, 'gone')`,
    );
    await database.run(`INSERT INTO tags (document_id, published_at) VALUES ('x', 1)`);
    await database.run(
      `INSERT INTO homes_tags_lnk VALUES ('a', '', 'x', '', 'published', 1, 1), ('b', '', 'x', '', 'published', 1, 2)`,
    );
    const [single] = home({ single: true, drafts: true }).types;
    const tag = contentType('tag', { homes: to('home', 'manyToMany') }, { localized: true });
    await database.evolve({ types: [...(single ? [single] : []), tag] });
    expect(await titles()).toEqual(['kept', 'kept']);
    const links = 'SELECT source_document_id AS s, target_locale AS l, status FROM homes_tags_lnk ORDER BY status';
    expect(await database.run(links)).toEqual([
      { s: 'a', l: 'en', status: 'draft' },
      { s: 'a', l: 'en', status: 'published' },
    ]);
  });

  it('keeps the only document, and all when it becomes a collection type again', async () => {
    await database.evolve(home());
    await database.run(`INSERT INTO homes (document_id, published_at, title) VALUES ('a', 1, 'kept')`);
    expect((await database.evolve(home({ single: true }))).held).toEqual({ home: 0 });
    expect((await database.evolve(home())).losses).toEqual([]);
    expect(await titles()).toEqual(['kept']);
  });
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
});
