/**
 * @module Relations with `connect` or `disconnect` beside `set`, and `{set: null}`: as a Strapi 5.54 answered on filled
 * relations, and as Edgewise does by default.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { createRegistryTables, serveRegistry } from '../../support/app.ts';
import { type ApiDocument, clientOf, documentOf, errorOf } from '../../support/client.ts';
import { recordedRegistry, sendJson, serve } from '../../support/recorded.ts';
import { formOf, picture, postForm, uploaded } from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';
import { shopRegistry, type Target, target } from '../../support/worlds/shop.ts';

const STRAPI = { compatibility: 'strapi' } as const;
const { client, send } = openMagazine({ mcp: true });
const likeStrapi = clientOf(serve(STRAPI), 'full');

/** Three of each. */
const ids: Record<'tags' | 'authors' | 'articles' | 'pictures', (string | number)[]> = {
  ...{ tags: [], authors: [], articles: [], pictures: [] },
};

type Kind = 'relations' | 'relation' | 'media' | 'picture';

interface Place {
  readonly kind: Kind;
  readonly path: string;
  readonly targets: keyof typeof ids;
  /** Makes data of the value; its component keeps the rest with its id. */
  data(value: unknown, id?: number): Readonly<Record<string, unknown>>;
  value(document: ApiDocument): unknown;
}

const ofArticle = (kind: Kind, name: string, targets: Place['targets']): Place => ({
  ...{ kind, path: name, targets },
  data: (value) => ({ [name]: value }),
  value: (document) => document[name],
});

const inZone = (kind: Kind, component: object, name: string, targets: Place['targets']): Place => ({
  ...{ kind, path: `sections[0].${name}`, targets },
  data: (value, id) => ({ sections: [{ ...component, ...(id && { id }), [name]: value }] }),
  value: ({ sections }) => (sections as readonly Readonly<Record<string, unknown>>[])[0]?.[name],
});

const PLACES: readonly Place[] = [
  ofArticle('relations', 'tags', 'tags'),
  ofArticle('relation', 'author', 'authors'),
  ofArticle('media', 'gallery', 'pictures'),
  ofArticle('picture', 'cover', 'pictures'),
  inZone('relations', { __component: 'blocks.callout', title: 'Look' }, 'articles', 'articles'),
  inZone('relation', { __component: 'blocks.quote', text: 'Ha' }, 'speaker', 'authors'),
  inZone('media', { __component: 'blocks.gallery' }, 'images', 'pictures'),
  {
    ...{ kind: 'picture', path: 'seo.shareImage', targets: 'pictures' },
    data: (value, id) => ({ seo: { metaTitle: 'Title', ...(id && { id }), shareImage: value } }),
    value: ({ seo }) => (seo as Readonly<Record<string, unknown>>).shareImage,
  },
];

const SHOWN = [
  ...['tags', 'author', 'gallery', 'cover'].map((name) => `populate[${name}]=true`),
  'populate[seo][populate]=shareImage',
  ...[
    ['callout', 'articles'],
    ['quote', 'speaker'],
    ['gallery', 'images'],
  ].map(([component, name]) => `populate[sections][on][blocks.${component}][populate]=${name}`),
].join('&');
const QUERY = `?status=draft&${SHOWN}`;

/** The numbers of the targets that a place has. */
function numbersOf({ targets, value }: Place, document: ApiDocument): unknown {
  const numberOf = (each: unknown) => {
    const { id, documentId } = each as ApiDocument;
    return ids[targets].findIndex((known) => known === documentId || known === id) + 1;
  };
  const found = value(document);
  if (Array.isArray(found)) return found.map(numberOf);
  return found === null ? null : numberOf(found);
}

const isMany = ({ kind }: Place): boolean => kind === 'relations' || kind === 'media';

/** Creates an article with targets 1 and 2 in a place, or 1. */
async function filled(place: Place) {
  const [first, second] = ids[place.targets];
  const data = { title: 'Filled', ...place.data(isMany(place) ? [first, second] : first) };
  const document = await documentOf(client.create(`/api/articles${QUERY}`, data));
  const { sections, seo } = document as { sections?: readonly { id: number }[]; seo?: { id: number } };
  return { path: `/api/articles/${document.documentId}${QUERY}`, inner: sections?.[0]?.id ?? seo?.id };
}

/** Replaces numbers by ids of targets. */
const withIds = (value: unknown, { targets }: Place): unknown =>
  JSON.parse(JSON.stringify(value), (_, each) => (typeof each === 'number' ? ids[targets][each - 1] : each));

beforeAll(async () => {
  for (const number of [1, 2, 3]) {
    for (const route of ['tags', 'authors', 'articles'] as const) {
      const data = route === 'articles' ? { title: `Article ${number}` } : { name: `${route} ${number}` };
      ids[route].push((await documentOf(client.create(`/api/${route}`, data))).documentId);
    }
    const [file] = await uploaded(postForm(send, formOf([await picture(number)])));
    ids.pictures.push(file?.id ?? 0);
  }
});

/** What Strapi has done with a value, by the kind of the attribute. */
const RECORDED: readonly (readonly [unknown, Readonly<Record<Kind, unknown>>])[] = [
  [{ set: null }, { relations: [1, 2], relation: 1, media: [], picture: null }],
  [
    { set: null, connect: [], disconnect: [] },
    { relations: [1, 2], relation: 1, media: [], picture: null },
  ],
  [
    { set: null, disconnect: [3] },
    { relations: [1, 2], relation: 1, media: [1, 2], picture: 1 },
  ],
  [null, { relations: [], relation: null, media: [], picture: null }],
  [{ set: [] }, { relations: [], relation: null, media: [], picture: null }],
  [
    { set: [3], connect: [1] },
    { relations: [3], relation: 3, media: [3], picture: 3 },
  ],
  [
    { set: [3], disconnect: [3] },
    { relations: [3], relation: 3, media: [3], picture: 3 },
  ],
  [
    { set: [3], connect: [], disconnect: [] },
    { relations: [3], relation: 3, media: [3], picture: 3 },
  ],
  [
    { set: [], connect: [3] },
    { relations: [], relation: null, media: [], picture: null },
  ],
  [
    { set: [], disconnect: [1] },
    { relations: [], relation: null, media: [], picture: null },
  ],
  [
    { set: null, connect: [3] },
    { relations: [1, 2, 3], relation: 3, media: [1, 2, 3], picture: 1 },
  ],
  [
    { set: null, disconnect: [1] },
    { relations: [2], relation: null, media: [2], picture: null },
  ],
  [
    { set: null, connect: [3], disconnect: [1] },
    { relations: [2, 3], relation: 3, media: [2, 3], picture: 3 },
  ],
];

const CASES = PLACES.flatMap((place) => RECORDED.map(([value, expected]) => ({ place, value, expected })));
const named = CASES.map(
  ({ place, value, expected }) => [place.path, JSON.stringify(value), place, value, expected] as const,
);

describe("with compatibility: 'strapi'", () => {
  it.each(named)('%s is written by %s as in Strapi', async (_, __, place, value, expected) => {
    const { path, inner } = await filled(place);
    const document = await documentOf(likeStrapi.update(path, place.data(withIds(value, place), inner)));
    expect(numbersOf(place, document)).toEqual(expected[place.kind]);
  });
});

const isMixed = (value: unknown): boolean =>
  Object.entries((value ?? {}) as object).some(([key, list]) => key !== 'set' && list.length > 0);

describe('by default', () => {
  it.each(named.filter(([, , , value]) => !isMixed(value)))('%s is cleared or set by %s', async (_, __, ...rest) => {
    const [place, value] = rest;
    const { path, inner } = await filled(place);
    const document = await documentOf(client.update(path, place.data(withIds(value, place), inner)));
    const set = ((value ?? {}) as { set?: readonly number[] }).set ?? [];
    expect(numbersOf(place, document)).toEqual(isMany(place) ? set : (set[0] ?? null));
  });

  it.each(named.filter(([, , , value]) => isMixed(value)))('%s rejects %s', async (at, __, ...rest) => {
    const [place, value] = rest;
    const { path, inner } = await filled(place);
    const { status, name, message, details } = await errorOf(
      client.update(path, place.data(withIds(value, place), inner)),
    );
    const expected = `${at} has "set" beside "connect" or "disconnect". Expected "set" alone, or the others`;
    expect({ status, name, message }).toEqual({ status: 400, name: 'ValidationError', message: expected });
    const keys = at.split(/[.[\]]+/);
    expect(details).toEqual({ errors: [{ path: keys, message: expected, name: 'ValidationError' }] });
    const kept = await documentOf(client.get(path));
    expect(numbersOf(place, kept)).toEqual(isMany(place) ? [1, 2] : 1);
  });

  it('a create names every mixed relation', async () => {
    const [tag] = ids.tags;
    const [author] = ids.authors;
    const data = { title: 'Mixed', tags: { set: [], connect: [tag] }, author: { set: null, disconnect: [author] } };
    const { message, details } = await errorOf(client.create('/api/articles', data));
    expect(message).toBe('2 errors occurred');
    expect(details).toMatchObject({ errors: [{ path: ['author'] }, { path: ['tags'] }] });
  });

  it('one target beside `set` may stand without a list', async () => {
    const data = { title: 'Mixed', author: { set: [ids.authors[0]], connect: ids.authors[1] } };
    expect((await errorOf(client.create('/api/articles', data))).message).toContain('author has "set" beside');
  });

  it('an attribute of the name `set` in a json value stays', async () => {
    const extra = { set: null, connect: [1] };
    expect((await documentOf(client.create('/api/articles', { title: 'Json', extra }))).extra).toEqual(extra);
  });

  it('a batch names the request, and writes nothing', async () => {
    const requests = [
      { method: 'POST', path: '/api/tags', body: { data: { name: 'Never' } } },
      { method: 'POST', path: '/api/articles', body: { data: { title: 'Mixed', tags: { set: [], connect: ['x'] } } } },
    ];
    const { status, details } = await errorOf(send('/api/batch', sendJson('POST', 'full', { requests })));
    expect({ status, details }).toMatchObject({ status: 400, details: { request: 1, errors: [{ path: ['tags'] }] } });
    expect(await (await client.get('/api/tags?filters[name]=Never')).json()).toMatchObject({ data: [] });
  });
});

describe('the code of a project', () => {
  const dataOf = { tags: {} as unknown };
  const withCode = (settings: object) =>
    clientOf(
      serveRegistry(recordedRegistry, settings, {}, undefined, {
        beforeWrite: { 'api::article.article': (data) => ({ ...data, ...dataOf }) },
      }),
      'full',
    );

  it('gets the error, too', async () => {
    dataOf.tags = { set: [ids.tags[0]], connect: [ids.tags[1]] };
    const { message } = await errorOf(withCode({}).create('/api/articles', { title: 'Hooked' }));
    expect(message).toContain('tags has "set" beside');
    expect((await withCode(STRAPI).create('/api/articles', { title: 'Hooked' })).status).toBe(201);
  });

  it('clears by null', async () => {
    const { documentId } = await documentOf(client.create('/api/articles', { title: 'Filled', tags: [ids.tags[0]] }));
    dataOf.tags = { set: null };
    const path = `/api/articles/${documentId}?populate=tags`;
    expect((await documentOf(withCode(STRAPI).update(path, {}))).tags).toHaveLength(1);
    expect((await documentOf(withCode({}).update(path, {}))).tags).toEqual([]);
  });
});

describe('tools', () => {
  const tools = [send, serve({ ...STRAPI, mcp: true })];

  async function updated(index: number, data: object) {
    const { documentId } = await documentOf(
      client.create(`/api/articles${QUERY}`, { title: 'Filled', tags: [ids.tags[0]], author: ids.authors[0] }),
    );
    const use = async (name: string, args: object) => {
      const params = { name, arguments: { type: 'articles', documentId, ...args } };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const response = await (tools[index] ?? send)('/mcp', sendJson('POST', 'full', message));
      // biome-ignore lint/suspicious/noExplicitAny: JSON of any tool
      return ((await response.json()) as any).result.structuredContent;
    };
    const { revision } = await use('get', { status: 'draft' });
    const { error } = await use('update', { revision, data });
    const { tags, author } = await documentOf(client.get(`/api/articles/${documentId}${QUERY}`));
    return { error, tags, author };
  }

  it.each([0, 1])('clear relations by null in both modes (%i)', async (index) => {
    for (const value of [null, { set: null }])
      expect(await updated(index, { tags: value, author: value })).toEqual({ tags: [], author: null });
  });

  it.each([0, 1])('reject mixed relations in both modes (%i)', async (index) => {
    const { error, tags } = await updated(index, { tags: { set: null, connect: [ids.tags[1]] } });
    expect(error.message).toContain('tags has "set" beside');
    expect(tags).toHaveLength(1);
  });
});

describe('polymorphic relations', () => {
  const morph = clientOf(serveRegistry(shopRegistry), 'full');
  const morphLikeStrapi = clientOf(serveRegistry(shopRegistry, STRAPI), 'full');
  let shop: Target;
  let other: Target;

  beforeAll(async () => {
    await createRegistryTables(shopRegistry);
    shop = await target(morph, 'shop', { name: 'Corner' });
    other = await target(morph, 'shop', { name: 'Other' });
  });

  async function itemsAfter(by: typeof morph, items: unknown): Promise<unknown> {
    const menu = await target(morph, 'menu', { title: 'Main', items: [shop] });
    const path = `/api/menus/${menu.documentId}?populate=items`;
    return (await documentOf(by.update(path, { items }))).items;
  }

  it.each([[[]], [{ set: [] }], [{ set: null }], [null]])('to many are cleared by %j', async (items) => {
    expect(await itemsAfter(morph, items)).toEqual([]);
  });

  it.each([[[]], [{ set: [] }], [{ set: null }]])('to many keep their links at %j in Strapi', async (items) => {
    expect(await itemsAfter(morphLikeStrapi, items)).toHaveLength(1);
  });

  it('are rejected when mixed, and with `strapi` an empty `set` is ignored', async () => {
    const items = { set: [], connect: [other] };
    await expect(itemsAfter(morph, items)).rejects.toThrow('items has');
    expect(await itemsAfter(morphLikeStrapi, items)).toHaveLength(2);
  });
});
