/**
 * @module What is stored about documents beside them follows a change of their type: schedules, tokens, waiting messages, links.
 */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Run } from '../../../cli/core/sql/statements.ts';
import { unrenamedWarnings } from '../../../cli/migrations/unrenamed-warnings.ts';
import { contentType, type TypeOptions } from '../../support/schema-files.ts';
import { openTestDatabase } from './content-model.ts';

const database = await openTestDatabase();
beforeEach(() => database.reset());
afterAll(() => database.close());

const STRING = { type: 'string' };
const UID = 'api::article.article';
const article = (options: TypeOptions = {}) =>
  contentType('article', { title: STRING }, { drafts: true, table: 'articles', ...options });
const post = contentType('post', { title: STRING }, { drafts: true, table: 'articles' });
const tag = contentType('tag', {}, { drafts: true });

/** A document with a draft. */
const insert = (documentId: string, ...locales: readonly string[]) =>
  database.run(
    `INSERT INTO articles (document_id, locale) VALUES ${locales.map((locale) => `('${documentId}', '${locale}')`).join(', ')}`,
  );
const schedule = (documentId: string, locale: string, action = 'publish', type = UID) =>
  database.run(
    `INSERT INTO edgewise_scheduled (id, type, document_id, locale, action, at, created_at) VALUES (hex(randomblob(4)), '${type}', '${documentId}', '${locale}', '${action}', 1, 1)`,
  );
const scheduled = async () =>
  (await database.run('SELECT type, document_id AS id, locale, action FROM edgewise_scheduled ORDER BY 2, 3')).map(
    ({ type, id, locale, action }) => [String(type).replace(/^.*\./, ''), id, locale, action].join(' '),
  );

describe('a schedule', () => {
  it('of another locale goes when localization is turned off, and that of the default locale stays', async () => {
    await database.evolve({ types: [article({ localized: true })] });
    await insert('a', 'en', 'fr');
    await schedule('a', 'fr', 'unpublish');
    await schedule('a', 'en', 'publish');
    await database.evolve({ types: [article()] });
    expect(await scheduled()).toEqual(['article a  publish']);
  });

  it('gets the default locale when localization is turned on', async () => {
    await database.evolve({ types: [article(), tag] });
    await insert('a', '');
    await schedule('a', '');
    await schedule('b', '', 'publish', 'api::tag.tag');
    await database.evolve({ types: [article({ localized: true }), tag] }, { defaultLocale: 'fr' });
    expect(await scheduled()).toEqual(['article a fr publish', 'tag b  publish']);
  });

  it('goes with the drafts', async () => {
    await database.evolve({ types: [article(), tag] });
    await insert('a', '');
    await schedule('a', '');
    await schedule('b', '', 'publish', 'api::tag.tag');
    await database.evolve({ types: [article({ drafts: false }), tag] });
    expect(await scheduled()).toEqual(['tag b  publish']);
  });

  it('of a collection that becomes a single type stays with the document that is kept, and the other way round', async () => {
    await database.evolve({ types: [article()] });
    await insert('a', '');
    await insert('b', '');
    await schedule('a', '');
    await schedule('b', '');
    await database.evolve({ types: [article({ single: true })] });
    expect(await scheduled()).toEqual(['article   publish']);
    await database.evolve({ types: [article()] });
    expect(await scheduled()).toEqual(['article a  publish']);
  });

  it('goes with its type, before another one has its uid', async () => {
    await database.evolve({ types: [article(), tag] });
    await schedule('a', '');
    await database.evolve({ types: [article({ table: 'others' }), tag] });
    expect(await scheduled()).toEqual([]);
  });
});

describe('the permissions of a token', () => {
  const other = { action: ['api::other.other.find', `${UID}s.find`], where: { title: `${UID}` } };
  const permit = (list: readonly unknown[]) =>
    database.run(
      `INSERT INTO strapi_api_tokens (document_id, name, type, permissions) VALUES ('t', 't', 'custom', '${JSON.stringify(list)}')`,
    );
  const permitted = async () => {
    const [row] = await database.run('SELECT permissions FROM strapi_api_tokens');
    return JSON.parse(String(row?.permissions));
  };
  const grants = (uid: string) => [
    `${uid}.find`,
    'api::*.find',
    { action: `${uid}.update`, where: { title: 'a' } },
    { action: [`${uid}.create`, 'api::tag.tag.create'], status: 'draft' },
    other,
  ];

  it('follow a new uid of a type', async () => {
    await database.evolve({ types: [article(), tag] });
    await permit(grants(UID));
    await database.evolve({ types: [post, tag] });
    expect(await permitted()).toEqual(grants('api::post.post'));
  });

  it('follow two types that exchange their uids', async () => {
    const of = (articles: string, posts: string) => [
      contentType('article', {}, { table: articles }),
      contentType('post', {}, { table: posts }),
    ];
    await database.evolve({ types: of('xs', 'ys') });
    await permit([`${UID}.find`, 'api::post.post.create']);
    await database.evolve({ types: of('ys', 'xs') });
    expect(await permitted()).toEqual(['api::post.post.find', `${UID}.create`]);
  });

  it('name an attribute by its new name, where it is one of the type itself', async () => {
    const of = (name: string) =>
      contentType('article', {
        [name]: STRING,
        author: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag' },
      });
    const named = (name: string) => [
      `${UID}.find`,
      { action: `${UID}.find`, where: { $or: [{ [name]: 'title' }, { $not: { [name]: { $in: ['title'] } } }] } },
      { action: [`${UID}.create`], set: { [name]: 'a' }, fields: ['id', name], validate: { [name]: 'a' } },
    ];
    const others = [
      { action: 'api::tag.tag.find', where: { title: 'a' } },
      { action: `${UID}.find`, where: { author: { title: 'a' } } },
    ];
    await database.evolve({ types: [of('title'), contentType('tag', { title: STRING })] });
    await permit([...named('title'), ...others]);
    const { parts } = await database.evolve(
      { types: [of('headline'), contentType('tag', { title: STRING })] },
      { rename: ['article.title=headline'] },
    );
    expect(await permitted()).toEqual([...named('headline'), ...others]);
    // The statements of the previous version fail, since the column is gone.
    expect(parts.map(({ moves }) => moves)).toEqual([undefined]);
  });

  it('are reported where a renamed attribute may be named and stays as it is', async () => {
    const title = { title: 'a' };
    const warned = async (grant: unknown, type = UID) => {
      await database.run('DELETE FROM strapi_api_tokens');
      await permit([grant]);
      const run: Run = async ([sql = '']) => [(await database.run(sql)) as never];
      return unrenamedWarnings([{ type, from: 'title', to: 'headline' }], {}, run);
    };
    await database.evolve({ types: [article(), tag] });
    const behind = { action: `${UID}.find`, where: { $or: [{ author: title }] } };
    const left = [
      behind,
      { action: 'api::tag.tag.find', where: { about: title } },
      { action: [`${UID}.find`, 'api::tag.tag.find'], where: { $not: title } },
      { action: [`${UID}.update`, 'api::tag.tag.update'], fields: ['title'] },
      { action: 'api::*.find', where: title },
    ];
    for (const grant of left)
      expect(await warned(grant), JSON.stringify(grant)).toEqual([
        expect.stringMatching(
          /^article\.title is now headline, but not in grants of 1 API token of the local database /,
        ),
      ]);
    expect(await warned(behind, 'shared.card')).toEqual([expect.stringMatching(/^card\.title is now headline/)]);
    for (const grant of [
      `${UID}.find`,
      { action: `${UID}.find`, where: { $and: [title, { name: 'title' }] }, fields: ['title'] },
      { action: 'api::tag.tag.find', where: title, fields: ['title'] },
      { action: [`${UID}.find`, 'api::tag.tag.find'], where: { name: 'title' } },
    ])
      expect(await warned(grant), JSON.stringify(grant)).toEqual([]);
  });

  it('go with the type, so that a later one of its uid does not inherit them', async () => {
    await database.evolve({ types: [article(), tag] });
    await permit([...grants(UID), { action: [`${UID}.create`], status: 'draft' }]);
    await database.evolve({ types: [tag] });
    expect(await permitted()).toEqual(['api::*.find', { action: ['api::tag.tag.create'], status: 'draft' }, other]);
  });
});

describe('a message that waits', () => {
  const wait = (type: string) =>
    database.run(
      `INSERT INTO edgewise_outbox (id, endpoint, event, type, document_id, locale, created_at, due_at, attempts) VALUES ('m', 'e', 'entry.update', '${type}', 'a', '', 1, 1, 0)`,
    );
  const waiting = () => database.run('SELECT type FROM edgewise_outbox ORDER BY 1');

  it.each([true, false])(
    'is about the document in its only locale after localization is turned on or off: %s',
    async (localized) => {
      const [before, after] = localized ? ['', 'en'] : ['en', ''];
      await database.evolve({ types: [article({ localized: !localized })] });
      await wait(UID);
      await database.run(`UPDATE edgewise_outbox SET locale = '${before}'`);
      await database.evolve({ types: [article({ localized })] });
      expect(await database.run('SELECT locale FROM edgewise_outbox')).toEqual([{ locale: after }]);
    },
  );

  it('has the new uid of its type', async () => {
    await database.evolve({ types: [article(), tag] });
    await wait(UID);
    await wait('api::tag.tag');
    await database.evolve({ types: [post, tag] });
    expect(await waiting()).toEqual([{ type: 'api::post.post' }, { type: 'api::tag.tag' }]);
  });

  it('goes with the documents that a single type does not keep, and no message waits for it', async () => {
    await database.evolve({ types: [article(), tag] });
    await insert('a', '');
    await insert('b', '');
    // `gone` was deleted before: its message has the values.
    for (const [id, type, due] of [
      ['a', UID, 1],
      ['b', UID, 1],
      ['b', UID, 8_640_000_000_000_000],
      ['b', UID, null],
      ['gone', UID, 1],
      ['b', 'api::tag.tag', 1],
    ] as const)
      await database.run(
        `INSERT INTO edgewise_outbox (id, endpoint, event, type, document_id, locale, created_at, due_at, attempts) VALUES ('m', 'e', 'entry.update', '${type}', '${id}', '', 1, ${due}, 0)`,
      );
    await database.evolve({ types: [article({ single: true }), tag] });
    expect(await database.run('SELECT document_id AS id, type, due_at FROM edgewise_outbox ORDER BY sequence')).toEqual(
      [
        { id: 'a', type: UID, due_at: 1 },
        { id: 'b', type: UID, due_at: null },
        { id: 'gone', type: UID, due_at: 1 },
        { id: 'b', type: 'api::tag.tag', due_at: 1 },
      ],
    );
  });

  it('goes with its type', async () => {
    await database.evolve({ types: [article(), tag] });
    await wait(UID);
    await wait('api::tag.tag');
    await database.evolve({ types: [tag] });
    expect(await waiting()).toEqual([{ type: 'api::tag.tag' }]);
  });
});

describe('drafts that are turned off', () => {
  const page = (drafts: boolean) =>
    contentType('page', { top: { type: 'relation', relation: 'oneToMany', target: UID } }, { drafts });

  it('leave the published links in both versions of their targets', async () => {
    await database.evolve({ types: [page(true), article()] });
    await insert('a', '');
    await insert('b', '');
    await database.run(`INSERT INTO articles (document_id, published_at) VALUES ('a', 1), ('b', 1)`);
    await database.run(`INSERT INTO pages (document_id, published_at) VALUES ('p', NULL), ('p', 1), ('q', NULL)`);
    await database.run(
      `INSERT INTO pages_top_lnk VALUES ('p', '', 'a', '', 'published', 1, 1), ('p', '', 'b', '', 'draft', 1, 1), ('q', '', 'a', '', 'draft', 1, 1)`,
    );
    await database.evolve({ types: [page(false), article()] });
    expect(
      await database.run(
        'SELECT source_document_id AS s, target_document_id AS t, status FROM pages_top_lnk ORDER BY 3',
      ),
    ).toEqual([
      { s: 'p', t: 'a', status: 'draft' },
      { s: 'p', t: 'a', status: 'published' },
    ]);
  });

  it('give the links of drafts a place each where published ones share it, in the order of their rows', async () => {
    const shelf = (drafts: boolean) =>
      contentType('shelf', { top: { type: 'relation', relation: 'manyToMany', target: UID } }, { drafts });
    await database.evolve({ types: [shelf(true), article()] });
    for (const id of ['a', 'b']) {
      await insert(id, '');
      await database.run(`INSERT INTO articles (document_id, published_at) VALUES ('${id}', 1)`);
    }
    await database.run(`INSERT INTO shelfs (document_id, published_at) VALUES ('s', NULL), ('s', 1)`);
    await database.run(
      `INSERT INTO shelfs_top_lnk VALUES ('s', '', 'b', '', 'published', 65536, 1), ('s', '', 'a', '', 'published', 65536, 1)`,
    );
    await database.evolve({ types: [shelf(false), article()] });
    const drafts = await database.run(
      "SELECT target_document_id AS t, position FROM shelfs_top_lnk WHERE status = 'draft' ORDER BY position",
    );
    expect(drafts).toEqual([
      { t: 'b', position: 65_536 },
      { t: 'a', position: 65_537 },
    ]);
  });
});
