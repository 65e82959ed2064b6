import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Attributes, contentType } from '../../support/schema-files.ts';
import { openTestDatabase, type TestDatabase } from './content-model.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.reset());
afterAll(() => database.close());

const STRING = { type: 'string' };
const AUTHOR = contentType('author', { name: STRING });
const toAuthor = (relation: string) => ({ type: 'relation', relation, target: 'api::author.author' });

const article = (attributes: Attributes, options?: Parameters<typeof contentType>[2]) =>
  contentType('article', attributes, options);

/** Two published articles, the first with a link to an author and counted. */
async function fill(): Promise<void> {
  await database.run(
    `INSERT INTO articles (document_id, published_at, created_at, updated_at, title) VALUES ('a', 3, 1, 2, 'One'), ('b', 3, 1, 2, 'Two')`,
  );
  await database.run(`INSERT INTO edgewise_counters VALUES ('api::article.article', '', 'published', 2)`);
}

const rows = (columns: string, table = 'articles') =>
  database.run(`SELECT ${columns} FROM ${table} ORDER BY document_id`);

describe('draft & publish', () => {
  const drafts = article({ title: STRING, author: toAuthor('manyToOne') }, { drafts: true });
  const plain = article({ title: STRING, author: toAuthor('manyToOne') });
  const counters = () => database.run('SELECT status, total FROM edgewise_counters ORDER BY status');

  it('turned on gives every document the draft it would have had', async () => {
    await database.evolve({ types: [plain, AUTHOR] });
    await fill();
    await database.run(`INSERT INTO authors (document_id, published_at) VALUES ('x', 1)`);
    await database.run(`INSERT INTO articles_author_lnk VALUES ('a', '', 'x', '', 'published', 1, 4)`);
    const { losses } = await database.evolve({ types: [drafts, AUTHOR] });
    expect(losses).toEqual([]);
    expect(
      await database.run('SELECT document_id, title, created_at FROM articles WHERE published_at IS NULL'),
    ).toEqual([
      { document_id: 'a', title: 'One', created_at: 1 },
      { document_id: 'b', title: 'Two', created_at: 1 },
    ]);
    expect(
      await database.run('SELECT source_document_id AS id, status, inverse_position FROM articles_author_lnk'),
    ).toEqual([
      { id: 'a', status: 'published', inverse_position: 4 },
      { id: 'a', status: 'draft', inverse_position: 4 },
    ]);
    expect(await counters()).toEqual([
      { status: 'draft', total: 2 },
      { status: 'published', total: 2 },
    ]);
  });

  it('turned off loses the drafts and their links, and says so', async () => {
    await database.evolve({ types: [drafts, AUTHOR] });
    await fill();
    await database.run(`INSERT INTO articles (document_id, title) VALUES ('a', 'One, later'), ('c', 'Never')`);
    await database.run(`INSERT INTO authors (document_id, published_at) VALUES ('x', 1)`);
    await database.run(
      `INSERT INTO articles_author_lnk VALUES ('a', '', 'x', '', 'published', 1, 1), ('a', '', 'x', '', 'draft', 1, 2), ('c', '', 'x', '', 'draft', 1, 2)`,
    );
    const { losses } = await database.evolve({ types: [plain, AUTHOR] });
    expect(losses.map(({ subject }) => subject)).toEqual(['article']);
    expect(await rows('title')).toEqual([{ title: 'One' }, { title: 'Two' }]);
    expect(await database.run('SELECT source_document_id AS id, status FROM articles_author_lnk')).toEqual([
      { id: 'a', status: 'published' },
    ]);
    expect(await counters()).toEqual([{ status: 'published', total: 2 }]);
  });

  it('turned off gives the published locales of a document one value where they share it', async () => {
    const own = { ...STRING, pluginOptions: { i18n: { localized: true } } };
    const localized = (drafts: boolean) => article({ title: STRING, lead: own }, { drafts, localized: true });
    await database.evolve({ types: [localized(true)] });
    await database.run(
      `INSERT INTO articles (document_id, locale, published_at, title, lead) VALUES ('a', 'fr', 1, 'before', 'un'), ('a', 'en', 2, 'after', 'one')`,
    );
    await database.evolve({ types: [localized(false)] });
    expect(await database.run('SELECT locale, title, lead FROM articles ORDER BY locale')).toEqual([
      { locale: 'en', title: 'after', lead: 'one' },
      { locale: 'fr', title: 'after', lead: 'un' },
    ]);
  });
});

describe('localization', () => {
  const localized = article({ title: STRING }, { localized: true });
  const plain = article({ title: STRING });
  const counters = () => database.run('SELECT locale, total FROM edgewise_counters ORDER BY locale');

  it('turned on puts documents into the default locale', async () => {
    await database.evolve({ types: [plain] });
    await fill();
    const { losses } = await database.evolve({ types: [localized] }, { defaultLocale: 'fr' });
    expect(losses).toEqual([]);
    expect(await rows('locale, title')).toEqual([
      { locale: 'fr', title: 'One' },
      { locale: 'fr', title: 'Two' },
    ]);
    expect(await counters()).toEqual([{ locale: 'fr', total: 2 }]);
  });

  it('turned off loses the other locales, and says so', async () => {
    await database.evolve({ types: [localized] });
    await database.run(
      `INSERT INTO articles (document_id, locale, published_at, title) VALUES ('a', 'en', 1, 'One'), ('a', 'fr', 1, 'Un')`,
    );
    const { losses } = await database.evolve({ types: [plain] });
    expect(losses.map(({ subject }) => subject)).toEqual(['article']);
    expect(await rows('locale, title')).toEqual([{ locale: '', title: 'One' }]);
    expect(await counters()).toEqual([{ locale: '', total: 1 }]);
  });
});

describe('links between types with and without locales', () => {
  const page = (localized: boolean) =>
    contentType(
      'page',
      { top: { type: 'relation', relation: 'oneToMany', target: 'api::article.article' } },
      { localized },
    );
  const target = (localized: boolean) => article({ title: STRING }, { localized });
  const model = (source: boolean, other: boolean) => ({ types: [page(source), target(other)] });
  const links = () =>
    database.run('SELECT target_document_id AS id, target_locale AS locale FROM pages_top_lnk ORDER BY 1, 2');
  /** The page `p`, and its links to locales of one article. */
  const insert = async (locale: string, ...targets: readonly string[]) => {
    await database.run(`INSERT INTO pages (document_id, locale, published_at) VALUES ('p', '${locale}', 1)`);
    const rows = targets.map((target) => `('p', '${locale}', 'a', '${target}', 'published', 1, 1)`);
    await database.run(`INSERT INTO pages_top_lnk VALUES ${rows.join(', ')}`);
  };
  const documents = (...locales: readonly string[]) =>
    database.run(
      `INSERT INTO articles (document_id, locale, published_at) VALUES ${locales.map((locale) => `('a', '${locale}', 1)`).join(', ')}`,
    );

  it('name the default locale when the target gets locales', async () => {
    await database.evolve(model(false, false));
    await documents('');
    await insert('', '');
    await database.evolve(model(false, true), { defaultLocale: 'fr' });
    expect(await links()).toEqual([{ id: 'a', locale: 'fr' }]);
  });

  it('name the default locale when the source loses its own', async () => {
    await database.evolve(model(true, true));
    await documents('en');
    await insert('en', 'en');
    await database.evolve(model(false, true));
    expect(await links()).toEqual([{ id: 'a', locale: 'en' }]);
  });

  it('name none when the target loses its locales, and go with the others', async () => {
    await database.evolve(model(false, true));
    await documents('en', 'de');
    await insert('', 'en', 'de');
    await database.evolve(model(false, false));
    expect(await links()).toEqual([{ id: 'a', locale: '' }]);
  });

  it('to its own locale stay when the source gets locales', async () => {
    await database.evolve(model(false, true));
    await documents('en', 'de');
    await insert('', 'en', 'de');
    await database.evolve(model(true, true));
    expect(await links()).toEqual([{ id: 'a', locale: 'en' }]);
  });

  it('go with documents of which nothing is left', async () => {
    await database.evolve(model(false, true));
    await documents('de');
    await insert('', 'de');
    await database.evolve(model(false, false));
    expect(await links()).toEqual([]);
  });

  it.each([
    [['de', 'en'], 'holds en'],
    [['fr', 'de'], 'holds fr'],
  ])(
    'of a one-to-one relation stay where the default locale of the target is, or else the first (%s)',
    async (locales, kept) => {
      const holder = contentType('holder', {
        held: { type: 'relation', relation: 'oneToOne', target: 'api::article.article', inversedBy: 'holder' },
      });
      const inverse = { type: 'relation', relation: 'oneToOne', target: 'api::holder.holder', mappedBy: 'held' };
      const held = (localized: boolean) => article({ holder: inverse }, { localized });
      await database.evolve({ types: [holder, held(true)] });
      await documents('en', ...locales.filter((locale) => locale !== 'en'));
      for (const locale of locales) {
        await database.run(`INSERT INTO holders (document_id, published_at) VALUES ('holds ${locale}', 1)`);
        await database.run(
          `INSERT INTO holders_held_lnk VALUES ('holds ${locale}', '', 'a', '${locale}', 'published', 1, 1)`,
        );
      }
      await database.evolve({ types: [holder, held(false)] });
      expect(
        await database.run('SELECT source_document_id AS id, target_locale AS locale FROM holders_held_lnk'),
      ).toEqual([{ id: kept, locale: '' }]);
    },
  );

  it('stay in every locale of the source when the target loses its own', async () => {
    await database.evolve(model(true, true));
    await documents('en', 'fr');
    await insert('en', 'en');
    await insert('fr', 'fr');
    await database.evolve(model(true, false));
    expect(await links()).toEqual([
      { id: 'a', locale: '' },
      { id: 'a', locale: '' },
    ]);
  });

  it('are those of the default locale alone when the target gets locales', async () => {
    await database.evolve(model(true, false));
    await documents('');
    await insert('en', '');
    await insert('fr', '');
    await database.evolve(model(true, true));
    expect(await database.run('SELECT source_locale, target_locale FROM pages_top_lnk')).toEqual([
      { source_locale: 'en', target_locale: 'en' },
    ]);
  });
});
