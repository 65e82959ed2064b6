/**
 * @module A site of ten documents that an agent makes by tools alone: three locales, zones, relations and pictures. What the
 * public sees of it is read over REST.
 */
import { expect, it } from 'vitest';
import { documentOf } from '../../support/client.ts';
import { localesOf } from '../../support/locales.ts';
import { png } from '../../support/pictures.ts';
import { sendJson } from '../../support/recorded.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const localized = { pluginOptions: { i18n: { localized: true } } };
const picture = { type: 'media', allowedTypes: ['images'] };
const zone = { type: 'dynamiczone', components: ['page.text', 'page.teaser'], ...localized };
const registry = registryOf(
  [
    contentType('author', { name: { type: 'string', required: true }, portrait: picture }),
    contentType(
      'article',
      {
        ...{ title: { type: 'string', required: true, ...localized }, cover: picture },
        author: relation('manyToOne', 'author'),
        body: { type: 'richtext', ...localized },
      },
      { drafts: true, localized: true },
    ),
    contentType('page', { title: { type: 'string', ...localized }, zone }, { drafts: true, localized: true }),
    contentType(
      'home',
      { title: { type: 'string', ...localized }, zone },
      { single: true, drafts: true, localized: true },
    ),
  ],
  [
    component('page.text', { heading: { type: 'string' }, body: { type: 'richtext' }, picture }),
    component('page.teaser', { article: relation('oneToOne', 'article') }),
  ],
);
const LOCALES = ['en', 'fr', 'de'];
const { send } = openWorld(registry, {
  mcp: true,
  history: true,
  i18n: localesOf(...LOCALES),
  roles: {
    public: ['author', 'article', 'page', 'home'].flatMap((name) => [
      `api::${name}.${name}.find`,
      `api::${name}.${name}.findOne`,
    ]),
  },
});

// biome-ignore lint/suspicious/noExplicitAny: JSON of any tool
async function called(name: string, args: object): Promise<any> {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any tool
  return ((await (await send('/mcp', sendJson('POST', 'full', call))).json()) as { result: any }).result;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of any tool
async function use(name: string, args: object): Promise<any> {
  const result = await called(name, args);
  expect(result?.isError, JSON.stringify(result)).toBeUndefined();
  return result.structuredContent;
}

async function failure(name: string, args: object): Promise<object> {
  const result = await called(name, args);
  expect(result?.isError, JSON.stringify(result)).toBe(true);
  return result.structuredContent.error;
}

async function uploaded(name: string): Promise<number> {
  const base64 = btoa(String.fromCharCode(...(await png(40, 30))));
  return (await use('upload', { name, mimeType: 'image/png', base64, alternativeText: name })).data.id;
}

/** Publishes what a dry run names. */
async function publish(place: object): Promise<void> {
  const decision = { ...place, action: 'publish' };
  const { done, revision } = await use('change_publication', decision);
  expect(done).toBe(false);
  expect((await use('change_publication', { ...decision, dryRun: false, revision })).done).toBe(true);
}

const seen = (path: string) => documentOf(send(`/api/${path}`));

it('ten documents are made, published, changed and restored by tools alone', async () => {
  const { types } = await use('describe', {});
  expect(types.map(({ type }: { type: string }) => type).sort()).toEqual(['articles', 'authors', 'home', 'pages']);
  const [portrait, cover] = [await uploaded('portrait.png'), await uploaded('cover.png')];

  const create = (type: string, data: object) => ({ action: 'create', type, data });
  const { data: made } = await use('batch', {
    requests: [
      create('authors', { name: 'Ann', portrait }),
      create('authors', { name: 'Ben' }),
      ...[0, 1, 0].map((author, index) =>
        create('articles', { title: `Article ${index} en`, author: `$ref:${author}`, cover }),
      ),
    ],
  });
  const articles = made.slice(2).map(({ documentId }: { documentId: string }) => documentId);
  const zoneOf = (locale: string) => [
    { __component: 'page.text', heading: `Heading ${locale}`, body: '**bold**', picture: cover },
    { __component: 'page.teaser', article: articles[0] },
  ];
  const pages: string[] = [];
  for (const title of ['About', 'Contact', 'Shop', 'Press']) {
    const { data } = await use('create', { type: 'pages', data: { title: `${title} en`, zone: zoneOf('en') } });
    pages.push(data.documentId);
  }
  for (const locale of ['fr', 'de'])
    for (const [index, documentId] of articles.entries()) {
      const data = { title: `Article ${index} ${locale}`, author: made[index % 2].documentId };
      await use('update', { type: 'articles', documentId, locale, data });
    }
  for (const locale of LOCALES) {
    await use('update', { type: 'home', locale, data: { title: `Home ${locale}`, zone: zoneOf(locale) } });
    if (locale === 'en') continue;
    for (const documentId of pages)
      await use('update', {
        type: 'pages',
        documentId,
        locale,
        data: { title: `Page ${locale}`, zone: zoneOf(locale) },
      });
  }
  const all = [...made.map(({ documentId }: { documentId: string }) => documentId), ...pages];
  expect(new Set(all).size + 1).toBe(10);
  expect((await send(`/api/pages/${pages[0]}`)).status).toBe(404);
  for (const locale of LOCALES) {
    for (const documentId of articles) await publish({ type: 'articles', documentId, locale });
    await publish({ type: 'home', locale });
    for (const documentId of pages) await publish({ type: 'pages', documentId, locale });
  }
  const deep =
    'populate[zone][on][page.text][populate]=picture&populate[zone][on][page.teaser][populate][article][populate]=author';
  for (const locale of LOCALES) {
    const home = await seen(`home?locale=${locale}&${deep}`);
    expect(home).toMatchObject({ title: `Home ${locale}`, locale });
    expect(home.zone).toMatchObject([
      { heading: `Heading ${locale}`, picture: { name: 'cover.png', width: 40 } },
      { article: { title: `Article 0 ${locale}`, author: { name: 'Ann' } } },
    ]);
  }

  const [page] = pages;
  const place = { type: 'pages', documentId: page, locale: 'de' };
  const blind = await failure('update', { ...place, data: { title: 'blind' } });
  expect(blind).toMatchObject({ path: 'revision', next: expect.stringContaining('get returns the document') });
  const step = { action: 'update', ...place, data: { title: 'blind' } };
  expect(await failure('batch', { requests: [step] })).toMatchObject({ path: 'requests.0.revision' });
  const { revision } = await use('get', { ...place, status: 'draft' });
  const changed = await use('update', { ...place, revision, data: { title: 'Verändert', zone: [] } });
  expect(changed.difference.title).toEqual({ published: 'Page de', draft: 'Verändert' });
  await publish(place);
  expect(await seen(`pages/${page}?locale=de&populate=zone`)).toMatchObject({ title: 'Verändert', zone: [] });

  const { data: versions } = await use('history', { type: 'pages', documentId: page });
  const former = versions.findLast(
    (each: { locale: string; version: string }) => each.locale === 'de' && each.version === 'published',
  );
  await use('restore', { type: 'pages', documentId: page, version: former.revision });
  await publish(place);
  const restored = await seen(`pages/${page}?locale=de&${deep}`);
  expect(restored).toMatchObject({
    title: 'Page de',
    zone: [{ heading: 'Heading de' }, { article: { title: 'Article 0 de' } }],
  });
});
