/**
 * @module Values that the API has not written itself, but an import or a person at the database, are shown as they are
 * stored, by a page and by one document. What is looked for is not cut at a NUL.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROTATE_STAMPS } from '../../../cli/core/sql/database.ts';
import { type ApiDocument, documentOf, documentsOf, valuesOf } from '../../support/client.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const registry = registryOf([
  contentType('note', {
    title: { type: 'string' },
    body: { type: 'text' },
    price: { type: 'float' },
    data: { type: 'json' },
    big: { type: 'biginteger' },
  }),
]);

const { client } = openWorld(registry);

const note: { id?: string } = {};

beforeAll(async () => {
  note.id = (await documentOf(client.create('/api/notes', { title: 'first' }))).documentId;
  await documentOf(client.create('/api/notes', { title: 'second' }));
});

const store = (column: string, value: unknown) =>
  env.DB.batch([
    env.DB.prepare(`update "notes" set "${column}" = ? where "document_id" = ?`).bind(value, note.id),
    env.DB.prepare(ROTATE_STAMPS),
  ]);

const shownBy: readonly (readonly [string, () => Promise<ApiDocument | undefined>])[] = [
  ['a page', async () => (await documentsOf(client.get('/api/notes')))[0]],
  ['a page that is sorted', async () => (await documentsOf(client.get('/api/notes?sort=title')))[0]],
  ['a page that is filtered', async () => (await documentsOf(client.get('/api/notes?filters[title]=first')))[0]],
  ['one document', () => documentOf(client.get(`/api/notes/${note.id}`))],
];

describe.each(shownBy)('%s', (_, shown) => {
  it.each([
    ['price', 0.1 + 0.2],
    ['price', 1e21],
    ['price', 5e-324],
    ['price', 1.7976931348623157e308],
    ['price', -1e-7],
    ['big', '-9223372036854775808', '-9223372036854775808'],
    ['big', '9007199254740993', '9007199254740993'],
    ['body', 'a\0b"\\\u2028\ud83d\ude00\n\t\u001f'],
    ['body', ''],
    ['data', '"a\\u0000b"', 'a\0b'],
    ['data', '{"a":[1,2.50,"\\""],"":null}', { a: [1, 2.5, '"'], '': null }],
    ['data', 'null', null],
  ])('shows in %s what is stored: %j', async (column, stored, value: unknown = stored) => {
    await store(column, stored);
    expect((await shown())?.[column]).toEqual(value);
  });

  it('is there in spite of bytes in the place of a text', async () => {
    await store('body', new Uint8Array([0, 255]));
    expect((await shown())?.title).toBe('first');
    await store('body', null);
  });
});

it('a text with a NUL is never taken for the part before it', async () => {
  await documentOf(client.create('/api/notes', { title: 'left\0right', body: 'left' }));
  const found = (attribute: string, text: string) =>
    valuesOf(client.get(`/api/notes?filters[${attribute}][$contains]=${encodeURIComponent(text)}`), 'title');
  expect(await found('title', 'RIGHT')).toEqual([]);
  expect(await found('title', 'left\0R')).toEqual(['left\0right']);
  expect(await found('body', 'left\0')).toEqual([]);
});
