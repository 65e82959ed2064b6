/**
 * @module Polymorphic relations among 60 content types: each statement is one that D1 takes.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { type ApiDocument, clientOf, documentOf, type ErrorAnswer } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const TYPES = 60;
const D1_SQL_BYTES = 100_000;
const LONG = 'x'.repeat(20_000);

const names = Array.from({ length: TYPES }, (_, index) => `type${index}`);
const any = (kind: string) => ({ type: 'relation', relation: kind });
const texts = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`attribute${index}`, { type: 'text' }]));

const registry = registryOf(
  [
    contentType(
      'hub',
      {
        ...texts,
        items: any('morphToMany'),
        more: any('morphToMany'),
        subject: any('morphToOne'),
        rail: { type: 'component', component: 'kit.rail' },
        rails: { type: 'component', component: 'kit.rail', repeatable: true },
      },
      { drafts: true, localized: true },
    ),
    ...names.map((name) =>
      contentType(
        name,
        {
          ...texts,
          hubs: { ...any('morphMany'), target: 'api::hub.hub', morphBy: 'items' },
          subject: any('morphToOne'),
        },
        { drafts: true, localized: true },
      ),
    ),
  ],
  [component('kit.rail', { label: { type: 'string' }, entries: any('morphToMany') })],
);

const { client } = openWorld(registry);
let hub = '';
let items: readonly object[] = [];

async function counted(ask: (own: typeof client) => Promise<Response>, limits: object = {}) {
  const { database, batches, answering } = countedDatabase(env.DB);
  const settings = { api: { rest: { limits } } };
  const response = await ask(clientOf(serveRegistry(registry, settings, { DB: database }), 'full'));
  const { data, error } = (await response.json()) as { data: ApiDocument | ApiDocument[] | null; error?: ErrorAnswer };
  const longest = Math.max(...batches.flat().map((text) => new TextEncoder().encode(text).length));
  const [document] = [data].flat();
  return { status: response.status, trips: answering().length, longest, limit: error?.details?.limit, document };
}

beforeAll(async () => {
  items = await Promise.all(
    names.map(async (name) => {
      const { documentId } = await documentOf(
        client.create(`/api/${name}s`, { attribute0: name, ...(name === 'type0' && { attribute1: LONG }) }),
      );
      return { __type: `api::${name}.${name}`, documentId };
    }),
  );
  const data = { items, more: items, subject: items[0], rail: { entries: items }, rails: [{ entries: items }] };
  hub = (await documentOf(client.create('/api/hubs', data))).documentId;
});

describe('a read', () => {
  it.each([
    'populate=*',
    'populate=items',
    'populate=subject',
    'populate=items,more,subject',
    'populate[items][count]=true',
    'populate=rails.entries',
    'populate[items][on][api::type1.type1][populate]=*',
    `${names.map((name) => `populate[items][on][api::${name}.${name}][fields]=attribute1`).join('&')}&populate[more]=true`,
  ])('is one round trip of statements that D1 takes: %s', async (search) => {
    for (const path of ['/api/hubs', `/api/hubs/${hub}`]) {
      const { status, trips, longest } = await counted((own) => own.get(`${path}?${search}`));
      expect({ status, trips }).toEqual({ status: 200, trips: 1 });
      expect(longest).toBeLessThan(D1_SQL_BYTES);
    }
  });

  it('shows the rows of each relation, however many statements read them', async () => {
    for (const path of ['/api/hubs', `/api/hubs/${hub}`]) {
      const { document } = await counted((own) => own.get(`${path}?populate=*`));
      expect(document).toMatchObject({ items, more: items, subject: items[0], rail: { label: null } });
      expect(document).toMatchObject({ attribute1: null, localizations: [] });
    }
  });

  it.each([
    ['[limit]=3', [0, 3]],
    ['[start]=29&populate[items][limit]=4', [29, 33]],
    ['[start]=57', [57, TYPES]],
    ['[limit]=0', [0, 0]],
  ])('shows one slice of all types, however many statements read them: %s', async (options, [from, to]) => {
    const search = `populate[items]${options}&populate[items][withCount]=true&populate[more]=true`;
    const { document, trips, longest } = await counted((own) => own.get(`/api/hubs/${hub}?${search}`));
    expect(document).toMatchObject({ items: items.slice(from, to), more: items, $counts: { items: TYPES } });
    expect(trips).toBe(1);
    expect(longest).toBeLessThan(D1_SQL_BYTES);
  });

  it.each([
    [{ answerRows: TYPES }, 400, 'answerRows'],
    [{ answerRows: TYPES + 1 }, 200, undefined],
    [{ answerBytes: 45_000 }, 400, 'answerBytes'],
    [{ answerBytes: 70_000 }, 200, undefined],
  ])('measures its statements: %j', async (limits, status, limit) => {
    const read = await counted((own) => own.get('/api/hubs?populate=items,more'), limits);
    expect(read).toMatchObject({ status, limit });
    expect(read.longest).toBeLessThan(D1_SQL_BYTES);
  });

  it('has the values of each document on each page', async () => {
    const subjects = items.slice(1, 4);
    for (const [index, subject] of subjects.entries())
      await documentOf(client.create('/api/hubs', { attribute0: `s${index}`, subject, more: [subject] }));
    const search = 'populate=*&sort=attribute0:desc&filters[attribute0][$startsWith]=s';
    for (const page of [
      'pagination[pageSize]=2',
      'pagination[page]=2&pagination[pageSize]=1',
      'pagination[limit]=2&pagination[after]=',
    ]) {
      const response = await client.get(`/api/hubs?${search}&${page}`);
      const { data } = (await response.json()) as { data: ApiDocument[] };
      expect(data.length).toBeGreaterThan(0);
      for (const { attribute0, subject, more, items: none } of data) {
        const expected = subjects[Number(String(attribute0).slice(1))];
        expect({ subject, more, none }).toMatchObject({ subject: expected, more: [expected], none: [] });
      }
    }
  });

  it('of one relation with more than D1 takes is refused by name', async () => {
    const search = 'populate[items][on][api::type1.type1][populate][hubs][populate]=*';
    const { status, limit } = await counted((own) => own.get(`/api/hubs?${search}`));
    expect({ status, limit }).toEqual({ status: 400, limit: 'database' });
  });
});

describe('a write', () => {
  it.each<readonly [string, (own: typeof client) => Promise<Response>]>([
    ['a new document', (own: typeof client) => own.create('/api/hubs', { items, rail: { entries: items } })],
    [
      'a new document with its response',
      (own: typeof client) => own.create('/api/hubs?populate=*', { items, more: items }),
    ],
    ['a publication', (own: typeof client) => own.update(`/api/hubs/${hub}`, { items: { connect: items } })],
    ['a draft', (own: typeof client) => own.update(`/api/hubs/${hub}?status=draft`, { items: [...items].reverse() })],
    [
      'another locale',
      (own: typeof client) => own.update(`/api/hubs/${hub}?locale=en`, { items: { disconnect: items.slice(1) } }),
    ],
    ['a delete', (own: typeof client) => own.remove(`/api/hubs/${hub}`)],
  ])('takes at most two round trips: %s', async (_, write) => {
    const { database, batches, answering } = countedDatabase(env.DB);
    const response = await write(clientOf(serveRegistry(registry, {}, { DB: database }), 'full'));
    expect(response.ok).toBe(true);
    expect(answering().length).toBeLessThanOrEqual(2);
    for (const text of batches.flat()) expect(text.length).toBeLessThan(D1_SQL_BYTES);
  });
});

describe('a response whose components name one document many times', () => {
  it('is rejected for its bytes', async () => {
    const [item] = items;
    const rails = Array.from({ length: 20 }, () => ({ entries: [item] }));
    const { documentId } = await documentOf(client.create('/api/hubs', { rails }));
    const read = (answerBytes: number) =>
      counted((own) => own.get(`/api/hubs/${documentId}?populate[rails][populate]=*`), { answerBytes });
    expect(await read(300_000)).toMatchObject({ status: 400, limit: 'answerBytes' });
    expect(await read(500_000)).toMatchObject({ status: 200 });
  });
});
