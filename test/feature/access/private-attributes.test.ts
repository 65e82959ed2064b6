/**
 * @module `private=true`: private attributes of one document, for callers who are granted `readPrivate` by its name.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { clientOf, documentOf, errorOf } from '../../support/client.ts';
import { createToken } from '../../support/recorded.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const secret = { type: 'string', private: true };
const part = { type: 'component', component: 'kit.part' };
const registry = registryOf(
  [
    contentType(
      'note',
      {
        ...{ title: { type: 'string' }, secret, pin: { type: 'password' }, part },
        zone: { type: 'dynamiczone', components: ['kit.part'] },
        other: relation('oneToOne', 'other'),
        keeper: relation('oneToOne', 'other', { private: true }),
      },
      { drafts: true },
    ),
    contentType('other', { title: { type: 'string' }, secret, part }),
  ],
  [component('kit.part', { text: { type: 'string' }, hint: secret, pin: { type: 'password' } })],
);
const READS = ['api::note.note.find', 'api::note.note.findOne'];
const READ_PRIVATE = 'api::note.note.readPrivate';
const { send } = openWorld(registry, {
  cache: { 'api::note.note': { maxAge: 60 } },
  roles: { public: [...READS, READ_PRIVATE] },
});
const guarded = serveRegistry(registry, { roles: { public: ['api::*'], authenticated: ['*'] } });
const PART = { text: 'seen', hint: 'hidden hint', pin: 'hidden pin' };
const OTHER = { title: 'other', secret: 'hidden of other', part: { ...PART, hint: 'hidden hint of other' } };
let path = '';

beforeAll(async () => {
  await createToken('named', 'full-access', [READ_PRIVATE]);
  await createToken('reader', 'read-only', [READ_PRIVATE]);
  await createToken('agent', 'agent');
  await createToken('custom', 'custom', [...READS, READ_PRIVATE, 'api::other.other.find']);
  await createToken('narrow', 'custom', READS);
  const client = clientOf(send, 'full');
  const [other, keeper] = await Promise.all(
    [OTHER, { title: 'keeper' }].map(async (data) => (await documentOf(client.create('/api/others', data))).documentId),
  );
  const data = { title: 'note', secret: 'hidden', pin: 'hidden pin', part: PART, other, keeper };
  const zone = [{ __component: 'kit.part', ...PART }];
  path = `/api/notes/${(await documentOf(client.create('/api/notes', { ...data, zone }))).documentId}`;
});

const PARTS = 'populate[part]=true&populate[zone][on][kit.part]=true';
const ALL = `${PARTS}&populate[other][populate]=*&populate[keeper]=true`;

describe('with private=true', () => {
  it.each(['named', 'reader', 'custom'])('%s, which names readPrivate, sees all but passwords', async (token) => {
    const client = clientOf(send, token);
    const response = await client.get(`${path}?private=true&${ALL}`);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const { secret: shown, pin, part: own, zone, other, keeper } = await documentOf(Promise.resolve(response));
    expect({ shown, pin, own, zone }).toMatchObject({
      ...{ shown: 'hidden', pin: undefined, own: { text: 'seen', hint: 'hidden hint' } },
      zone: [{ text: 'seen', hint: 'hidden hint' }],
    });
    expect(keeper).toMatchObject({ title: 'keeper' });
    expect(other).toMatchObject({ title: 'other', part: { text: 'seen' } });
    expect(JSON.stringify([own, zone, other])).not.toMatch(/of other|scrypt|hidden pin/);
  });

  it('other documents keep their private attributes to themselves at a star, too', async () => {
    const text = await (await clientOf(send, 'named').get(`${path}?private=true&populate=*`)).text();
    expect(text).toContain('hidden hint');
    expect(text).not.toMatch(/of other|scrypt/);
  });

  it.each(['full', 'agent', 'narrow'])('%s, which does not, gets 403', async (token) => {
    expect(await errorOf(clientOf(send, token).get(`${path}?private=true`))).toMatchObject({ status: 403 });
    expect((await clientOf(send, token).get(`${path}?private=false`)).status).toBe(200);
  });

  it('no pattern of a role grants it', async () => {
    expect((await guarded(path)).status).toBe(200);
    expect(await errorOf(guarded(`${path}?private=true`))).toMatchObject({ status: 403 });
  });

  it('a public response is stored by no shared cache, and given to no other caller', async () => {
    const shown = await send(`${path}?private=true`);
    expect(await shown.clone().text()).toContain('hidden');
    expect(shown.headers.get('cache-control')).toBe('private, no-store');
    const spelt = await send(`${path}?%70rivate=true`);
    expect([spelt.status, spelt.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect((await clientOf(send, 'narrow').get(`${path}?private=true`)).status).toBe(403);
    const usual = await send(path);
    expect(usual.headers.get('cache-control')).toBe('public, max-age=60');
    expect(await usual.text()).not.toContain('hidden');
  });

  it.each([
    ['a list', () => '/api/notes?private=true', 'Invalid key private'],
    ['another value', () => `${path}?private=yes`, "Invalid parameter at 'private'. Expected 'true' or 'false'"],
    ['fields of a password', () => `${path}?private=true&fields=pin`, 'Invalid key pin'],
  ])('%s is rejected', async (_, at, message) => {
    expect(await errorOf(clientOf(send, 'named').get(at()))).toMatchObject({ status: 400, message });
  });

  it('filters and sorts follow no private attribute', async () => {
    for (const [search, expected] of [
      ['filters[secret]=hidden', 400],
      ['sort=secret', 400],
      ['_q=hidden', 404],
    ] as const) {
      const { status } = await clientOf(send, 'named').get(`${path}?private=true&${search}`);
      expect([search, status]).toEqual([search, expected]);
    }
  });

  it('a component that is sent with its id keeps its private attributes and its password', async () => {
    const client = clientOf(send, 'named');
    const hashes = async () => {
      const { results } = await env.DB.prepare('select * from notes order by id').all();
      return JSON.stringify(results).match(/scrypt\$[\w$+/=]+/g);
    };
    const stored = await hashes();
    // Of the document, its component and its zone, in both versions.
    expect(stored).toHaveLength(6);
    const before = await documentOf(client.get(`${path}?${PARTS}&status=draft`));
    const { part: sentPart, zone: sentZone } = before as unknown as { part: object; zone: object[] };
    const renamed = (entry: object) => ({ ...entry, text: 'renamed' });
    const data = { part: renamed(sentPart), zone: sentZone.map(renamed) };
    expect((await client.update(`${path}?status=draft`, data)).status).toBe(200);
    const shown = { text: 'renamed', hint: 'hidden hint' };
    expect(await documentOf(client.get(`${path}?private=true&${ALL}&status=draft`))).toMatchObject({
      ...{ part: shown, zone: [shown] },
    });
    expect(await hashes()).toEqual(stored);
  });

  it('a former version does not show them', async () => {
    const kept = serveRegistry(registry, { history: true });
    const own = clientOf(kept, 'named');
    await documentOf(own.update(`${path}?status=draft`, { secret: 'hidden now' }));
    const { data } = (await (await own.get(`${path}/history`)).json()) as { data: { revision: string }[] };
    const former = `${path}/history/${data[0]?.revision}`;
    const shown = JSON.stringify(await documentOf(own.get(`${former}?${PARTS}`)));
    expect(shown).toContain('"title":"note"');
    expect(shown).not.toContain('hidden');
    expect(await errorOf(own.get(`${former}?private=true`))).toMatchObject({ status: 400 });
  });

  it('a write does not show them', async () => {
    expect((await clientOf(send, 'named').update(`${path}?private=true`, { title: 'note' })).status).toBe(400);
  });
});
