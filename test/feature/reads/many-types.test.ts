/**
 * @module Populates that lead to more types than one statement has room for: what is read apart is shown as if it were not.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { type ApiDocument, clientOf, documentOf, documentsOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer } from '../../support/recorded.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { type FileAnswer, listedFiles, TEXT, uploadOne } from '../../support/uploads.ts';
import { openWorld } from '../../support/world.ts';

const TYPES = 300;
const ZONE = 110;
const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const names = list(TYPES, (index) => `kind${index}`);
const media = (multiple: boolean) => ({ type: 'media', multiple, allowedTypes: ['files'] });
const HUB = 'api::hub.hub';

const registry = registryOf(
  [
    ...names.map((name) =>
      contentType(name, { title: { type: 'string' }, one: media(false), two: media(true), three: media(false) }),
    ),
    contentType('hub', {
      title: { type: 'string' },
      items: { type: 'relation', relation: 'morphToMany' },
      sections: { type: 'dynamiczone', components: list(ZONE, (index) => `blocks.block${index}`) },
      owner: relation('manyToOne', 'owner', { inversedBy: 'hubs' }),
    }),
    contentType('owner', {
      name: { type: 'string' },
      hubs: { type: 'relation', relation: 'oneToMany', target: HUB, mappedBy: 'owner' },
    }),
  ],
  list(ZONE, (index) =>
    component(`blocks.block${index}`, {
      to: { type: 'relation', relation: 'oneToOne', target: `api::kind${index}.kind${index}` },
    }),
  ),
);
const { client: full, send } = openWorld(registry);

/** Every type once, neighbours far from each other. */
const MIXED = list(TYPES, (index) => (index * 7) % TYPES);
const uidOf = (index: number) => `api::kind${index}.kind${index}`;
let file: FileAnswer;
let hub: ApiDocument;
let owner: ApiDocument;
let ids: readonly string[];

beforeAll(async () => {
  file = await uploadOne(send, TEXT);
  const insert = (index: number) =>
    full.create(`/api/kind${index}s`, { title: `T${index}`, one: file.id, two: [file.id], three: file.id });
  ids = await Promise.all(list(TYPES, async (index) => (await documentOf(insert(index))).documentId));
  owner = await documentOf(full.create('/api/owners', { name: 'Ann' }));
  hub = await documentOf(
    full.create('/api/hubs', {
      title: 'Hub',
      owner: owner.documentId,
      items: MIXED.map((index) => ({ __type: uidOf(index), documentId: ids[index] })),
      sections: list(ZONE, (index) => ({ __component: `blocks.block${index}`, to: ids[index] })),
    }),
  );
});

const titles = (items: unknown) => (items as readonly { title: string }[]).map(({ title }) => title);
const BLOCKS = list(ZONE, (index) => `T${index}`);
const targetTitles = (sections: unknown) => titles((sections as { to: object }[]).map(({ to }) => to));
const ALL = names.map((_, index) => `populate[items][on][${uidOf(index)}]=true`).join('&');
const EXPECTED = MIXED.map((index) => `T${index}`);

describe('a polymorphic relation to 300 types', () => {
  it('is shown in its order', async () => {
    const { items, title } = await documentOf(full.get(`/api/hubs/${hub.documentId}?${ALL}`));
    expect(titles(items)).toEqual(EXPECTED);
    expect(title).toBe('Hub');
    expect((await documentOf(full.get(`/api/hubs/${hub.documentId}?populate=*`))).items).toEqual(items);
  });

  it('is counted', async () => {
    const { items } = await documentOf(full.get(`/api/hubs/${hub.documentId}?populate[items][count]=true`));
    expect(items).toEqual({ count: TYPES });
  });

  it('is shown below other relations, beside their values', async () => {
    const hubOf = async (populate: string) => {
      const [shown] = await documentsOf(full.get(`/api/owners?populate[hubs][populate]${populate}`));
      return (shown as ApiDocument & { hubs: ApiDocument[] }).hubs[0] as ApiDocument;
    };
    const { items, ...own } = await hubOf('=*');
    expect(titles(items)).toEqual(EXPECTED);
    expect(own).toMatchObject({ title: 'Hub', documentId: hub.documentId });
    const { sections } = await hubOf('[sections][populate]=*');
    expect(targetTitles(sections)).toEqual(BLOCKS);
  });

  it('is not read again while its stamps are the same', async () => {
    const counted = countedDatabase(env.DB);
    const own = clientOf(serveRegistry(registry, {}, { DB: counted.database }), 'full');
    const read = async () => {
      const before = [...counted.rowsRead.values()].reduce((sum, rows) => sum + rows, 0);
      const shown = await documentOf(own.get(`/api/hubs/${hub.documentId}?populate=*`));
      return [shown, [...counted.rowsRead.values()].reduce((sum, rows) => sum + rows, 0) - before] as const;
    };
    const [shown, rows] = await read();
    const [again, fewer] = await read();
    expect(again).toEqual(shown);
    expect(rows).toBeGreaterThan(TYPES);
    expect(fewer).toBeLessThan(20);
  });

  it('has the limits of a response', async () => {
    const small = serveRegistry(registry, { api: { rest: { limits: { answerBytes: 20_000 } } } });
    const response = await small('/api/owners?populate[hubs][populate]=*', bearer('full'));
    expect(await response.json()).toMatchObject({ error: { status: 400, details: { limit: 'answerBytes' } } });
  });
});

it('the components of a zone show targets of 110 types', async () => {
  const { sections } = await documentOf(full.get(`/api/hubs/${hub.documentId}?populate[sections][populate]=*`));
  expect(targetTitles(sections)).toEqual(BLOCKS);
});

it('all levels are one batch, of statements that D1 takes', async () => {
  const counted = countedDatabase(env.DB);
  const settings = { api: { rest: { deepPopulate: true } } };
  const own = clientOf(serveRegistry(registry, settings, { DB: counted.database }), 'full');
  const response = await own.get('/api/owners?populate=@deep:5');
  const { data, meta } = (await response.json()) as {
    data: { hubs: { items: { title: string; one?: { name: string } }[]; sections: object[] }[] }[];
    meta: { populated: { leftOut: string[] } };
  };
  const [{ items, sections } = { items: [], sections: [] }] = data[0]?.hubs ?? [];
  expect(titles(items)).toEqual(EXPECTED);
  expect(items.filter(({ one }) => one !== undefined).length).toBeGreaterThan(200);
  expect(sections).toHaveLength(ZONE);
  expect(meta.populated.leftOut).toEqual([
    ...['hubs.items.on[api::hub.hub]', 'hubs.items.on[api::owner.owner]', 'hubs.owner'],
    ...['hubs.items.two', 'hubs.items.three', 'hubs.items.one', 'hubs.sections.to'],
  ]);
  const [batch = [], ...more] = counted.answering();
  expect(more).toEqual([]);
  expect(Math.max(...batch.map(({ length }) => length))).toBeLessThan(100_000);
});

describe('a file that 300 types use', () => {
  it('shows each use', async () => {
    const [shown] = await listedFiles(send, '?populate=related');
    expect(shown?.related).toHaveLength(3 * TYPES);
  });

  it('is not unused, wherever the only use is left', async () => {
    const other = await uploadOne(send, TEXT);
    const unused = async () => {
      const response = await send('/api/upload/files/page?unused=true', bearer('full'));
      return ((await response.json()) as { results?: { id: number }[]; data?: { id: number }[] }).data?.map(
        ({ id }) => id,
      );
    };
    expect(await unused()).toEqual([other.id]);
    for (const table of ['kind0s_two', 'kind150s_three', 'kind299s_one']) {
      await env.DB.prepare(`update "${table}_lnk" set "target_document_id" = ?`).bind(other.documentId).run();
      expect(await unused()).toEqual([]);
      await env.DB.prepare(`update "${table}_lnk" set "target_document_id" = ?`).bind(file.documentId).run();
    }
  });
});
