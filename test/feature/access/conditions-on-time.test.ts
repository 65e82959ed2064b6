/**
 * @module Conditions that name the time, `$now`: they hold at the time of each request, and what they show is cached like
 * other responses.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PermissionCache } from '../../../src/content/runtime/caches.ts';
import { type Send, serveRegistry } from '../../support/app.ts';
import { documentsOf, valuesOf } from '../../support/client.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const registry = registryOf([
  contentType('event', {
    title: { type: 'string' },
    at: { type: 'datetime' },
    day: { type: 'date' },
    text: { type: 'string' },
  }),
]);
const EVENTS = ['find', 'findOne'].map((action) => `api::event.event.${action}`);
const NOON = Date.parse('2030-06-15T12:00:00.000Z');
const isoOf = (milliseconds: number): string => new Date(NOON + milliseconds).toISOString();
const serveWhere = (where: object): Send =>
  serveRegistry(registry, { roles: { public: [{ action: EVENTS, where }] } } as never);
const { client: full } = openWorld(registry);
const tagOf = (response: Response): string => response.headers.get('etag') ?? '';

/** @param milliseconds after noon */
const setTime = (milliseconds: number) => vi.spyOn(Date, 'now').mockReturnValue(NOON + milliseconds);

beforeAll(async () => {
  const event = (title: string, milliseconds: number) =>
    full.create('/api/events', {
      ...{ title, at: isoOf(milliseconds), text: isoOf(milliseconds), day: isoOf(milliseconds).slice(0, 10) },
    });
  for (const [title, milliseconds] of [
    ['yesterday', -86_400_000],
    ['noon', 0],
    ['soon', 2_000],
    ['tomorrow', 86_400_000],
  ] as const)
    await event(title, milliseconds);
});

beforeEach(() => void setTime(0));
afterEach(() => void vi.restoreAllMocks());

const FILTERS: readonly object[] = [
  ...['$lt', '$lte', '$gt', '$gte', '$eq', '$ne'].map((operator) => ({ at: { [operator]: '$now' } })),
  ...['$lte', '$gt', '$eq', '$contains'].map((operator) => ({ text: { [operator]: '$now' } })),
  ...['$eq', '$lt', '$gte'].map((operator) => ({ day: { [operator]: '$now' } })),
  { at: { $in: ['$now', isoOf(2_000)] } },
  { at: { $notIn: [isoOf(2_000), '$now'] } },
  { at: { $between: ['$now', isoOf(90_000_000)] } },
  { text: { $eq: ['$now', 'a', 'b', 'c', 'd', 'e'] } },
  { title: { $startsWith: ['$now', 's', 't', 'u', 'v', 'y'] } },
  { $or: [{ title: 'noon' }, { $not: { at: { $lte: '$now' } } }] },
];

describe('a condition that names the time', () => {
  it.each(FILTERS.map((where) => [JSON.stringify(where), where] as const))(
    '%s shows what it shows in an isolate that has cached nothing',
    async (_, where) => {
      const send = serveWhere(where);
      const seen = new Set<string>();
      for (const milliseconds of [-90_000_000, 0, 2_000, 3_100, 90_000_000]) {
        setTime(milliseconds);
        const titles = await valuesOf(send('/api/events?sort=at'), 'title');
        expect(titles).toEqual(await valuesOf(serveWhere(where)('/api/events?sort=at'), 'title'));
        seen.add(JSON.stringify(titles));
      }
      expect(seen.size).toBeGreaterThan(JSON.stringify(where).includes('$startsWith') ? 0 : 1);
    },
  );

  it('gives the same tag, and a 304, as long as it shows the same', async () => {
    const send = serveWhere({ at: { $lte: '$now' } });
    const [{ documentId } = { documentId: '' }] = await documentsOf(send('/api/events?filters[title]=noon'));
    for (const path of ['/api/events', `/api/events/${documentId}`]) {
      setTime(0);
      const tag = tagOf(await send(path));
      for (const milliseconds of [1, 1_001, 1_999]) {
        setTime(milliseconds);
        const again = await send(path, { headers: { 'if-none-match': tag } });
        expect([path, milliseconds, again.status, tagOf(again)]).toEqual([path, milliseconds, 304, tag]);
        const elsewhere = await serveWhere({ at: { $lte: '$now' } })(path, { headers: { 'if-none-match': tag } });
        expect([path, milliseconds, elsewhere.status]).toEqual([path, milliseconds, 304]);
      }
    }
    const tag = tagOf(await send('/api/events'));
    setTime(2_000);
    expect((await send('/api/events', { headers: { 'if-none-match': tag } })).status).toBe(200);
  });

  it('has one plan and one cached response, however many requests there are', async () => {
    const kept = vi.spyOn(PermissionCache.prototype, 'keep');
    const send = serveWhere({ at: { $lte: '$now' } });
    const plans = () => kept.mock.calls.filter(([, value]) => 'work' in value).length;
    const sizes: number[] = [];
    for (let request = 0; request < 12; request += 1) {
      setTime(request);
      expect((await send('/api/events')).status).toBe(200);
      setTime(request * 60_000 + 2_000);
      expect((await send('/api/events')).status).toBe(200);
      const responses = kept.mock.contexts.filter((_, index) => 'bytes' in (kept.mock.calls[index]?.[1] ?? {}));
      sizes.push((responses.at(-1) as PermissionCache<never>).bytes);
    }
    expect(plans()).toBe(1);
    expect(new Set(sizes).size).toBe(1);
  });

  it('is answered from the cache within one second', async () => {
    const send = serveRegistry(registry, {
      server: { timing: true },
      roles: { public: [{ action: EVENTS, where: { at: { $lte: '$now' } } }] },
    });
    const costs = [];
    for (const milliseconds of [0, 10, 999, 1_000]) {
      setTime(milliseconds);
      costs.push(/desc="(\w+)"/.exec((await send('/api/events')).headers.get('server-timing') ?? '')?.[1]);
    }
    expect(costs).toEqual(['recomputed', 'cached', 'cached', 'recomputed']);
  });
});
