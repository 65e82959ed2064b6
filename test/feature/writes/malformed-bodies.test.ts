/**
 * @module Bodies that would break the code that reads them, or store what no other request can read.
 */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { documentOf, documentsOf, errorOf } from '../../support/client.ts';
import { everything } from '../../support/everything.ts';
import { recordedRegistry, sendJson } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client, send } = openMagazine();

const times = <T>(count: number, item: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => item(index));

/** Expects a 400 that stores nothing. */
async function refusal(data: unknown) {
  const before = await everything(recordedRegistry);
  const refused = await errorOf(client.create('/api/articles?status=draft', data));
  expect(refused.status).toBe(400);
  expect(await everything(recordedRegistry)).toEqual(before);
  return refused;
}

const NO_TEXT = { toString: 1, valueOf: 1 };
const section = (data: object) => ({ sections: [{ __component: 'blocks.callout', title: 'a', ...data }] });

describe('an object in place of a text', () => {
  it.each<readonly [string, object]>([
    ['the component of a zone', { sections: [{ __component: NO_TEXT }] }],
    ['the format of a list', { content: [{ type: 'list', format: NO_TEXT, children: [] }] }],
    ['the level of a heading', { content: [{ type: 'heading', level: NO_TEXT, children: [] }] }],
    [
      'the address of a link',
      { content: [{ type: 'paragraph', children: [{ type: 'link', url: NO_TEXT, children: [] }] }] },
    ],
    ['the type of a block', { content: [{ type: NO_TEXT }] }],
    ['the blocks of a component', section({ body: [{ type: 'list', format: NO_TEXT, children: [] }] })],
    ['a number', { readingTime: NO_TEXT }],
    ['a date', { publishDate: NO_TEXT }],
    ['a text', { title: NO_TEXT }],
  ])('%s is a 400', async (_, data) => {
    await refusal({ title: 'Hostile', ...data });
  });
});

describe('JSON as text', () => {
  const lists = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const blocks = (levels: number) =>
    `${'[{"type":"list","format":"ordered","children":'.repeat(levels)}[{"type":"list-item","children":[{"type":"text","text":"a"}]}]${'}]'.repeat(levels)}`;

  it.each<readonly [string, object]>([
    ['a json attribute, 101 levels', { extra: lists(101) }],
    ['a json attribute, 100,000 levels', { extra: lists(100_000) }],
    ['blocks, 104 levels', { content: blocks(50) }],
    ['blocks, 1,040 levels', { content: blocks(520) }],
    ['blocks, 100,000 levels', { content: blocks(10_000) }],
    ['blocks of a component, 1,040 levels', section({ body: blocks(520) })],
  ])('has the depth limit of a body: %s', async (_, data) => {
    expect((await refusal({ title: 'Deep', ...data })).details).toMatchObject({ limit: 'bodyDepth', source: 'body' });
  });

  it('of the maximum depth can be read and filtered by', async () => {
    const data = { title: 'Deep', extra: lists(100), content: blocks(48), ...section({ body: blocks(48) }) };
    await documentOf(client.create('/api/articles?status=draft', data));
    for (const search of [
      'filters[sections][title][$eq]=a',
      'filters[extra][$notNull]=true',
      'populate=*',
      'sort=seo.metaTitle',
      'populate[related][populate]=*',
    ]) {
      const response = client.get(`/api/articles?status=draft&${search}`);
      expect([search, [200, 400].includes((await response).status)]).toEqual([search, true]);
    }
    expect(await documentsOf(client.get('/api/articles?status=draft&populate=*'))).not.toEqual([]);
  });

  it('that is not valid is a text, however many brackets it has', async () => {
    const { extra } = await documentOf(
      client.create('/api/articles?status=draft', { title: 'Text', extra: '['.repeat(500) }),
    );
    expect(extra).toBe('['.repeat(500));
  });
});

describe('entries of a body', () => {
  const LIMIT = 5_000;

  it.each<readonly [string, object]>([
    ['a repeatable component', { links: times(LIMIT + 1, () => null) }],
    ['a zone', { sections: times(LIMIT + 1, () => ({})) }],
    ['a relation', { tags: times(LIMIT + 1, (id) => id) }],
    ['a relation by operations', { tags: { connect: times(3_000, (id) => id), disconnect: times(3_000, (id) => id) } }],
    ['media', { gallery: { set: times(LIMIT + 1, (id) => id) } }],
    ['components of components', { sections: [{ __component: 'blocks.gallery', links: times(LIMIT, () => ({})) }] }],
    ['relations of components', section({ articles: times(LIMIT, (id) => id) })],
    ['blocks', { content: times(LIMIT + 1, () => 1) }],
    ['nodes of blocks', { content: [{ type: 'paragraph', children: times(LIMIT, () => 1) }] }],
    ['blocks as text', { content: `[${times(LIMIT + 1, () => 1)}]` }],
    [
      'all together',
      { links: times(2_000, () => ({})), tags: times(2_000, (id) => id), gallery: times(2_000, (id) => id) },
    ],
  ])('of %s are limited', async (_, data) => {
    expect(await refusal({ title: 'Many', ...data })).toMatchObject({
      message: `Too many entries in the lists of the body. Expected at most ${LIMIT}`,
      details: { limit: 'bodyEntries', source: 'body' },
    });
  });

  it('are not the items of a JSON attribute', async () => {
    const extra = times(100_000, (index) => index);
    const document = await documentOf(client.create('/api/articles?status=draft', { title: 'Numbers', extra }));
    expect(document.extra).toHaveLength(100_000);
  });
});

describe('an error', () => {
  const long = 'a'.repeat(1_000_000);

  it.each<readonly [string, unknown]>([
    ['a long text', { title: long }],
    ['a long text that is none of the listed', { tone: long }],
    ['a long number', { readingTime: long }],
    ['a long list for a text', { title: times(200_000, () => 1) }],
    ['a long key', { [long]: 1 }],
    ['a long key of a component', { seo: { [long]: 1 } }],
    ['a long documentId', { author: long }],
    ['thousands of wrong components', { links: times(4_000, () => ({ label: 'a'.repeat(200) })) }],
    ['thousands of wrong blocks', { content: times(4_000, () => ({ type: 'image' })) }],
    ['a list in place of data', times(200_000, () => 'a')],
    ['deep lists in place of data', times(5_000, () => JSON.parse(`${'['.repeat(90)}${']'.repeat(90)}`))],
  ])('does not repeat all of %s', async (_, data) => {
    const response = await send('/api/articles', sendJson('POST', 'full', { data }));
    expect(response.status).toBe(400);
    expect((await response.text()).length).toBeLessThan(250_000);
  });

  it('repeats values of the usual size completely', async () => {
    const title = 'a'.repeat(1_500);
    const { details } = await refusal({ title });
    expect(details).toEqual({
      errors: [
        { path: ['title'], message: 'title must be at most 80 characters', name: 'ValidationError', value: title },
      ],
    });
  });
});

describe('a document larger than a row of D1', () => {
  let path = '';

  beforeEach(async () => {
    const document = await documentOf(client.create('/api/articles?status=draft', { title: 'Large' }));
    path = `/api/articles/${document.documentId}?status=draft`;
  });

  it.each<readonly [string, readonly object[]]>([
    ['in two steps', [{ body: 'a'.repeat(1_000_000) }, { internalNotes: 'b'.repeat(1_000_000) }]],
    ['in bytes, not characters', [{ body: 'é'.repeat(500_000) }, { internalNotes: 'é'.repeat(500_000) }]],
  ])('is a 400: %s', async (_, [first = {}, second = {}]) => {
    await documentOf(client.update(path, first));
    const before = await everything(recordedRegistry);
    expect(await errorOf(client.update(path, second))).toMatchObject({ status: 400, details: { limit: 'database' } });
    expect(await everything(recordedRegistry)).toEqual(before);
  });

  it('does not limit a document that fits', async () => {
    await documentOf(client.update(path, { body: 'a'.repeat(1_000_000) }));
    await documentOf(client.update(path, { internalNotes: 'b'.repeat(900_000) }));
    const rows = await env.DB.prepare('select length(body) as size from articles where body is not null').first('size');
    expect(rows).toBe(1_000_000);
  });
});
