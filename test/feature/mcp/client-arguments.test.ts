/**
 * @module What real clients send for arguments: base64 in other forms, and texts that take long to read.
 */
import { describe, expect, it } from 'vitest';
import { sendJson } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine({ mcp: true });

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

const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

it.each([
  ['create', { type: 'tags', data: `{"name":${DEEP}}` }, 'data', /./],
  ['find', { type: 'tags', filters: `{"name":${DEEP}}` }, 'filters', /levels/],
])('JSON as text of 100,000 levels is rejected by %s', async (name, args, path, message) => {
  expect(await failure(name, args)).toMatchObject({ path, message: expect.stringMatching(message) });
});
