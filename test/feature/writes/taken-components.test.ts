/**
 * @module Content that the schema has no place for any more: components that were taken from a zone, before a migration
 * has removed their entries, and values that an enumeration no longer lists.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createRegistryTables, serveRegistry } from '../../support/app.ts';
import { type ApiDocument, clientOf, documentOf, documentsOf, errorOf } from '../../support/client.ts';
import { createToken } from '../../support/recorded.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';

const STRING = { type: 'string' };
const zone = (components: readonly string[]) => ({ type: 'dynamiczone', components });
const of = (uid: string, repeatable = false) => ({ type: 'component', component: uid, repeatable });

const NOTE = component('shared.note', { text: STRING });
const LINK = component('shared.link', {
  url: STRING,
  tag: relation('oneToOne', 'tag'),
});

/** A page has a zone, and in a section another one, which may stand in the first. */
const pages = (parts: readonly string[], components = [NOTE, LINK]) =>
  registryOf(
    [
      contentType(
        'page',
        {
          title: STRING,
          parts: zone(['shared.section', ...parts]),
          section: of('shared.section'),
        },
        { drafts: true },
      ),
      contentType('tag', { name: STRING }, { drafts: true }),
    ],
    [...components, component('shared.section', { label: STRING, inner: zone(parts) })],
  );

const before = pages(['shared.note', 'shared.link']);
const AFTERWARDS = [
  ['from the zone', pages(['shared.note'])],
  ['altogether', pages(['shared.note'], [NOTE])],
] as const;

type Page = ApiDocument & {
  readonly parts: readonly Readonly<Record<string, unknown>>[];
  readonly section: Readonly<Record<string, unknown>>;
};

const inside = (tag: string) => [
  { __component: 'shared.link', url: '/l', tag },
  { __component: 'shared.note', text: 'n' },
];
const POPULATE = 'populate[parts][populate]=*&populate[section][populate]=*';

describe.each(AFTERWARDS)('a component that was taken %s', (_, after) => {
  const old = clientOf(serveRegistry(before), 'full');
  const client = clientOf(serveRegistry(after), 'full');
  let documentId: string;
  const path = (search: string) => `/api/pages/${documentId}?${search}`;
  const page = async (search = '') => (await documentOf(client.get(path(`${POPULATE}&${search}`)))) as Page;
  const without = (entries: unknown) =>
    (entries as readonly Record<string, unknown>[]).map(({ __component, text }) => [__component, text]);

  beforeAll(async () => {
    await env.DB.exec('drop table if exists pages; drop table if exists tags');
    await createRegistryTables(before);
    await env.DB.exec('delete from strapi_api_tokens; delete from edgewise_counters');
    await createToken('full', 'full-access');
    const tag = (await documentOf(old.create('/api/tags', { name: 't' }))).documentId;
    const section = { label: 'l', inner: inside(tag) };
    const data = {
      title: 'Page',
      parts: [...inside(tag), { __component: 'shared.section', ...section }],
      section,
    };
    documentId = (await documentOf(old.create('/api/pages', data))).documentId;
  });

  it('is hidden on read, at every depth and in both versions', async () => {
    for (const search of ['', 'status=draft']) {
      const { parts, section } = await page(search);
      expect(without(parts)).toEqual([
        ['shared.note', 'n'],
        ['shared.section', undefined],
      ]);
      expect(without(parts.at(-1)?.inner)).toEqual([['shared.note', 'n']]);
      expect(without(section.inner)).toEqual([['shared.note', 'n']]);
    }
  });

  it.each([
    'populate[parts][count]=true',
    'populate=parts.inner',
    'populate=*',
    'populate[parts][on][shared.note]=true&populate[section][populate][inner][on][shared.note]=true',
    '_q=n',
    'filters[title]=Page&sort=title',
  ])('fails no read: %s', async (search) => {
    expect((await client.get(`/api/pages?${search}`)).status).toBe(200);
  });

  it('stays until the zone is written, and goes with that', async () => {
    const stored = async () =>
      (await env.DB.prepare('select parts from pages where published_at is null').first<string>('parts')) ?? '';
    await documentOf(client.update(path('status=draft'), { title: 'Draft' }));
    await documentOf(client.update(path(''), { title: 'Published' }));
    expect(await stored()).toContain('"shared.link"');
    const { parts } = await page('status=draft');
    const kept = parts.map(({ __component, id }) => ({ __component, id }));
    const written = (await documentOf(client.update(path(POPULATE), { parts: kept }))) as Page;
    expect(written.parts).toHaveLength(2);
    const top = JSON.parse(await stored()) as readonly { readonly __component: string }[];
    expect(top.map((entry) => entry.__component)).toEqual(['shared.note', 'shared.section']);
  });

  it('is no hindrance to a deletion', async () => {
    expect((await client.remove(path(''))).status).toBe(204);
  });
});

describe('a value that an enumeration no longer lists', () => {
  const polls = (listed: readonly string[]) => {
    const kind = { type: 'enumeration', enum: listed };
    const attributes = { title: STRING, kind, part: of('shared.part') };
    return registryOf([contentType('poll', attributes, { drafts: true })], [component('shared.part', { kind })]);
  };

  it('stays and is found, and is refused when it is published anew', async () => {
    await createRegistryTables(polls(['a', 'b']));
    await env.DB.exec('delete from strapi_api_tokens');
    await createToken('full', 'full-access');
    const old = clientOf(serveRegistry(polls(['a', 'b'])), 'full');
    const client = clientOf(serveRegistry(polls(['a'])), 'full');
    const { documentId } = await documentOf(old.create('/api/polls', { kind: 'b', part: { kind: 'b' } }));
    const path = `/api/polls/${documentId}`;
    const stored = { kind: 'b', part: { kind: 'b' } };
    expect(await documentOf(client.get(`${path}?populate=*`))).toMatchObject(stored);
    expect(await documentsOf(client.get('/api/polls?filters[kind][$eq]=b'))).toHaveLength(1);
    const draft = client.update(`${path}?status=draft&populate=*`, { title: 'Draft' });
    expect(await documentOf(draft)).toMatchObject(stored);
    const { details } = await errorOf(client.update(path, { title: 'Published' }));
    const errors = details?.errors as readonly { readonly path: readonly string[] }[];
    expect(errors.map((error) => error.path.join('.'))).toEqual(['kind', 'part.kind']);
  });
});
