/**
 * @module What a body may write in place of a target, and which of several mistakes it is told.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ApiDocument, documentOf, errorOf } from '../../support/client.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();
let serial = 0;
let holder = '';
let tag: ApiDocument;
let other: ApiDocument;

async function tagNamed(name: string): Promise<ApiDocument> {
  const { documentId } = await documentOf(client.create('/api/tags', { name }));
  return documentOf(client.get(`/api/tags/${documentId}`));
}

beforeAll(async () => {
  tag = await tagNamed('Tag');
  other = await tagNamed('Other');
});

beforeEach(async () => {
  serial += 1;
  const made = await documentOf(client.create('/api/articles', { title: `Holder ${serial}`, tags: [tag.documentId] }));
  holder = `/api/articles/${made.documentId}`;
});

/** `TAG` and `OTHER` stand for documentIds, `#TAG` for the numeric id. */
const filled = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll('#TAG', String(tag.id))
      .replaceAll('#OTHER', String(other.id))
      .replaceAll('TAG', tag.documentId)
      .replaceAll('OTHER', other.documentId),
  );
const write = (data: object) => client.update(`${holder}?populate=tags`, filled(data));
const messageOf = async (data: object) => (await errorOf(write(data))).message;
const tagsAfter = async (tags: unknown) => {
  const { tags: shown } = await documentOf(write({ tags }));
  return (shown as ApiDocument[]).map(({ name }) => name);
};

const NOT_CONNECTED = /^There was a problem connecting relation with id \d+ at position {"after":\d+}/;
const MISPLACED = { connect: [{ documentId: 'OTHER', position: { after: 'OTHER' } }] };
const BESIDE_NOTHING = { connect: [{ documentId: 'OTHER', position: { after: 'FAR' } }] };

describe('a target is refused', () => {
  it.each([
    [{ documentId: 5 }, 'Document with id "5", locale "null" not found'],
    [{ documentId: '' }, 'Invalid relations'],
    [{ documentId: null }, 'Invalid relations'],
    [[''], 'Invalid relations'],
    [{ connect: '' }, 'Invalid relations'],
    [{ set: '', disconnect: ['TAG'] }, 'Invalid relations'],
    [{ set: ['TAG'], connect: 0 }, 'Invalid relations'],
    [[['TAG']], 'Invalid key 0 at tags'],
    [{ id: 'TAG' }, '1 relation(s) of type api::tag.tag associated with this entity do not exist'],
    ['-5', '1 relation(s) of type api::tag.tag associated with this entity do not exist'],
    [`${'9'.repeat(400)}`, '1 relation(s) of type api::tag.tag associated with this entity do not exist'],
    [{ connect: [{ documentId: 'OTHER', position: { after: 5 } }] }, 'Document with id "5", locale "null" not found'],
  ])('%j: %s', async (tags, message) => {
    expect(await messageOf({ tags })).toBe(message);
  });

  it('in a component with a key that means nothing', async () => {
    const seo = { metaTitle: 'Meta', card: { title: 'Card', image: { nope: 1 } } };
    expect(await messageOf({ seo })).toBe('Invalid key nope at seo.card.image');
    expect(await messageOf({ sections: [{ __component: 'blocks.gallery', images: [{ nope: 1 }] }] })).toBe(
      'Invalid key nope at sections.images',
    );
  });
});

describe('a target may be', () => {
  it.each([
    [' #OTHER ', ['Other']],
    ['+#OTHER', ['Other']],
    ['#OTHER.0', ['Other']],
    [{ id: '#OTHERe0' }, ['Other']],
    [{ documentId: '', id: '#OTHER' }, ['Other']],
    [{ connect: [['OTHER']] }, ['Tag', 'Other']],
    [{ disconnect: [[['TAG']]] }, []],
    [[false, 'OTHER'], ['Other']],
    [{ set: '', connect: ['OTHER'] }, ['Tag', 'Other']],
  ])('%j: %j', async (tags, names) => {
    expect(await tagsAfter(tags)).toEqual(names);
  });
});

describe('of several mistakes', () => {
  it('a key in the query comes before those of the body', async () => {
    const answer = errorOf(client.update(`${holder}?fields=nope`, { neither: 1 }));
    expect((await answer).details).toMatchObject({ key: 'nope', source: 'query' });
  });

  it('a target that is not there comes before the document that is not, and before wrong values', async () => {
    const missing = { title: 5, tags: ['nobody'], seo: { metaTitle: 'Meta', shareImage: 'nobody either' } };
    const errors = [
      { path: ['tags'], message: 'Document with id "nobody", locale "null" not found' },
      { path: ['seo', 'shareImage'], message: 'Document with id "nobody either", locale "null" not found' },
    ];
    expect((await errorOf(client.update('/api/articles/nowhere', missing))).details).toMatchObject({ errors });
    expect((await errorOf(write(missing))).details).toMatchObject({ errors });
    expect((await errorOf(write({ ...missing, tags: [] }))).details).toMatchObject({ errors: errors.slice(1) });
  });

  it('a position that cannot be comes after what is wrong with a draft', async () => {
    for (const wrong of [{ tone: 'nope' }, { publishDate: 'never' }, { facts: [{ id: 987_654, label: 'f' }] }])
      expect(await messageOf({ tags: MISPLACED, ...wrong })).not.toMatch(/connect/);
  });

  it('a position that cannot be comes before what is wrong with a publication', async () => {
    expect(await messageOf({ title: 'x', tags: MISPLACED })).toMatch(/^A circular reference/);
    const { documentId } = await documentOf(client.create('/api/tags', { name: `Far ${serial}` }));
    const tags = JSON.parse(JSON.stringify(BESIDE_NOTHING).replace('FAR', documentId)) as unknown;
    expect(await messageOf({ title: null, tags })).toMatch(NOT_CONNECTED);
  });

  it('a position tells the locale in which a document without locales looks for its anchor', async () => {
    const { documentId } = await documentOf(client.create('/api/tags', { name: `Off ${serial}` }));
    const connect = [{ documentId: 'OTHER', position: { after: documentId } }];
    const bookmark = filled({ label: 'B', tags: { connect }, box: [] });
    const { message } = await errorOf(client.create('/api/bookmarks?status=draft', bookmark));
    expect(message).toMatch(/at position {"after":\d+,"locale":"en"}/);
  });

  it('a zone that is no list is told twice', async () => {
    const { details } = await errorOf(write({ sections: 1 }));
    expect(details?.errors).toMatchObject([
      { path: ['sections'] },
      { path: [], message: 'Cannot build relations store from dynamiczone, component identifier is undefined' },
    ]);
    expect((await errorOf(write({ sections: [null] }))).details?.errors).toMatchObject([
      { path: ['sections', '0'] },
      { path: [], message: 'Invalid relations' },
    ]);
  });
});

it('an id that a list of components has twice counts once, at the place of the first', async () => {
  const links = [
    { label: 'a', href: 'a' },
    { label: 'b', href: 'b' },
  ];
  const draft = '?status=draft&populate=links';
  const made = await documentOf(client.update(`${holder}${draft}`, { links }));
  const [a, b] = (made.links as { id: number }[]).map(({ id }) => id);
  const again = [{ id: b, href: '1' }, { label: 'new', href: 'n' }, { id: a }, { id: b, href: '2' }];
  const { links: shown } = await documentOf(client.update(`${holder}${draft}`, { links: again }));
  expect((shown as { label: string; href: string }[]).map(({ label, href }) => `${label}${href}`)).toEqual([
    'b2',
    'newn',
    'aa',
  ]);
});

describe('the number of a draft', () => {
  it('links the published version of a component to that of the document', async () => {
    const { documentId } = await documentOf(client.create('/api/articles', { title: 'In a component' }));
    const { id } = await documentOf(client.get(`/api/articles/${documentId}?status=draft`));
    const sections = [{ __component: 'blocks.callout', title: 'Callout', articles: [id] }];
    const shown = client.update(`${holder}?populate[sections][on][blocks.callout][populate]=articles`, { sections });
    expect(await documentOf(shown)).toMatchObject({ sections: [{ articles: [{ title: 'In a component' }] }] });
  });
});
