/**
 * @module Creating, reading, updating and deleting documents of a type without drafts.
 */
import { describe, expect, it } from 'vitest';
import { documentOf, documentsOf, errorOf } from '../../support/client.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();
const NOT_FOUND = { status: 404, name: 'NotFoundError', message: 'Not Found', details: {} };
const STAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

describe('a document that is not there', () => {
  it('cannot be read or updated', async () => {
    expect(await errorOf(client.get('/api/tags/nope'))).toEqual(NOT_FOUND);
    expect(await errorOf(client.update('/api/tags/nope', { color: 'red' }))).toEqual(NOT_FOUND);
  });

  it('can be deleted without an error', async () => {
    const response = await client.remove('/api/tags/nope');
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
  });

  it('is one addressed by its numeric id', async () => {
    const { documentId } = await documentOf(client.create('/api/tags', { name: 'by number' }));
    const { id } = await documentOf(client.get(`/api/tags/${documentId}`));
    expect(await errorOf(client.get(`/api/tags/${id}`))).toEqual(NOT_FOUND);
    expect(await errorOf(client.update(`/api/tags/${id}`, { color: 'red' }))).toEqual(NOT_FOUND);
    expect((await client.remove(`/api/tags/${id}`)).status).toBe(204);
    expect((await client.get(`/api/tags/${documentId}`)).status).toBe(200);
  });
});

describe('a created document', () => {
  it('has all its attributes, with defaults and null for what was not given', async () => {
    const created = await documentOf(client.create('/api/tags', { name: 'whole' }));
    expect(created).toEqual({
      documentId: expect.stringMatching(/^[a-z][a-z0-9]{23}$/),
      name: 'whole',
      color: '#000000',
      weight: null,
      createdAt: expect.stringMatching(STAMP),
      updatedAt: created.createdAt,
      publishedAt: created.createdAt,
    });
  });

  it('is what a read shows from then on, with its row number first', async () => {
    const created = await documentOf(client.create('/api/tags', { name: 'read back', weight: 7 }));
    const response = await client.get(`/api/tags/${created.documentId}`);
    const { data, meta } = (await response.json()) as { data: Record<string, unknown>; meta: unknown };
    expect(data).toEqual({ id: expect.any(Number), ...created });
    expect(Object.keys(data).slice(0, 2)).toEqual(['id', 'documentId']);
    expect(meta).toEqual({});
  });

  it('ignores publishedAt and locale of the body', async () => {
    const created = await documentOf(
      client.create('/api/tags', { name: 'ignored', publishedAt: '2001-01-01', locale: 'fr' }),
    );
    expect(created.publishedAt).toBe(created.createdAt);
  });

  it('shows what fields name', async () => {
    const { documentId, ...rest } = await documentOf(client.create('/api/tags?fields=name', { name: 'some fields' }));
    expect(rest).toEqual({ name: 'some fields' });
    expect(documentId).toHaveLength(24);
  });

  it('keeps explicit null where there is a default', async () => {
    expect(await documentOf(client.create('/api/tags', { name: 'no color', color: null }))).toMatchObject({
      color: null,
    });
  });
});

describe('an update', () => {
  it('changes what is given, clears what is null and keeps the rest', async () => {
    const created = await documentOf(client.create('/api/tags', { name: 'partial', color: 'red', weight: 1 }));
    const updated = await documentOf(client.update(`/api/tags/${created.documentId}`, { weight: 2, color: null }));
    expect(updated).toMatchObject({ name: 'partial', color: null, weight: 2, createdAt: created.createdAt });
    expect(String(updated.updatedAt) > String(created.updatedAt)).toBe(true);
  });

  it('of nothing keeps everything', async () => {
    const created = await documentOf(client.create('/api/tags', { name: 'untouched', weight: 3 }));
    const updated = await documentOf(client.update(`/api/tags/${created.documentId}`, {}));
    expect({ ...updated, id: 0, updatedAt: 0 }).toEqual({ ...created, id: 0, updatedAt: 0 });
  });

  it('takes no notice of filters', async () => {
    const { documentId } = await documentOf(client.create('/api/tags', { name: 'not filtered' }));
    const updated = client.update(`/api/tags/${documentId}?filters[name]=other&sort=name`, { weight: 5 });
    expect(await documentOf(updated)).toMatchObject({ weight: 5 });
  });

  it.each(['fields=nope', 'filters[nope]=1', 'sort=nope'])('refuses %s before anything is written', async (search) => {
    const { documentId } = await documentOf(client.create('/api/tags', { name: `before ${search}` }));
    const refused = client.update(`/api/tags/${documentId}?${search}`, { name: 'after' });
    expect(await errorOf(refused)).toMatchObject({ status: 400, message: 'Invalid key nope' });
    expect(await documentOf(client.get(`/api/tags/${documentId}`))).toMatchObject({ name: `before ${search}` });
  });
});

describe('a deleted document', () => {
  it('is gone for good, and only it', async () => {
    const [first, second] = await Promise.all(
      ['first', 'second'].map((name) => documentOf(client.create('/api/tags', { name }))),
    );
    expect((await client.remove(`/api/tags/${first?.documentId}`)).status).toBe(204);
    expect((await client.get(`/api/tags/${first?.documentId}`)).status).toBe(404);
    expect(await documentOf(client.get(`/api/tags/${second?.documentId}`))).toMatchObject({ name: 'second' });
  });

  it('stays when the filter of the request does not match it', async () => {
    const { documentId } = await documentOf(client.create('/api/tags', { name: 'kept' }));
    expect((await client.remove(`/api/tags/${documentId}?filters[name]=other`)).status).toBe(204);
    expect((await client.get(`/api/tags/${documentId}`)).status).toBe(200);
    expect((await client.remove(`/api/tags/${documentId}?filters[name]=kept`)).status).toBe(204);
    expect((await client.get(`/api/tags/${documentId}`)).status).toBe(404);
  });

  it('leaves its name to another', async () => {
    const { documentId } = await documentOf(client.create('/api/tags', { name: 'reused' }));
    await client.remove(`/api/tags/${documentId}`);
    expect((await client.create('/api/tags', { name: 'reused' })).status).toBe(200);
  });
});

describe('one document', () => {
  it('is not found through a filter or a search that does not match it', async () => {
    const { documentId } = await documentOf(client.create('/api/tags', { name: 'searched' }));
    for (const search of ['filters[name]=other', '_q=other'])
      expect(await errorOf(client.get(`/api/tags/${documentId}?${search}`))).toEqual(NOT_FOUND);
    expect(await documentOf(client.get(`/api/tags/${documentId}?filters[name]=searched`))).toHaveProperty('name');
  });
});

describe('values', () => {
  it.each([
    ['biginteger', { views: '9007199254740993' }, '9007199254740993'],
    ['biginteger from a number', { views: 12 }, '12'],
    ['decimal', { price: 12345.75 }, 12345.75],
    ['float', { rating: 0.0625 }, 0.0625],
    ['integer from text', { readingTime: '30' }, 30],
    ['boolean from text', { premium: 'true' }, true],
    ['date', { publishDate: '2024-02-29' }, '2024-02-29'],
    ['datetime', { eventAt: '2024-01-01T10:00:00+02:00' }, '2024-01-01T08:00:00.000Z'],
    ['time', { airTime: '23:59:59.9' }, '23:59:59.900'],
    ['json', { extra: { a: [1, null, 'é'] } }, { a: [1, null, 'é'] }],
    ['JSON text', { extra: '{"a":1}' }, { a: 1 }],
    ['false as JSON', { extra: false }, false],
    ['text', { body: 'line\nline\u2028"quoted" \\ 🎉' }, 'line\nline\u2028"quoted" \\ 🎉'],
    ['text with NUL', { summary: 'a\0b' }, 'a\0b'],
  ])('of type %s come back as they are shown', async (_, data, shown) => {
    const [name = ''] = Object.keys(data);
    const created = await documentOf(client.create('/api/articles', { title: 'Values', ...data }));
    expect(created[name]).toEqual(shown);
    const [listed] = await documentsOf(client.get(`/api/articles?filters[documentId]=${created.documentId}`));
    expect(listed?.[name]).toEqual(shown);
  });
});
