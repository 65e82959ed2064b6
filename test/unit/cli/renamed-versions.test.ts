/**
 * @module Former versions from before renames: the migrations that `generate` writes leave them alone, and a Worker of the
 * project that it bundles shows and restores them under the names of today.
 */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTokenSql } from '../../../cli/core/sql/tokens.ts';
import { applyLocally, localHistory } from '../../../cli/migrations/apply.ts';
import { parseRenames } from '../../../cli/migrations/rename-options.ts';
import { readFolder } from '../../../cli/migrations/revisions.ts';
import { generate } from '../../../cli/project/generate.ts';
import { createApp } from '../../../src/app.ts';
import { createDeployment } from '../../../src/deployment.ts';
import { buildRegistry, type SchemaFiles, TRUSTED } from '../../../src/schema/build.ts';
import { MAX_ATTRIBUTE_COLUMNS } from '../../../src/schema/names.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { memoryDatabase } from '../../support/memory-database.ts';
import { type Attributes, component, contentType } from '../../support/schema-files.ts';
import type { Model } from './content-model.ts';
import { executeOn } from './dev/local-project.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

type Json = Readonly<Record<string, unknown>>;
type Renames = Parameters<typeof parseRenames>;
type Token = Parameters<typeof createTokenSql>[0];

const tokenOf = (name: string): string => name.repeat(32).slice(0, 64);

/** A project with a database, and a Worker of what it bundles. */
function openWorld() {
  const project: ScratchProject = scratchProject();
  const { root } = project;
  const { db, sqlite } = memoryDatabase();
  project.write('edgewise.config.ts', 'export default { history: true };');
  let app: ReturnType<typeof createApp>;
  let bundles = 0;
  const send = async (method: string, path: string, data?: Json, token = 'full') => {
    const headers = { Authorization: `Bearer ${tokenOf(token)}`, 'Content-Type': 'application/json' };
    const body = data === undefined ? {} : { body: JSON.stringify({ data }) };
    const context = { waitUntil() {}, passThroughOnException() {}, props: {} };
    const bindings = { DB: db, JWT_SECRET: 'x'.repeat(32) };
    const request = new Request(`http://edgewise.test/api${path}`, { method, headers, ...body });
    const response = await app.fetch(request, bindings as never, context as never);
    return { status: response.status, body: JSON.parse((await response.text()) || '{}') as { data: Json; meta: Json } };
  };
  return {
    ...{ project, db, sqlite, send },
    /** Writes the files, their migration and the bundle, and applies the migration. */
    async change({ types, components = [] }: Model, ...renames: Partial<Renames>) {
      if (project.has('content-types')) project.remove('content-types');
      project.schemas(...types, ...components);
      const declared = parseRenames(renames[0] ?? [], renames[1] ?? [], renames[2]);
      await generate(root, { renames: declared, allowDrop: true, execute: executeOn(db) });
      await applyLocally(db, await localHistory(readFolder(root).migrations, db));
      bundles += 1;
      const { registry: files } = (await import(`${root}/.edgewise/built.ts?${bundles}`)) as {
        registry: SchemaFiles;
      };
      app = createApp(
        createDeployment({ registry: buildRegistry(files, TRUSTED), settings: parseSettings({ history: true }) }),
      );
    },
    grant(name: string, more: Partial<Token> = {}) {
      sqlite.exec(createTokenSql({ name, type: 'full-access', ...more }, tokenOf(name), 1));
    },
    /** The revisions of a document, the oldest first. */
    async revisions(path: string, token?: string) {
      const { status, body } = await send('GET', `${path}/history`, undefined, token);
      return status === 200
        ? (body.data as unknown as { revision: string }[]).map(({ revision }) => revision).reverse()
        : [];
    },
  };
}

let world: ReturnType<typeof openWorld>;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.project.remove('.'));

const STRING = { type: 'string' };
const textsOf = (...names: readonly string[]): Attributes => Object.fromEntries(names.map((name) => [name, STRING]));
const articles = (attributes: Attributes): Model => ({ types: [contentType('article', attributes)] });

async function created(model: Model, data: Json, path = '/articles'): Promise<string> {
  await world.change(model);
  world.grant('full');
  return String((await world.send('POST', path, data)).body.data.documentId);
}

/** Shows the first version of a document with everything, then restores it. */
async function firstVersion(path: string, populate = 'populate=*') {
  const [first] = await world.revisions(path);
  const shown = await world.send('GET', `${path}/history/${first}?${populate}`);
  const restored = await world.send('POST', `${path}/actions/restore?${populate}`, { revision: first });
  return { shown: shown.body.data, restored: restored.body.data, changed: restored.body.meta.changed };
}

interface Case {
  readonly what: string;
  readonly steps: readonly (readonly [names: readonly string[], ...renames: readonly string[]])[];
  /** The first version, which had `{ a: 'A', b: 'B' }`. */
  readonly is: Json;
  readonly changed?: readonly string[];
}

const CASES: readonly Case[] = [
  {
    what: 'after a chain of renames',
    steps: [
      [['b', 'c'], 'a=c'],
      [['b', 'd'], 'c=d'],
    ],
    is: { b: 'B', d: 'A' },
  },
  {
    what: 'after a rename back',
    steps: [
      [['b', 'c'], 'a=c'],
      [['a', 'b'], 'c=a'],
    ],
    is: { a: 'A', b: 'B' },
  },
  {
    what: 'after two names were swapped',
    steps: [
      [['b', 't'], 'a=t'],
      [['a', 't'], 'b=a'],
      [['a', 'b'], 't=b'],
    ],
    is: { a: 'B', b: 'A' },
  },
  {
    what: 'beside a new attribute of the old name',
    steps: [[['b', 'c'], 'a=c'], [['a', 'b', 'c']]],
    is: { a: null, b: 'B', c: 'A' },
  },
  {
    what: 'under the name of an attribute that was removed before',
    steps: [[['a']], [['b'], 'a=b']],
    is: { b: 'A' },
  },
  {
    what: 'of an attribute that was renamed, then removed',
    steps: [[['b', 'c'], 'a=c'], [['b']], [['a', 'b']]],
    is: { a: null, b: 'B' },
    changed: ['c'],
  },
  {
    what: 'of two renames at once',
    steps: [[['another', 'twoWords'], 'a=twoWords', 'b=another']],
    is: { twoWords: 'A', another: 'B' },
  },
];

describe('a former version has the names of today', () => {
  it.each(CASES)('$what', async ({ steps, is, changed = [] }) => {
    const path = `/articles/${await created(articles(textsOf('a', 'b')), { a: 'A', b: 'B' })}`;
    for (const [names, ...renames] of steps) {
      await world.change(
        articles(textsOf(...names)),
        renames.map((rename) => `article.${rename}`),
      );
      const texts = Object.fromEntries(names.map((name) => [name, `later ${name}`]));
      expect((await world.send('PUT', path, texts)).status).toBe(200);
    }
    const later = await world.send('GET', path);
    const all = await world.revisions(path);
    expect((await world.send('GET', `${path}/history/${all.at(-1)}`)).body.data).toEqual(later.body.data);
    const first = await firstVersion(path);
    expect(first.shown).toMatchObject(is);
    // What the version did not have is left as it is.
    const present = Object.fromEntries(Object.entries(is).filter(([, value]) => value !== null));
    expect(first.restored).toMatchObject({ ...later.body.data, ...present, updatedAt: expect.anything() });
    expect(first.changed).toEqual(changed);
  });

  it('within components and zones and for the types of links, on a path of today', async () => {
    const one = (target: string) => ({ type: 'relation', relation: 'oneToOne', target });
    const ANY = { type: 'relation', relation: 'morphToMany' };
    const card = { type: 'component', component: 'shared.card' };
    await world.change({
      types: [
        contentType('tag', { name: STRING }),
        contentType('article', {
          card,
          cards: { ...card, repeatable: true },
          zone: { type: 'dynamiczone', components: ['shared.card', 'shared.seo'] },
          tags: { ...one('api::tag.tag'), relation: 'oneToMany' },
          any: ANY,
        }),
      ],
      components: [
        component('shared.seo', { title: STRING }),
        component('shared.card', {
          label: STRING,
          seo: { type: 'component', component: 'shared.seo' },
          tag: one('api::tag.tag'),
          any: ANY,
        }),
      ],
    });
    world.grant('full');
    const tag = String((await world.send('POST', '/tags', { name: 'red' })).body.data.documentId);
    const any = [{ __type: 'api::tag.tag', documentId: tag }];
    const cardOf = (label: string) => ({ label, seo: { title: `seo of ${label}` }, tag, any });
    const zone = [
      { __component: 'shared.card', ...cardOf('four') },
      { __component: 'shared.seo', title: 'five' },
    ];
    const values = { card: cardOf('one'), cards: [cardOf('two'), cardOf('three')], zone, tags: [tag], any };
    const id = String((await world.send('POST', '/articles', values)).body.data.documentId);
    const common = { type: 'component', component: 'common.card' };
    await world.change(
      {
        types: [
          contentType('label', { name: STRING }),
          contentType('post', {
            teaser: common,
            cards: { ...common, repeatable: true },
            zone: { type: 'dynamiczone', components: ['common.card', 'common.meta'] },
            labels: { ...one('api::label.label'), relation: 'oneToMany' },
            some: ANY,
          }),
        ],
        components: [
          component('common.meta', { heading: STRING }),
          component('common.card', {
            text: STRING,
            head: { type: 'component', component: 'common.meta' },
            mark: one('api::label.label'),
            some: ANY,
          }),
        ],
      },
      [
        ...['post.card=teaser', 'post.tags=labels', 'post.any=some', 'common.meta.title=heading'],
        ...['label=text', 'seo=head', 'tag=mark', 'any=some'].map((rename) => `common.card.${rename}`),
      ],
      ['article=post', 'tag=label'],
      ['shared.seo=common.meta', 'shared.card=common.card'],
    );
    await world.send('PUT', `/posts/${id}`, { teaser: null, cards: [], zone: [], labels: [], some: [] });
    const inCard = '[populate]=*';
    const populate = `populate[teaser]${inCard}&populate[cards]${inCard}&populate[labels]=true&populate[some]=true&populate[zone][on][common.card]${inCard}&populate[zone][on][common.meta]=true`;
    const { shown, restored, changed } = await firstVersion(`/posts/${id}`, populate);
    const red = expect.objectContaining({ documentId: tag, name: 'red' });
    const named = (text: string) =>
      expect.objectContaining({
        text,
        head: expect.objectContaining({ heading: `seo of ${text}` }),
        mark: red,
        some: [red],
      });
    const expected = {
      teaser: named('one'),
      cards: [named('two'), named('three')],
      zone: [named('four'), expect.objectContaining({ __component: 'common.meta', heading: 'five' })],
      labels: [red],
      some: [red],
    };
    expect(shown).toMatchObject(expected);
    expect(restored).toMatchObject(expected);
    expect(changed).toEqual([]);
  });

  it('also of attributes without a column', async () => {
    const many = Array.from({ length: MAX_ATTRIBUTE_COLUMNS }, (_, index) => `a${index}`);
    const path = `/articles/${await created(articles(textsOf(...many, 'last')), { a0: 'first', last: 'kept' })}`;
    await world.change(articles(textsOf(...many, 'end')), ['article.last=end']);
    await world.send('PUT', path, { end: 'other', a0: 'other' });
    const { shown, restored } = await firstVersion(path);
    expect(shown).toMatchObject({ end: 'kept', a0: 'first' });
    expect(restored).toMatchObject({ end: 'kept', a0: 'first' });
  });

  it('without the values of attributes without a column that have another type now', async () => {
    const many = textsOf(...Array.from({ length: MAX_ATTRIBUTE_COLUMNS }, (_, index) => `a${index}`), 'same');
    const values = { when: 'soon', data: 'not { JSON', same: 'kept' };
    const path = `/articles/${await created(articles({ ...many, ...textsOf('when', 'data') }), values)}`;
    await world.change(articles(many));
    await world.change(articles({ ...many, when: { type: 'datetime' }, data: { type: 'json' } }));
    await world.send('PUT', path, { data: [1], same: 'other' });
    const { shown, restored, changed } = await firstVersion(path);
    expect(shown).toMatchObject({ when: null, data: null, same: 'kept' });
    expect(restored).toMatchObject({ when: null, data: [1], same: 'kept' });
    expect(changed).toEqual(['when', 'data']);
  });

  it('where values have moved into the overflow column, and back, also for conditions of grants', async () => {
    const many = textsOf(...Array.from({ length: MAX_ATTRIBUTE_COLUMNS - 2 }, (_, index) => `a${index}`));
    const values = { text: 'kept', big: '9223372036854775807' };
    const card = { type: 'component', component: 'shared.card' };
    const parts = { components: [component('shared.card', { label: STRING })] };
    const moving = { text: STRING, big: { type: 'biginteger' } };
    const path = `/articles/${await created({ ...articles({ ...many, ...moving }), ...parts }, values)}`;
    const actions = ['find', 'findOne', 'history'].map((name) => `api::article.article.${name}`);
    const rights = [{ action: actions, where: { text: 'kept' } }];
    world.grant('kept', { type: 'custom', permissions: rights } as never);
    const crowded = { ...articles({ ...many, card, cards: { ...card, repeatable: true }, ...moving }), ...parts };
    await world.change(crowded);
    await world.send('PUT', path, { a0: 'other' });
    expect(await world.revisions(path, 'kept')).toHaveLength(2);
    await world.change({ ...articles({ ...many, ...moving }), ...parts });
    await world.send('PUT', path, { a0: 'again' });
    expect(await world.revisions(path, 'kept')).toHaveLength(3);
    await world.change(articles(many));
    await world.change({ ...articles({ ...many, ...moving }), ...parts });
    await world.send('PUT', path, values);
    expect(await world.revisions(path, 'kept')).toHaveLength(4);
    await world.change(crowded);
    await world.send('PUT', path, { text: 'other', big: '1' });
    await world.send('PUT', path, { text: 'kept' });
    expect(await world.revisions(path, 'kept')).toHaveLength(5);
    for (const revision of (await world.revisions(path)).slice(0, 4)) {
      expect((await world.send('GET', `${path}/history/${revision}`)).body.data).toMatchObject(values);
      expect((await world.send('POST', `${path}/actions/restore`, { revision })).body.data).toMatchObject(values);
    }
  });

  it('where attributes were added before the others', async () => {
    const values = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`b${index}`, `value ${index}`]));
    const path = `/articles/${await created(articles(textsOf(...Object.keys(values))), values)}`;
    await world.change(articles(textsOf('a0', 'a1', 'a2', ...Object.keys(values))));
    expect((await firstVersion(path)).shown).toMatchObject({ a0: null, ...values });
  });

  it('for a caller whose grants have conditions about a renamed attribute', async () => {
    const path = `/articles/${await created(articles(textsOf('a')), { a: 'open' })}`;
    await world.send('PUT', path, { a: 'closed' });
    await world.change(articles(textsOf('b')), ['article.a=b']);
    await world.send('PUT', path, { b: 'open again' });
    const action = ['find', 'findOne', 'history', 'restore'].map((name) => `api::article.article.${name}`);
    const permissions = [{ action, where: { b: { $startsWith: 'open' } } }];
    world.grant('limited', { type: 'custom', permissions } as never);
    const [opened, closed, again] = await world.revisions(path);
    expect(await world.revisions(path, 'limited')).toEqual([opened, again]);
    const show = (revision?: string) => world.send('GET', `${path}/history/${revision}`, undefined, 'limited');
    expect([(await show(opened)).status, (await show(closed)).status]).toEqual([200, 404]);
  });
});

describe('the former versions of a type', () => {
  it('follow its new uid, while another type takes the old one', async () => {
    const path = await created(articles({ ...textsOf('a') }), { a: 'A' });
    const renamed = [
      contentType('post', textsOf('a'), { table: 'articles' }),
      contentType('article', textsOf('b'), { table: 'others' }),
    ];
    await world.change({ types: renamed });
    expect((await firstVersion(`/posts/${path}`)).shown).toMatchObject({ a: 'A' });
    expect(await world.revisions(`/articles/${path}`)).toEqual([]);
  });

  it('are those of the type that takes the uid of a removed one, as are the permissions of tokens', async () => {
    const types = [contentType('article', textsOf('a')), contentType('post', textsOf('a'))];
    await world.change({ types });
    world.grant('full');
    const permissions = ['api::article.article.find', 'api::post.post.findOne'];
    world.grant('limited', { type: 'custom', permissions });
    for (const path of ['/articles', '/posts']) await world.send('POST', path, { a: path });
    await world.change({ types: [contentType('article', textsOf('a'), { table: 'posts' })] });
    const { results } = await world.db.prepare('select type, count(*) as n from edgewise_history group by 1').all();
    expect(results).toEqual([{ type: 'api::article.article', n: 1 }]);
    expect((await world.send('GET', '/articles')).body.data).toMatchObject([{ a: '/posts' }]);
    const stored = world.sqlite.prepare("select permissions from strapi_api_tokens where name = 'limited'").get();
    expect(stored).toEqual({ permissions: '["api::article.article.findOne"]' });
  });

  it('are no matter of a client that was let use the type: what it was let do ends when the type goes or has another uid', async () => {
    const types = [
      contentType('article', textsOf('a')),
      contentType('post', textsOf('a')),
      contentType('tag', textsOf('a')),
    ];
    await world.change({ types });
    const grant = (id: string, uids: readonly string[] | null) =>
      world.sqlite
        .prepare(`insert into edgewise_oauth_grants values (?, 'ann', 'c', 'h', 'n', 'read', ?, 'k', 1, 1, null, 9e15)`)
        .run(id, uids && JSON.stringify(uids));
    grant('all', null);
    grant('of both', ['api::tag.tag', 'api::article.article']);
    grant('of the other', ['api::tag.tag']);
    grant('of what takes the uid', ['api::post.post']);
    await world.change({ types: [contentType('article', textsOf('a'), { table: 'posts' }), types[2] as never] });
    const left = world.sqlite.prepare('select id from edgewise_oauth_grants order by id').all();
    expect(left.map(({ id }) => id)).toEqual(['all', 'of the other']);
    await world.change({ types: [contentType('article', textsOf('a'), { table: 'posts' })] });
    expect(world.sqlite.prepare('select id from edgewise_oauth_grants').all()).toEqual([{ id: 'all' }]);
  });

  it.each([
    ['goes', []],
    ['is replaced by one of its uid', [contentType('article', textsOf('b'), { table: 'others' })]],
  ])('are deleted when it %s', async (_, types) => {
    const path = `/articles/${await created(articles(textsOf('a')), { a: 'A' })}`;
    await world.send('PUT', path, { a: 'B' });
    await world.change({ types: [...types, contentType('tag', textsOf('name'))] });
    expect(world.sqlite.prepare('select * from edgewise_history').all()).toEqual([]);
  });

  it('are counted where it would go, also when it has no documents', async () => {
    const path = `/articles/${await created(articles(textsOf('a')), { a: 'A' })}`;
    await world.send('DELETE', path);
    world.project.remove('content-types');
    await expect(generate(world.project.root, { execute: executeOn(world.db) })).rejects.toThrow(
      'article: content type removed, with all its documents (0 rows and 2 former versions of the local database)',
    );
  });
});

describe('the former versions of a collection type that becomes a single type', () => {
  const single = (name: string) => contentType(name, textsOf('a'), { single: true, table: 'articles' });
  const create = async (a: string) =>
    String((await world.send('POST', '/articles', { a })).body.data.documentId) as string;

  /** The first document, with two versions; another one with two; and one that was deleted, with two. */
  async function threeDocuments() {
    const kept = await created(articles(textsOf('a')), { a: 'kept' });
    const [other, deleted] = [await create('other'), await create('deleted')];
    for (const id of [kept, other]) await world.send('PUT', `/articles/${id}`, { a: 'later' });
    const [revision] = await world.revisions(`/articles/${other}`);
    await world.send('DELETE', `/articles/${deleted}`);
    return { kept, other: revision };
  }

  it.each(['article', 'post'])('are those of the document that is kept, as %s', async (name) => {
    const { kept, other } = await threeDocuments();
    await world.change({ types: [single(name)] });
    const stored = world.sqlite.prepare('select document_id as id, size from edgewise_history').all();
    expect(stored.map(({ id }) => id)).toEqual([kept, kept]);
    const total = world.sqlite.prepare("select total from edgewise_counters where status = 'bytes'").get();
    expect(total).toMatchObject({ total: stored.reduce((sum, { size }) => sum + Number(size), 0) });
    expect(await world.revisions(`/${name}`)).toHaveLength(2);
    expect((await world.send('POST', `/${name}/actions/restore`, { revision: other })).status).toBe(404);
    expect((await firstVersion(`/${name}`)).restored).toMatchObject({ documentId: kept, a: 'kept' });
  });

  it('all go if no document is there', async () => {
    const path = `/articles/${await created(articles(textsOf('a')), { a: 'A' })}`;
    await world.send('DELETE', path);
    await world.change({ types: [single('article')] });
    expect(world.sqlite.prepare('select * from edgewise_history').all()).toEqual([]);
  });

  it('are counted with the documents that are lost', async () => {
    await threeDocuments();
    world.project.remove('content-types');
    world.project.schemas(single('article'));
    await expect(generate(world.project.root, { execute: executeOn(world.db) })).rejects.toThrow(
      'article: collection type becomes single type: only the first document is kept (1 row and 4 former versions of the local database)',
    );
  });
});

describe('after a type has got or lost locales', () => {
  const localized = { pluginOptions: { i18n: { localized: true } } };
  const toTag = { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag' };
  const links = { tags: toTag, any: { type: 'relation', relation: 'morphToMany' } };
  const linking = { ...links, part: { type: 'component', component: 'shared.part', ...localized } };
  const modelOf = (types: readonly string[]): Model => ({
    types: ['tag', 'article'].map((name) => {
      const isLocalized = types.includes(name);
      const text = { ...STRING, ...(isLocalized && localized) };
      return contentType(name, { text, ...(name === 'article' && linking) }, { localized: isLocalized });
    }),
    components: [component('shared.part', links)],
  });

  it.each<readonly [what: string, before: readonly string[], after: readonly string[]]>([
    ['it has got them', [], ['article']],
    ['it has lost them', ['article'], []],
    ['its target has got them', [], ['tag']],
    ['its target has lost them', ['tag'], []],
    ['both have got them', [], ['tag', 'article']],
    ['both have lost them', ['tag', 'article'], []],
    ['it has got those of its target', ['tag'], ['tag', 'article']],
    ['it has lost those of its target', ['tag', 'article'], ['tag']],
    ['its target has got its own', ['article'], ['tag', 'article']],
    ['its target has lost its own', ['tag', 'article'], ['article']],
  ])('a former version is shown and restored as it was: %s', async (_, before, after) => {
    await world.change(modelOf(before));
    world.grant('full');
    const tag = String((await world.send('POST', '/tags', { text: 'red' })).body.data.documentId);
    const linked = { tags: [tag], any: [{ __type: 'api::tag.tag', documentId: tag }] };
    const { data } = (await world.send('POST', '/articles', { text: 'then', ...linked, part: linked })).body;
    const path = `/articles/${data.documentId}`;
    await world.change(modelOf(after));
    expect((await world.send('PUT', path, { text: 'now', tags: [], any: [], part: null })).status).toBe(200);
    expect(await world.revisions(path)).toHaveLength(2);
    const { shown, restored } = await firstVersion(
      path,
      'populate[tags]=true&populate[any]=true&populate[part][populate]=*',
    );
    const red = [expect.objectContaining({ text: 'red' })];
    const all = { tags: red, any: red };
    const expected = { documentId: data.documentId, text: 'then', ...all, part: expect.objectContaining(all) };
    expect([shown, restored]).toMatchObject([expected, expected]);
  });
});
