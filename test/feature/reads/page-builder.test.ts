/**
 * @module Zones that allow many components: the cost of a read follows what a page has, and the types that it leads to.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { writeQuery } from '../../../studio/api/query-string.ts';
import { mergePopulates, populates } from '../../../studio/document/populate.ts';
import { type Description, readModel } from '../../../studio/model/model.ts';
import { serveRegistry } from '../../support/app.ts';
import { type ApiDocument, clientOf, documentOf, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { describeApi } from '../../support/describe-api.ts';
import { blocksOf, pageBuilder } from '../../support/page-builder.ts';
import { receivers } from '../../support/receivers.ts';
import { openWorld } from '../../support/world.ts';

const SIZE = 60;
const registry = pageBuilder(SIZE);
const SETTINGS: SettingsInput = {
  i18n: {
    locales: [
      { code: 'en', name: 'English', isDefault: true },
      { code: 'de', name: 'German' },
    ],
  },
};
const { client: full } = openWorld(registry, SETTINGS);
const ids: Record<string, string> = {};
const ref = (name: string) => ids[name] ?? '';

async function make(name: string, path: string, data: object): Promise<void> {
  ids[name] = (await documentOf(full.create(`/api/${path}`, data))).documentId;
}

const blockOf = (index: number) => ({
  __component: `block.b${index}`,
  heading: `h${index}`,
  author: ref('ada'),
  pages: [ref('second'), ref('first'), ref('second')],
  place: ref('here'),
  link: { label: 'l', page: ref('first') },
  cards: [{ title: 'c', link: { label: 'cl', page: ref('second') } }],
  note: index % 3 === 0 ? 'a text' : ref('bob'),
  extra: [{ documentId: ref('bob') }, 'text', 1],
});

const MENU = [
  {
    label: '1',
    page: { documentId: '' },
    entries: [{ label: '1.1', entries: [{ label: '1.1.1', more: { entry: { label: '1.1.1.m' } } }] }],
  },
];

beforeAll(async () => {
  await make('ada', 'authors?status=published', { name: 'Ada', bio: 'A' });
  await make('bob', 'authors?status=draft', { name: 'Bob', bio: 'B' });
  await make('here', 'places', { name: 'Here' });
  expect((await full.update(`/api/places/${ref('here')}?locale=de`, { name: 'Hier' })).status).toBe(200);
  await make('first', 'pages', { title: 'First' });
  await make('second', 'pages', { title: 'Second' });
  const menu = [{ ...MENU[0], page: ref('first') }];
  await make('built', 'pages', { title: 'Built', zone: [0, 7, SIZE - 1].map(blockOf), menu });
});

/** The document, and the statements that the response waited for. */
async function read(query: string, settings: SettingsInput = SETTINGS) {
  const counted = countedDatabase(env.DB);
  const client = clientOf(serveRegistry(registry, settings, { DB: counted.database }), 'full');
  const response = await client.get(`/api/pages/${ref('built')}?${query}`);
  const { data, error } = (await response.json()) as { data: ApiDocument; error?: unknown };
  const batches = counted.answering();
  return { status: response.status, data, error, batches, sql: batches.flat().join('\n'), rows: counted.rowsRead };
}

const LINKS = ['image', 'author', 'pages', 'place', 'link', 'cards'];

const byFragments = (links = LINKS, value = 'true'): string =>
  blocksOf(SIZE)
    .flatMap((uid) => links.map((name) => `populate[zone][on][${uid}][populate][${name}]=${value}`))
    .join('&');

const shown = (index: number) => ({
  heading: `h${index}`,
  image: null,
  author: { name: 'Ada', bio: 'A' },
  pages: [{ title: 'Second' }, { title: 'First' }],
  place: { name: 'Here', locale: 'en' },
  link: { label: 'l' },
  cards: [{ title: 'c' }],
});

describe('a zone of 60 components', () => {
  it.each([
    ['by a star', 'populate[zone][populate]=*'],
    ['by fragments', byFragments()],
    ['by paths', `populate=${LINKS.map((name) => `zone.${name}`).join(',')}`],
  ])('is populated %s in one short statement', async (_, query) => {
    const { status, data, batches, sql } = await read(query);
    expect(status).toBe(200);
    expect(data.zone).toMatchObject([0, 7, SIZE - 1].map(shown));
    expect(batches.map((batch) => batch.length)).toEqual([1]);
    expect(sql.length).toBeLessThan(10_000);
  });

  it('is populated the same by a star and by fragments', async () => {
    const star = await read('populate[zone][populate]=*');
    const fragments = await read(byFragments([...LINKS]));
    const [first] = star.data.zone as { note?: unknown }[];
    expect(first?.note).toBe('a text');
    const withoutNote = (zone: unknown) =>
      JSON.parse(JSON.stringify(zone, (key, value) => (key === 'note' ? undefined : value)));
    expect(withoutNote(fragments.data.zone)).toEqual(withoutNote(star.data.zone));
  });

  it('is read as a whole by Studio, in URLs that Cloudflare takes', async () => {
    const model = readModel(describeApi(registry, parseSettings(SETTINGS)) as unknown as Description, {
      isReadOnly: false,
      checksLinks: true,
    });
    const attributes = model.types.get('api::page.page')?.attributes ?? {};
    const requests = populates(model, attributes);
    const found = await Promise.all(
      requests.map(async (populate) => {
        const query = writeQuery({ populate });
        expect(query.length).toBeLessThan(16_000);
        const { status, data, batches, sql } = await read(query);
        expect([status, batches.length]).toEqual([200, 1]);
        expect(sql.length).toBeLessThan(60_000);
        return data;
      }),
    );
    const { zone, menu } = mergePopulates(found);
    expect(zone).toMatchObject([
      { author: { name: 'Ada' }, link: { page: { title: 'First' } }, cards: [{ link: { page: { title: 'Second' } } }] },
      {},
      {},
    ]);
    expect(menu).toMatchObject([
      { page: { title: 'First' }, entries: [{ entries: [{ label: '1.1.1', more: { entry: { label: '1.1.1.m' } } }] }] },
    ]);
  });

  it('shows of each target what its own reference selects', async () => {
    const query = [
      'populate[zone][on][block.b0][populate][author][fields]=name',
      'populate[zone][on][block.b7][populate][author][fields]=bio',
      'populate[zone][on][block.b7][populate][pages][count]=true',
      `populate[zone][on][block.b${SIZE - 1}][populate][author][populate]=photo`,
    ].join('&');
    const { data, sql } = await read(query);
    const author = { id: expect.any(Number), documentId: ref('ada') };
    expect(data.zone).toMatchObject([{}, { pages: { count: 2 } }, {}]);
    const authors = (data.zone as { author: object }[]).map((each) => each.author);
    expect(authors[0]).toEqual({ ...author, name: 'Ada' });
    expect(authors[1]).toEqual({ ...author, bio: 'A' });
    expect(authors[2]).toMatchObject({ ...author, name: 'Ada', bio: 'A', photo: null });
    expect(sql.match(/from "authors"/g)).toHaveLength(2);
  });

  it('is filtered and sorted by reference', async () => {
    const query = [
      'populate[zone][on][block.b0][populate][pages][sort]=title',
      'populate[zone][on][block.b7][populate][pages][filters][title]=First',
      `populate[zone][on][block.b${SIZE - 1}][populate]=pages`,
    ].join('&');
    const { data } = await read(query);
    const titles = (data.zone as { pages: { title: string }[] }[]).map(({ pages }) => pages.map(({ title }) => title));
    expect(titles).toEqual([['First', 'Second'], ['First'], ['Second', 'First']]);
  });

  it('shows targets in the version and the locale of the page', async () => {
    const drafts = await read('populate[zone][populate]=*&status=draft');
    expect(drafts.data.zone).toMatchObject([{ note: 'a text' }, { note: { name: 'Bob' } }, {}]);
    const published = await read('populate[zone][populate]=*');
    expect(published.data.zone).toMatchObject([{ note: 'a text' }, { note: null }, {}]);
    const zone = [{ __component: 'block.b7', author: ref('ada'), place: ref('here') }];
    await documentOf(full.update(`/api/pages/${ref('built')}?locale=de`, { title: 'Gebaut', zone }));
    const german = await read('populate[zone][populate]=*&locale=de');
    expect(german.data.zone).toMatchObject([{ place: { name: 'Hier', locale: 'de' } }]);
    const places = [...german.rows.values()].reduce((sum, rows) => sum + rows, 0);
    expect(places).toBeLessThan(60);
  });

  it('is measured with what it reads', async () => {
    const limited = { ...SETTINGS, api: { rest: { limits: { answerRows: 4 } } } };
    expect(await read('populate[zone][populate]=*', limited)).toMatchObject({
      status: 400,
      error: { details: { limit: 'answerRows' } },
    });
    const enough = { ...SETTINGS, api: { rest: { limits: { answerRows: 5 } } } };
    const { status, batches } = await read('populate[zone][populate]=*', enough);
    expect([status, batches.length]).toEqual([200, 2]);
  });

  it('is refused by the name of the limit for keys that stand for too many attributes', async () => {
    const limited = { ...SETTINGS, api: { rest: { limits: { populateNodes: 10 } } } };
    const send = clientOf(serveRegistry(registry, limited), 'full');
    const path = `/api/pages/${ref('built')}`;
    expect((await errorOf(send.get(`${path}?populate[zone][populate]=*`))).details?.limit).toBe('populateNodes');
  });
});

describe('a component that contains itself', () => {
  it('is populated one level by a star', async () => {
    const { status, data } = await read('populate[menu][populate]=*');
    expect(status).toBe(200);
    expect(data.menu).toMatchObject([{ page: { title: 'First' }, entries: [{ label: '1.1' }], more: null }]);
    expect((data.menu as { entries: object[] }[])[0]?.entries[0]).not.toHaveProperty('entries');
  });
});

describe('a webhook', () => {
  it('gets a page with its relations and components, and components that contain themselves', async () => {
    const network = receivers();
    const url = 'https://site.example.com/hook';
    const settings: SettingsInput = { ...SETTINGS, webhooks: [{ url, events: ['entry.publish'] }] };
    const client = clientOf(serveRegistry(registry, settings), 'full');
    await documentOf(client.update(`/api/pages/${ref('built')}`, { title: 'Built again' }));
    vi.restoreAllMocks();
    const [message] = network.received;
    expect(message?.body.entry).toMatchObject({
      title: 'Built again',
      zone: [
        { author: { name: 'Ada' }, place: { locale: 'en' }, cards: [{ link: { page: { title: 'Second' } } }] },
        { pages: [{ title: 'Second' }, { title: 'First' }] },
        { link: { page: { title: 'First' } } },
      ],
      menu: [
        {
          page: { title: 'First' },
          entries: [{ entries: [{ label: '1.1.1', more: { entry: { label: '1.1.1.m' } } }] }],
        },
      ],
    });
  });
});
