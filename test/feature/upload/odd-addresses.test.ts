/**
 * @module Odd addresses of files, private files and pictures on request: other spellings of a key lead to no bytes.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { bearer } from '../../support/recorded.ts';
import { clearMedia, type FileAnswer, picture, uploadOne } from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const SETTINGS: SettingsInput = {
  server: { url: 'https://api.example.com' },
  upload: { private: true, widths: [64] },
};
const { send } = openMagazine(SETTINGS);
const SECRET_BUCKET = (env as Env & { PRIVATE_MEDIA: R2Bucket }).PRIVATE_MEDIA;
let open: FileAnswer;
let secret: FileAnswer;

beforeAll(async () => {
  await clearMedia();
  await SECRET_BUCKET.delete((await SECRET_BUCKET.list()).objects.map(({ key }) => key));
  open = await uploadOne(send, await picture());
  secret = await uploadOne(send, await picture(), { fileInfo: '{"private":true}' });
});

const keyOf = ({ hash, ext }: FileAnswer): string => `${hash}${ext}`;
const escaped = (text: string): string => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
const SPELLINGS: readonly (readonly [name: string, spell: (key: string) => string, status?: number])[] = [
  ['escaped', escaped],
  ['with one escape', (key) => key.replace('_', '%5F')],
  ['with an escaped mark of privacy', (key) => key.replace('-private', '-privat%65').replace('.png', '%2Epng')],
  ['in capitals', (key) => key.toUpperCase()],
  ['before a null', (key) => `${key}%00`, 400],
  ['in a folder of pictures', (key) => `pictures/${key}/64-75.webp`],
  ['in the trash', (key) => `trash/1/${key}`],
];
const CASES = SPELLINGS.map(([name, spell, status = 404]) => [name, spell, status] as const);
const QUERIES = ['', '?w=64', '?w=64&expires=9999999999&signature=x'];

describe.each(CASES)('a key %s', (_, spell, status) => {
  it.each(['GET', 'HEAD'])('is of no bytes, open or private: %s', async (method) => {
    for (const file of [open, secret])
      for (const query of QUERIES)
        for (const init of [{ method }, { method, ...bearer('full') }]) {
          const response = await send(`/uploads/${spell(keyOf(file))}${query}`, init);
          expect([query, response.status]).toEqual([query, status]);
          expect(response.headers.get('content-type') ?? '').not.toMatch(/^image/);
        }
    expect((await env.MEDIA.list({ prefix: 'pictures/' })).objects).toEqual([]);
  });
});

describe('a picture of a private file', () => {
  const path = () => `/uploads/${keyOf(secret)}?w=64`;

  it('takes ranges, HEAD and conditions, and is private in all of them', async () => {
    const whole = await send(path(), bearer('full'));
    const etag = whole.headers.get('etag') ?? '';
    const bytes = new Uint8Array(await whole.arrayBuffer());
    const { headers } = bearer('full') as { headers: Record<string, string> };
    const ask = (more: Record<string, string>, method = 'GET') =>
      send(path(), { method, headers: { ...headers, ...more } });
    const head = await ask({}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.body]).toEqual([200, String(bytes.length), null]);
    const part = await ask({ range: 'bytes=1-2' });
    expect([part.status, [...new Uint8Array(await part.arrayBuffer())]]).toEqual([206, [...bytes.subarray(1, 3)]]);
    const held = await ask({ 'if-none-match': etag });
    const failed = await ask({ 'if-match': '"x"' });
    const beyond = await ask({ range: `bytes=${bytes.length}-` });
    expect([held, failed, beyond].map(({ status }) => status)).toEqual([304, 412, 416]);
    for (const response of [whole, head, part, held])
      expect(response.headers.get('cache-control')).toBe('private, no-cache');
    for (const response of [failed, beyond]) expect(response.headers.get('cache-control')).toBe('no-store');
    for (const response of [whole, head, part, held, failed, beyond])
      expect(response.headers.get('vary')).toContain('Authorization');
  });

  it.each([{ range: 'bytes=0-1' }, { 'if-none-match': '*' }, { 'if-match': '"x"' }, { range: 'bytes=99999999-' }])(
    'is a 404 for others with %j',
    async (headers) => {
      for (const method of ['GET', 'HEAD'])
        for (const at of [path(), path().replace('?w=64', '')])
          expect((await send(at, { method, headers })).status).toBe(404);
    },
  );
});
