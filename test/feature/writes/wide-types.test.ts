/**
 * @module A type with more attributes than a table of D1 has columns.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Registry } from '../../../src/schema/model.ts';
import { createRegistryTables, serveRegistry } from '../../support/app.ts';
import { type Client, clientOf, documentOf, totalOf, valuesOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { openWide, wideType } from '../../support/worlds/wide.ts';

const SAMPLES: Readonly<Record<string, unknown>> = {
  string: 'text',
  text: 'text',
  richtext: 'text',
  email: 'zoe@example.com',
  uid: 'a-b',
  enumeration: 'b',
  integer: 7,
  biginteger: '9007199254740993',
  decimal: 1.5,
  float: -2.5,
  boolean: true,
  date: '2024-02-29',
  datetime: '2024-02-29T10:00:00.000Z',
  time: '10:00:00.000',
  json: { a: [1, null] },
  blocks: [{ type: 'paragraph', children: [{ type: 'text', text: 'a' }] }],
};

const counted = countedDatabase(env.DB);
const { client } = openWide({}, { DB: counted.database });

/** A value for every attribute; those of `uid` differ, since they are unique. */
function everything(marker: string): Record<string, unknown> {
  const own = [...wideType.attributes.values()].filter(({ name }) => name.startsWith('attribute'));
  return Object.fromEntries(
    own.map((attribute) => {
      const type = attribute.kind === 'scalar' ? attribute.type : '';
      return [attribute.name, type === 'uid' ? `${marker}-${attribute.name}` : SAMPLES[type]];
    }),
  );
}

describe('a type of 200 attributes', () => {
  it('keeps every value through create, update, publication and reads', async () => {
    const data = everything('first');
    const created = await documentOf(client.create('/api/wides', data));
    expect(created).toMatchObject(data);
    const path = `/api/wides/${created.documentId}`;
    expect(await documentOf(client.get(path))).toMatchObject(data);
    const updated = await documentOf(client.update(`${path}?status=draft`, { attribute0: 'new', attribute199: null }));
    expect(updated).toMatchObject({ ...data, attribute0: 'new', attribute199: null });
    expect(await documentOf(client.get(path))).toMatchObject(data);
    const published = await documentOf(client.update(path, { attribute198: null }));
    expect(published).toMatchObject({ ...data, attribute0: 'new', attribute198: null, attribute199: null });
  });

  it('is filtered, sorted and searched by attributes without a column', async () => {
    await documentOf(client.create('/api/wides', { ...everything('second'), attribute198: 1, attribute192: 'needle' }));
    expect(await totalOf(client.get('/api/wides?filters[attribute192]=needle'))).toBe(1);
    expect(await totalOf(client.get('/api/wides?_q=NEEDLE'))).toBe(1);
    expect(await valuesOf(client.get('/api/wides?sort=attribute192:desc&fields=attribute192'), 'attribute192')).toEqual(
      ['text', 'needle'],
    );
  });

  it('refuses a value that another document has in an attribute without a column', async () => {
    const unique = [...wideType.attributes.values()].findLast((item) => item.kind === 'scalar' && item.unique)?.name;
    expect(wideType.attributes.get(unique ?? '')).toMatchObject({ overflow: true });
    const taken = { [unique ?? '']: `first-${unique}` };
    expect((await client.create('/api/wides', taken)).status).toBe(400);
  });

  it('has one row for each version, by its unique indexes', async () => {
    const { documentId } = await documentOf(client.create('/api/wides', { attribute0: 'once' }));
    for (const version of ['is null', 'is not null']) {
      const copy = `insert into "wides" (document_id, locale, published_at)
        select document_id, locale, published_at from "wides" where document_id = ? and published_at ${version}`;
      await expect(env.DB.prepare(copy).bind(documentId).run()).rejects.toThrow('UNIQUE constraint failed');
    }
  });

  it('sends D1 no statement that is too long', () => {
    const texts = counted.batches.flat();
    expect(texts.length).toBeGreaterThan(20);
    for (const text of texts) expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(100_000);
  });
});

describe('a type of 150 unique attributes', () => {
  const names = Array.from({ length: 150 }, (_, index) => `key${index}`);
  const model: Registry = registryOf(
    [contentType('lock', Object.fromEntries(names.map((name) => [name, { type: 'string', unique: true }])))],
    [],
    { 'api::lock.lock': names.slice(90) },
  );
  const locks: Client = clientOf(serveRegistry(model), 'full');

  it('can be written', async () => {
    await createRegistryTables(model);
    const data = Object.fromEntries(names.map((name) => [name, name]));
    expect((await locks.create('/api/locks', data)).status).toBe(200);
    expect((await locks.create('/api/locks', { key149: 'key149' })).status).toBe(400);
  });
});
