/**
 * @module What real clients send for arguments: null for what is absent, JSON as text, and base64 in other forms.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { documentOf } from '../../support/client.ts';
import { sendJson } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client, send } = openMagazine({ mcp: true, history: true });

// biome-ignore lint/suspicious/noExplicitAny: JSON of any tool
async function called(params: unknown): Promise<any> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const response = await send('/mcp', sendJson('POST', 'full', message));
  return ((await response.json()) as { result: unknown }).result;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of any tool
async function use(name: string, args: unknown): Promise<any> {
  const result = await called({ name, arguments: args });
  expect(result?.isError, JSON.stringify(result)).toBeUndefined();
  return result.structuredContent;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of any tool
async function failure(name: string, args: unknown): Promise<any> {
  const result = await called({ name, arguments: args });
  expect(result?.isError, JSON.stringify(result)).toBe(true);
  return result.structuredContent.error;
}

let documentId = '';
beforeAll(async () => {
  ({ documentId } = await documentOf(client.create('/api/tags', { name: 'bread', color: 'brown' })));
});

/** Names of documents. */
const namesOf = ({ data }: { data: readonly { name: string }[] }) => data.map(({ name }) => name);

describe('what is optional', () => {
  it.each([null, undefined, '{}', 'null'])('may be arguments that are %j', async (args) => {
    expect((await use('describe', args)).types.length).toBeGreaterThan(1);
  });

  it('may be params that are null', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: null };
    const { result } = (await (await send('/mcp', sendJson('POST', 'full', message))).json()) as {
      result: { tools: readonly unknown[] };
    };
    expect(result.tools.length).toBeGreaterThan(1);
  });

  it('may be null in every tool that reads', async () => {
    const READ = { fields: null, populate: null, status: null, locale: null };
    const list = { filters: null, sort: null, pagination: null, _q: null, ...READ };
    expect(namesOf(await use('find', { type: 'tags', ...list }))).toEqual(['bread']);
    const pagination = { page: 1, pageSize: null, start: null, limit: null, after: null, withCount: null };
    expect(namesOf(await use('find', { type: 'tags', pagination }))).toEqual(['bread']);
    expect((await use('get', { type: 'tags', documentId, ...READ })).data.name).toBe('bread');
    expect((await use('search', { text: 'bread', types: null, status: null, locale: null })).results).toHaveLength(1);
    expect((await use('describe', { type: 'tags', component: null })).type).toBe('tags');
    const absent = { documentId: null, version: null, operation: null, after: null, limit: null };
    expect((await use('history', { type: 'tags', ...absent })).data).toHaveLength(1);
  });

  it('may be null in every tool that writes, and null in data clears', async () => {
    const { data } = await use('create', {
      ...{ type: 'tags', data: { name: 'cake', color: null } },
      ...{ locale: null, idempotencyKey: null },
    });
    expect(data).toMatchObject({ name: 'cake', color: null });
    const { revision } = await use('get', { type: 'tags', documentId });
    await use('update', { type: 'tags', documentId, data: { color: null }, revision, locale: null });
    const step = { action: 'create', type: 'tags', documentId: null, revision: null, locale: null };
    await use('batch', { requests: [{ ...step, data: { name: 'pie' } }] });
    expect(await use('delete', { type: 'tags', documentId, revision: null, locale: null, dryRun: null })).toMatchObject(
      {
        done: false,
      },
    );
    expect((await use('get', { type: 'tags', documentId })).data.color).toBeNull();
    const file = { name: 'a.txt', alternativeText: null, caption: null };
    const { data: small } = await use('upload', { ...file, mimeType: 'text/plain', base64: btoa('a') });
    expect(small).toMatchObject({ name: 'a.txt', caption: null });
    expect((await use('upload', { ...file, mimeType: null, base64: null })).address).toMatch(/^http/);
  });
});

describe('JSON as text', () => {
  it('is taken for objects, lists, numbers and switches', async () => {
    const made = await use('create', JSON.stringify({ type: 'tags', data: JSON.stringify({ name: 'tart' }) }));
    expect(made.data.name).toBe('tart');
    const found = await use('find', {
      type: 'tags',
      filters: '{"name":{"$in":["tart","bread"]}}',
      fields: '["name"]',
      sort: '["name:desc"]',
      pagination: '{"page":"1","pageSize":"1","withCount":"true"}',
    });
    expect([namesOf(found), Object.keys(found.data[0])]).toEqual([['tart'], ['id', 'documentId', 'name']]);
    expect(found.meta.pagination).toMatchObject({ page: 1, pageSize: 1, total: 2 });
    const article = await use('create', { type: 'articles', data: { title: 'Tart' } });
    const read = { type: 'articles', documentId: article.data.documentId, status: 'draft' };
    expect((await use('get', { ...read, populate: '{"tags":{"fields":["name"]}}' })).data.tags).toEqual([]);
    expect((await use('search', { text: 'tart', types: '["tags"]' })).results).toHaveLength(1);
    expect((await use('history', { type: 'tags', limit: '1' })).data).toHaveLength(1);
    const requests = JSON.stringify([{ action: 'create', type: 'tags', data: '{"name":"roll"}' }]);
    expect((await use('batch', { requests })).data).toHaveLength(1);
    const dry = await use('delete', { type: 'tags', documentId: made.data.documentId, dryRun: 'true' });
    const decided = { type: 'tags', documentId: made.data.documentId, dryRun: 'false', revision: dry.revision };
    expect(await use('delete', decided)).toMatchObject({ done: true });
  });

  it('leaves texts that are names or words as they are', async () => {
    await use('create', { type: 'tags', data: { name: '2027' } });
    expect(namesOf(await use('find', { type: 'tags', fields: 'name', sort: 'name', _q: '2027' }))).toEqual(['2027']);
    expect(namesOf(await use('find', { type: 'tags', _q: 2027 }))).toEqual(['2027']);
    const quoted = await use('create', { type: 'tags', data: { name: '["a"]' } });
    expect(quoted.data.name).toBe('["a"]');
  });
});

describe('a file in a call', () => {
  const BYTES = String.fromCharCode(0xfb, 0xff, 0xbf, 0x3e, 0x3f, 0x61);
  const plain = btoa(BYTES);
  const inUrls = plain.replaceAll('+', '-').replaceAll('/', '_');

  it.each([
    ['in the alphabet for URLs', inUrls],
    ['without padding', `${inUrls}${btoa('a').replaceAll('=', '')}`],
    ['in lines', `${plain.slice(0, 4)}\n${plain.slice(4)}\n`],
    ['as a data: URL', `data:text/plain;base64,${plain}`],
    ['as a data: URL with parameters', `DATA:text/plain;charset=utf-8;base64,${inUrls}`],
  ])('may be %s', async (_, base64) => {
    const isUrl = /^data:/i.test(base64);
    const { data } = await use('upload', { name: 'bytes', base64, mimeType: isUrl ? null : 'text/plain' });
    expect([data.mime, data.size > 0]).toEqual(['text/plain', true]);
    const stored = new Uint8Array(await (await send(data.url)).arrayBuffer());
    expect(String.fromCharCode(...stored).slice(0, BYTES.length)).toBe(BYTES);
  });

  it.each(['no base64!', 'data:text/plain,hello', 'https://example.com/a.png', 'abcde'])(
    'that is %j says what was expected',
    async (base64) => {
      expect(await failure('upload', { name: 'a.txt', base64 })).toMatchObject({
        ...{ path: 'base64', message: expect.stringMatching(/Expected bytes in base64/) },
      });
    },
  );
});

it.each(['', ';'])(
  'a text that begins like a data: URL, and is none, is rejected however long it is, with %j',
  async (separator) => {
    // Read again from each of its places, it would take minutes.
    const base64 = `data:${`${separator}a`.repeat(400_000 / (1 + separator.length))}`;
    expect(await failure('upload', { name: 'a.txt', base64 })).toMatchObject({ path: 'base64' });
  },
);

describe('what is still wrong', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

  it.each([
    ['find', 7, 'arguments', 'Invalid arguments. Expected object, received number'],
    ['find', '[]', 'arguments', 'Invalid arguments. Expected object, received array'],
    ['find', {}, 'type', 'Missing type. Expected string'],
    ['find', { type: null }, 'type', 'Missing type. Expected string'],
    ['find', { type: 'tags', filters: '{"name"' }, 'filters', 'Invalid filters. Expected object, received string'],
    ['find', { type: 'tags', filters: '[]' }, 'filters', 'Invalid filters. Expected object, received array'],
    ['find', { type: 'tags', filter: null }, 'filter', 'Unknown argument filter'],
    ['find', { type: 'tags', pagination: { page: 'x' } }, 'pagination.page', /Expected integer, received string/],
    ['find', { type: 'tags', pagination: { size: 1 } }, 'pagination.size', 'Unknown argument pagination.size'],
    ['find', { type: 'tags', filters: { name: null } }, 'filters[name]', /Expected a value: for null use \$null/],
    ['find', { type: 'tags', filters: { name: {} } }, 'filters[name]', /Expected a value: for null use \$null/],
    [
      'find',
      { type: 'tags', filters: { name: { $in: [] } } },
      'filters[name][$in]',
      /Expected a value: for null use \$null/,
    ],
    ['search', { text: 'a', types: ['tags', null] }, 'types.1', 'Invalid types.1. Expected string, received null'],
    ['search', { text: 'a', types: 'tags' }, 'types', 'Invalid types. Expected array, received string'],
    ['history', { limit: '1.5' }, 'limit', 'Invalid limit. Expected integer, received number'],
    ['history', { limit: '101' }, 'limit', 'Invalid limit. Expected 1 to 100'],
    ['delete', { type: 'tags', dryRun: 'yes' }, 'dryRun', 'Invalid dryRun. Expected boolean, received string'],
    ['change_publication', { type: 'articles', action: null }, 'action', /Missing action. Expected publish, unpublish/],
    ['create', { type: 'tags', data: null }, 'data', 'Missing data. Expected object'],
    ['batch', { requests: '[null]' }, 'requests.0', 'Invalid requests.0. Expected object, received null'],
    ['create', { type: 'tags', data: `{"name":${deep}}` }, 'data', /./],
    ['find', { type: 'tags', filters: `{"name":${deep}}` }, 'filters', /levels/],
  ])('of %s says what was expected, case %#', async (name, args, path, message) => {
    const expected = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(await failure(name, args)).toMatchObject({ path, message: expected });
  });
});
