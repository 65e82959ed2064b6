/**
 * @module Filters, sort and states in `populate`: of components inside components, of zones, and of targets with drafts.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { documentOf, errorOf } from '../../support/client.ts';
import { openMagazine } from '../../support/world.ts';

const { client, send: app } = openMagazine({
  roles: { public: ['api::author.author.find', 'api::article.article.find'] },
});
let path = '';
let author = '';

beforeAll(async () => {
  author = (await documentOf(client.create('/api/authors', { name: 'Ann' }))).documentId;
  const alternates = [
    { label: 'fr', href: '/fr', weight: 9 },
    { label: 'de', href: '/de', weight: 1 },
  ];
  const card = { title: 'C', link: { label: 'L', href: '/l' } };
  const data = {
    title: 'Holder',
    author,
    seo: { metaTitle: 'MT', robots: 'index', card, alternates },
    facts: [{ label: 'one', source: { label: 'S', href: '/s', weight: 3 } }, { label: 'two' }],
    sections: [
      { __component: 'blocks.quote', text: 'calm', mood: 'calm' },
      { __component: 'blocks.quote', text: 'angry', mood: 'angry' },
    ],
  };
  path = `/api/articles/${(await documentOf(client.create('/api/articles', data))).documentId}`;
});

const shown = async (search: string): Promise<unknown> =>
  JSON.parse(
    JSON.stringify(await documentOf(client.get(`${path}?fields=title&${search}`)), (key, value) =>
      ['id', 'documentId', 'title', 'href', 'weight', '__component'].includes(key) ? undefined : value,
    ),
  );

describe('a list in populate is refused below an attribute', () => {
  it.each([
    ['populate[seo][populate]=card,alternates', 'Invalid key card,alternates at seo'],
    ['populate[seo][populate][0]=card,alternates', 'Invalid key card,alternates at seo'],
    ['populate[seo][populate]=card.link,alternates', 'Invalid key link,alternates at seo.card'],
    ['populate[seo][populate]=', 'Invalid key  at seo'],
    ['populate[sections][on][blocks.callout][populate]=card,articles', 'Invalid key card,articles at sections'],
  ])('%s', async (search, message) => {
    expect(await errorOf(client.get(`${path}?${search}`))).toMatchObject({ status: 400, message });
  });
});

describe('a text in place of what is wanted of an attribute is refused', () => {
  it.each([
    ['populate[author]=nope', 'Invalid key nope at author', 'author'],
    ['populate[author]=nope,name', 'Invalid key nope,name at author', 'author'],
    ['populate[author]=author', 'Invalid key author', 'author'],
    ['populate[author]=name.x', 'Invalid key name at author.name', 'author.name'],
    ['populate[author][]=name', 'Invalid key name at author.name', 'author.name'],
    ['populate[author][]=nope', 'Invalid key nope at author', 'author'],
    ['populate[seo][populate][card]=nope', 'Invalid key nope at seo.card', 'seo.card'],
    ['populate[sections][on][blocks.quote]=nope', 'Invalid key nope at sections', 'sections'],
    ['populate[sections][on][]=nope', 'Invalid key 0 at sections.on.0', 'sections.on.0'],
  ])('%s', async (search, message, at) => {
    expect(await errorOf(client.get(`${path}?${search}`))).toMatchObject({
      status: 400,
      message,
      details: { path: at },
    });
  });

  it.each([
    'populate[author][]=true',
    'populate[sections][on][blocks.quote][]=true',
    'populate[sections][on][blocks.quote]',
  ])('%s', async (search) => {
    expect(await errorOf(client.get(`${path}?${search}`))).toMatchObject({
      status: 400,
      message: "Invalid nested populate. Expected '*' or an object",
    });
  });

  it('and so is what is no option of a zone', async () => {
    expect(await errorOf(client.get(`${path}?populate[sections][x]=1`))).toMatchObject({
      message:
        'Invalid nested populate for article.sections (api::article.article). Expected a fragment ("on") or "count" but found {"x":"1"}',
    });
  });
});

it.each([
  ['populate=.author.', { author: { name: 'Ann' } }],
  ['populate=.', {}],
  ['populate[author][filters]=', { author: { name: 'Ann' } }],
  ['populate[sections][on]=', { sections: [] }],
  ['populate[sections][on][blocks.quote]=false', { sections: [{ text: 'calm' }, { text: 'angry' }] }],
  [
    'populate[sections][on][blocks.quote][filters][mood]=calm&populate[sections][x]=1&populate[sections][fields]=text',
    { sections: [{ text: 'calm', mood: 'calm' }] },
  ],
])('passes over what says nothing in %s', async (search, expected) => {
  expect(await shown(search)).toMatchObject(expected);
});

it.each([
  ['populate[seo][fields]=robots&populate[seo][filters][metaTitle]=X', { seo: null }],
  ['populate[seo][fields]=robots&populate[seo][filters][card][title]=C', { seo: { robots: 'index' } }],
  [
    'populate[seo][fields]=robots&populate[seo][populate][card][populate][link][filters][label]=x',
    { seo: { robots: 'index', card: { link: null } } },
  ],
  [
    'populate[seo][fields]=robots&populate[seo][populate][alternates][sort]=label',
    { seo: { robots: 'index', alternates: [{ label: 'de' }, { label: 'fr' }] } },
  ],
  [
    'populate[seo][fields]=robots&populate[seo][populate][alternates][filters][weight][$gt]=5',
    { seo: { robots: 'index', alternates: [{ label: 'fr' }] } },
  ],
  [
    'populate[facts][fields]=label&populate[facts][populate][source][filters][weight]=4',
    {
      facts: [
        { label: 'one', source: null },
        { label: 'two', source: null },
      ],
    },
  ],
  [
    'populate[sections][on][blocks.quote][fields]=text&populate[sections][on][blocks.quote][filters][mood]=calm',
    { sections: [{ text: 'calm' }] },
  ],
])('%s', async (search, expected) => {
  expect(await shown(search)).toEqual(expected);
});

describe('publicationFilter', () => {
  const search = 'publicationFilter=modified&populate[articles][fields]=title';

  it('is refused to who may not read the drafts of what it reaches', async () => {
    expect((await app(`/api/authors?${search}`)).status).toBe(403);
    expect((await app('/api/authors?publicationFilter=modified')).status).toBe(200);
  });

  it('reaches the targets that have drafts', async () => {
    const articles = async () => (await documentOf(client.get(`/api/authors/${author}?${search}`))).articles;
    expect(await articles()).toEqual([]);
    await documentOf(client.update(`${path}?status=draft`, { summary: 'changed' }));
    expect(await articles()).toMatchObject([{ title: 'Holder' }]);
  });
});
