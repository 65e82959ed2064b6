/**
 * @module What the server seals: the state of a question, and addresses of uploads, hold for one caller and one call.
 */
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { png } from '../../support/pictures.ts';
import { createTables, createToken, serve } from '../../support/recorded.ts';

const send = serve({ mcp: true });
const META = 'io.modelcontextprotocol/';
const VERSION = '2026-07-28';

beforeAll(async () => {
  await createTables();
  for (const token of ['full', 'other', 'revoked']) await createToken(token, 'full-access');
});

afterEach(() => {
  vi.useRealTimers();
});

// biome-ignore lint/suspicious/noExplicitAny: JSON of any tool
async function use(name: string, args: object, more: object = {}, token = 'full'): Promise<any> {
  const _meta = { [`${META}protocolVersion`]: VERSION, [`${META}clientCapabilities`]: { elicitation: {} } };
  const params = { name, arguments: args, _meta, ...more };
  const response = await send('/mcp', {
    method: 'POST',
    headers: {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      'mcp-protocol-version': VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return ((await response.json()) as { result: unknown }).result;
}

const draft = async (): Promise<string> =>
  (await use('create', { type: 'articles', data: { title: 'Draft' } })).structuredContent.data.documentId;
const publishing = (documentId: string) => ({ type: 'articles', documentId, action: 'publish' });
const YES = { inputResponses: { confirm: { action: 'accept', content: { confirm: true } } } };

describe('the state of a question', () => {
  it('holds for the caller, the tool, the document and the arguments, for fifteen minutes', async () => {
    const [one, other] = [await draft(), await draft()];
    const { requestState } = await use('change_publication', publishing(one));
    const confirmed = { requestState, ...YES };
    const altered = `${requestState.slice(0, -2)}${requestState.endsWith('AA') ? 'BB' : 'AA'}`;
    const refused = [
      await use('change_publication', publishing(one), { ...confirmed, requestState: 'forged.state' }),
      await use('change_publication', publishing(one), { ...confirmed, requestState: { toString: 1 } }),
      await use('change_publication', publishing(one), { ...confirmed, requestState: altered }),
      await use('change_publication', publishing(one), confirmed, 'other'),
      await use('change_publication', publishing(other), confirmed),
      await use('change_publication', { ...publishing(one), at: '2030-01-01T00:00:00.000Z' }, confirmed),
      await use('delete', { type: 'articles', documentId: one }, confirmed),
    ];
    vi.useFakeTimers({ now: Date.now() + 900_001, toFake: ['Date'] });
    refused.push(await use('change_publication', publishing(one), confirmed));
    vi.useRealTimers();
    for (const { isError, structuredContent } of refused)
      expect([isError, structuredContent.error.path]).toEqual([true, 'requestState']);
    expect((await send(`/api/articles/${one}`, { headers: { authorization: 'Bearer full' } })).status).toBe(404);
    expect((await use('change_publication', publishing(one), confirmed)).structuredContent.done).toBe(true);
  });

  it('holds for the revision that the person has seen', async () => {
    const documentId = await draft();
    const { requestState } = await use('change_publication', publishing(documentId));
    const { revision } = (await use('get', { type: 'articles', documentId, status: 'draft' })).structuredContent;
    await use('update', { type: 'articles', documentId, data: { title: 'Later' }, revision });
    const { structuredContent } = await use('change_publication', publishing(documentId), { requestState, ...YES });
    expect(structuredContent.error).toMatchObject({ status: 412, path: 'revision' });
  });

  it('holds for the revision of the call, if it has one', async () => {
    const documentId = await draft();
    const { revision } = (await use('get', { type: 'articles', documentId, status: 'draft' })).structuredContent;
    await use('update', { type: 'articles', documentId, data: { title: 'Later' }, revision });
    const stale = { ...publishing(documentId), revision };
    const { requestState } = await use('change_publication', stale);
    const { structuredContent } = await use('change_publication', stale, { requestState, ...YES });
    expect(structuredContent.error).toMatchObject({ status: 412, path: 'revision' });
  });
});

const FILE = new File(['text'], 'a.txt', { type: 'text/plain' });

describe('a form sent to the address of an upload', () => {
  const INFO = { name: 'a.txt', caption: 'Sealed' };
  const fileCount = () => env.DB.prepare('select count(*) as "count" from "files"').first('count');
  const post = async (fields: readonly (readonly [string, string | File])[], more: object = {}) => {
    const { address } = (await use('upload', { ...INFO, ...more })).structuredContent;
    const body = new FormData();
    for (const [name, value] of fields) body.append(name, value);
    return send(`${new URL(address).pathname}?id=1`, { method: 'POST', body });
  };

  it('attaches nothing to a document, whose picture would be replaced', async () => {
    const json = (method: string, body: object) => ({
      method,
      headers: { authorization: 'Bearer full', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const bytes = await png(4, 3);
    const file = new File([bytes], 'other.png', { type: 'image/png' });
    const base64 = btoa(String.fromCharCode(...bytes));
    const { data: cover } = (await use('upload', { name: 'cover.png', base64 })).structuredContent;
    const made = await send('/api/articles', json('POST', { data: { title: 'Live', cover: cover.id } }));
    const { data } = (await made.json()) as { data: { documentId: string; publishedAt: string } };
    expect(data.publishedAt).not.toBeNull();
    const before = await fileCount();
    const reference = [
      ['ref', 'api::article.article'],
      ['refId', data.documentId],
      ['field', 'cover'],
    ] as const;
    for (const fields of [
      [...reference, ['files', file] as const],
      [['files', file] as const, ...reference],
    ])
      expect((await post(fields)).status).toBe(400);
    const read = await send(`/api/articles/${data.documentId}?status=draft&populate=cover`, {
      headers: { authorization: 'Bearer full' },
    });
    expect(await read.json()).toMatchObject({ data: { cover: { id: cover.id } } });
    expect(await fileCount()).toBe(before);
  });

  it('is no JSON, whose references would be looked up with the rights of its maker', async () => {
    const { address } = (await use('upload', INFO)).structuredContent;
    const body = JSON.stringify({ ref: 'api::article.article', refId: 'nobody', field: 'cover' });
    const headers = { 'content-type': 'application/json' };
    const response = await send(new URL(address).pathname, { method: 'POST', body, headers });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('takes one file')]);
  });

  it.each<[string, readonly (readonly [string, string | File])[]]>([
    [
      'a second file',
      [
        ['files', FILE],
        ['files', FILE],
      ],
    ],
    [
      'a file in another part',
      [
        ['files', FILE],
        ['file', FILE],
      ],
    ],
    [
      'other details',
      [
        ['files', FILE],
        ['fileInfo', JSON.stringify({ ...INFO, caption: 'Another' })],
      ],
    ],
    [
      'details beside its own',
      [
        ['files', FILE],
        ['fileInfo', JSON.stringify(INFO)],
        ['fileInfo', '{"folder":1}'],
      ],
    ],
    [
      'a folder',
      [
        ['fileInfo[folder]', '1'],
        ['files', FILE],
      ],
    ],
    [
      'a path',
      [
        ['path', 'x'],
        ['files', FILE],
      ],
    ],
    ['no file', [['fileInfo', JSON.stringify(INFO)]]],
  ])('is a 400 with %s, and stores nothing', async (_, fields) => {
    const before = await fileCount();
    expect((await post(fields)).status).toBe(400);
    expect(await fileCount()).toBe(before);
    expect((await env.MEDIA.list()).objects.filter(({ key }) => !key.startsWith('cover_'))).toEqual([]);
  });

  it('makes the file that the tool was called for, with its details and media type', async () => {
    const unnamed = new File(['text'], 'unknown');
    for (const fields of [
      [['files', unnamed]],
      [
        ['fileInfo', JSON.stringify(INFO)],
        ['files', unnamed],
      ],
    ] as const) {
      const response = await post(fields, { mimeType: 'text/csv' });
      expect(response.status).toBe(201);
      expect(await response.json()).toMatchObject([{ ...INFO, mime: 'text/csv' }]);
    }
  });
});

describe('the address of an upload', () => {
  const post = async (address: string, text: string) => {
    const body = new FormData();
    body.append('files', new File([text], 'a.txt', { type: 'text/plain' }));
    return (await send(new URL(address).pathname, { method: 'POST', body })).status;
  };
  const addressFor = async (token: string): Promise<string> =>
    (await use('upload', { name: 'a.txt' }, {}, token)).structuredContent.address;
  const fileCount = () => env.DB.prepare('select count(*) as "count" from "files"').first('count');

  it('is short enough for any server: longer details are sent in the call, or later', async () => {
    const details = { name: 'a.txt', alternativeText: 'ß'.repeat(1_000), caption: 'c'.repeat(1_900) };
    const { address } = (await use('upload', details)).structuredContent;
    expect(address.length).toBeLessThan(8_000);
    expect(await post(address, 'text')).toBe(201);
    const long = { ...details, caption: `${details.caption}${'c'.repeat(200)}` };
    expect((await use('upload', long)).structuredContent.error).toMatchObject({
      path: 'caption',
      message:
        'The details have 4164 bytes. Expected at most 4096 without base64: send them with base64, or shorten them',
    });
    expect((await use('upload', { ...long, base64: btoa('text') })).structuredContent.data.caption).toBe(long.caption);
  });

  it('is refused when it is forged, and after ten minutes', async () => {
    const address = await addressFor('full');
    const before = await fileCount();
    expect(await post(`${address.slice(0, -3)}AAA`, 'text')).toBe(404);
    vi.useFakeTimers({ now: Date.now() + 600_001, toFake: ['Date'] });
    expect(await post(address, 'text')).toBe(404);
    expect(await fileCount()).toBe(before);
  });

  it('takes one file, and no other bytes afterwards', async () => {
    const address = await addressFor('full');
    expect(await post(address, 'text')).toBe(201);
    const before = await fileCount();
    expect(await post(address, 'other bytes')).toBe(422);
    expect(await fileCount()).toBe(before);
  });

  it('is not given to the public, whose uploads could be repeated', async () => {
    const { structuredContent } = await use('upload', { name: 'a.txt' }, {}, '');
    expect(structuredContent.error).toMatchObject({ path: 'base64' });
  });

  it('is refused after its token was revoked', async () => {
    const address = await addressFor('revoked');
    await env.DB.prepare(`delete from "strapi_api_tokens" where "name" = 'revoked'`).run();
    expect(await post(address, 'text')).toBe(401);
  });
});
