/**
 * @module Class 13 of the advisories of 2026: the type of a file is that of its bytes, whatever its sender calls it, for every
 * way in which bytes arrive, and no browser runs what is served. Strapi CVE-2026-22707, GHSA-pcw7-5633-82vv; Payload
 * CVE-2022-27952, CVE-2026-34748. test/unit/upload/decide-type.test.ts has the types one by one.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clientOf, documentOf } from '../support/client.ts';
import { bytesOf, png } from '../support/pictures.ts';
import { bearer, createToken, serve } from '../support/recorded.ts';
import {
  clearMedia,
  END,
  type FileAnswer,
  formOf,
  MULTIPART,
  mismatches,
  objectKeys,
  postForm,
  rawPart,
  refusal,
  TEXT,
  uploaded,
  uploadOne,
} from '../support/uploads.ts';
import { openMagazine } from '../support/world.ts';

const { send } = openMagazine();
const PAGE = '<!doctype html><script>alert(1)</script>';

beforeAll(async () => {
  await createToken('uploads', 'custom', ['plugin::upload.content-api.upload']);
});
beforeEach(clearMedia);

const textOf = async (response: Response) => new TextDecoder().decode(await response.arrayBuffer());
const textAt = async (path: string) => textOf(await send(path));

/** One file whose part has these headers, as no browser would write them. */
const rawFile = (filename: string, type: string, content: string) =>
  postForm(
    send,
    bytesOf(
      rawPart(
        `Content-Disposition: form-data; name="files"; filename="${filename}"\r\nContent-Type: ${type}`,
        content,
      ) + END,
    ),
    '',
    'full',
    MULTIPART,
  );

describe('a file', () => {
  const INERT = { 'x-content-type-options': 'nosniff', 'content-security-policy': expect.stringMatching(/sandbox$/) };

  it.each([
    'image/x,text/html',
    'image/x, image/svg+xml',
    'image/x text/html',
    'image/x\ttext/html',
    'video/"',
    'image/*',
    'image/',
  ])('is rejected with a media type that is none, or several: %j', async (type) => {
    expect(await refusal(rawFile('page', type, '<b></b><script>alert(1)</script>'))).toBe(
      `400 ValidationError: File type '${type}' is not allowed`,
    );
    expect(await objectKeys()).toEqual([]);
  });

  it.each(['image/svg+xml; charset=utf-8', 'IMAGE/SVG+XML', 'image/svg+xml;,text/plain'])(
    'is rejected with another spelling of a denied type: %s',
    async (type) => {
      expect(await refusal(rawFile('picture', type, 'no markup at all'))).toContain("'image/svg+xml' is not allowed");
    },
  );

  const DISGUISED = '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>alert(1)</s:script></s:svg>';
  const open = serve({ upload: { allowedTypes: null, deniedTypes: [] } });

  it.each([
    'image/x+xml',
    'image/foo+xml',
    'image/svg',
    'image/svg-xml',
    'audio/x+xml',
    'video/html',
    'text/xml',
    'text/xsl',
    'text/html; charset=utf-8',
    'text/plain+xml',
    'application/xhtml+xml',
    'application/rdf+xml',
    'application/pdf+xml',
    'image/svg+xml;x',
    'multipart/x-mixed-replace',
    'multipart/related;boundary=x',
    'message/rfc822',
    'x/y',
  ])('is served as an attachment with a type that browsers may run: %s', async (type) => {
    const part = `Content-Disposition: form-data; name="files"; filename="picture"\r\nContent-Type: ${type}`;
    const body = bytesOf(rawPart(part, DISGUISED) + END);
    const [file] = await uploaded(postForm(open, body, '', 'full', MULTIPART));
    const served = await send(file?.url ?? '');
    expect(await textOf(served)).toBe(DISGUISED);
    expect(Object.fromEntries(served.headers)).toMatchObject({ ...INERT, 'content-disposition': 'attachment' });
    expect(served.headers.get('content-type')).not.toMatch(/^(multipart|message)/);
    const { httpMetadata } = (await env.MEDIA.head((await objectKeys())[0] ?? '')) ?? {};
    expect(httpMetadata).toMatchObject({ contentDisposition: 'attachment' });
    expect(httpMetadata?.contentType).not.toMatch(/^(multipart|message)/);
  });

  it.each([
    ['image/x+xml', 'image/x+xml'],
    ['IMAGE/SVG+XML', 'image/svg+xml'],
    ['image/svg+xml; charset=utf-8', 'image/svg+xml'],
    ['image/png, text/html', 'application/octet-stream'],
    ['image/png text/html', 'application/octet-stream'],
    ['multipart/x-mixed-replace;boundary=image/png', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])(
    'is served as an attachment with a type that something else stored in the bucket: %j',
    async (contentType, sent) => {
      await env.MEDIA.put('old', DISGUISED, { httpMetadata: { contentType } });
      for (const init of [{}, { method: 'HEAD' }, { headers: { range: 'bytes=0-9' } }]) {
        const { headers } = await send('/uploads/old', init);
        expect(Object.fromEntries(headers)).toMatchObject({
          ...INERT,
          'content-type': sent,
          'content-disposition': 'attachment',
        });
      }
    },
  );

  it('keeps its bytes when a page is to replace them under any name', async () => {
    const { id, url } = await uploadOne(send, { bytes: await png(10, 10), name: 'logo.png' });
    const before = await textAt(url);
    for (const [name, type] of [
      ['page.html', 'text/html'],
      ['logo.png', 'image/png'],
      ['logo.svg', 'image/svg+xml'],
    ] as const) {
      const form = formOf([{ bytes: PAGE, name, type }]);
      expect((await postForm(send, form, `?id=${id}`)).status).toBe(400);
    }
    expect(await textAt(url)).toBe(before);
  });

  it('keeps its type and extension under another name', async () => {
    const { id, url } = await uploadOne(send, TEXT);
    const info = {
      fileInfo: JSON.stringify({ name: 'page.html', ext: '.html', mime: 'text/html', url: '/page.html' }),
    };
    const [renamed] = await uploaded(postForm(send, formOf([], info), `?id=${id}`));
    expect(renamed).toMatchObject({ name: 'page.html', ext: '.txt', mime: 'text/plain', url });
    const named = await uploadOne(send, TEXT, info);
    expect(named).toMatchObject({ ext: '.txt', mime: 'text/plain', url: `/uploads/${named.hash}.txt` });
    expect((await send(named.url)).headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('is an attachment in a range, in a HEAD, in a 304 and for a document as well', async () => {
    const { url } = await uploadOne(open, { bytes: PAGE, name: 'page.html', type: 'text/html' });
    const whole = await send(url);
    const etag = whole.headers.get('etag') ?? '';
    for (const [init, status] of [
      [{}, 200],
      [{ headers: { range: 'bytes=15-' } }, 206],
      [{ method: 'HEAD' }, 200],
      [{ headers: { 'if-none-match': etag } }, 304],
      [{ headers: { accept: 'text/html', 'sec-fetch-dest': 'document' } }, 200],
    ] as const) {
      const response = await send(`${url}?response-content-type=text/html&download=0`, init);
      expect([init, response.status]).toEqual([init, status]);
      expect(Object.fromEntries(response.headers)).toMatchObject({ ...INERT, 'content-disposition': 'attachment' });
    }
  });
});

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const DISGUISES: readonly (readonly [what: string, bytes: string])[] = [
  ['a page', PAGE],
  ['an SVG', SVG],
  ['an SVG behind a comment', `<!-- x -->${SVG}`],
  ['a program', 'MZ\x90\0'],
  ['an archive', 'PK\x03\x04\x14\0'],
];
type Way = (disguised: { readonly bytes: string; readonly name: string; readonly type: string }) => Promise<Response>;

const info = { fileInfo: JSON.stringify({ name: 'a.png', mime: 'image/png', ext: '.png', provider_metadata: {} }) };
const good = async () => ({ bytes: await png(10, 10), name: 'good.png', type: 'image/png' });
const replacing =
  (replace: 'same-url' | 'new-url', method: string): Way =>
  async (file) => {
    const { id } = await uploadOne(send, await good());
    const init = { method, ...bearer('full'), body: formOf([file], info) };
    return serve({ upload: { replace } })(`/api/upload?id=${id}`, init);
  };

/** The ways in which bytes arrive. */
const WAYS: readonly (readonly [name: string, way: Way])[] = [
  ['alone', (file) => postForm(send, formOf([file], info))],
  ['behind a picture', async (file) => postForm(send, formOf([await good(), file]))],
  ['in the place of others at their URL', replacing('same-url', 'POST')],
  ['in the place of others at a new URL', replacing('new-url', 'PUT')],
  [
    'with an Idempotency-Key',
    (file) => {
      const headers = { authorization: 'Bearer full', 'idempotency-key': `${file.bytes.length}` };
      return send('/api/upload', { method: 'POST', headers, body: formOf([file]) });
    },
  ],
  [
    'attached to a document',
    (file) => postForm(send, formOf([file], { ref: 'api::author.author', refId: author, field: 'avatar' })),
  ],
];
let author = '';

describe.each(WAYS)('bytes that arrive %s', (_, way) => {
  beforeAll(async () => {
    author = (await documentOf(clientOf(send, 'full').create('/api/authors', { name: 'Zed' }))).documentId;
  });

  it.each(DISGUISES)('are rejected as %s that calls itself a picture, and none is kept', async (_, bytes) => {
    expect((await way({ bytes, name: 'a.png', type: 'image/png' })).status).toBe(400);
    const objects = await Promise.all((await objectKeys()).map((key) => env.MEDIA.get(key)));
    for (const object of objects.filter((each) => each !== null)) {
      expect(object.httpMetadata?.contentType).toBe('image/png');
      expect(await object.text()).toContain('PNG');
    }
    expect(await mismatches()).toMatchObject({ orphans: [], incomplete: [] });
  });

  it('are a picture with the name of a text, and keep the type of a picture', async () => {
    const response = await way({ bytes: 'GIF89a\x01\0\x01\0\0\0\0;', name: 'a.gif', type: 'text/plain' });
    const body = (await response.json()) as FileAnswer | readonly FileAnswer[];
    const file = [body].flat().at(-1);
    expect(file?.mime).toBe('image/gif');
    expect((await send(file?.url ?? '')).headers.get('content-type')).toBe('image/gif');
  });
});
