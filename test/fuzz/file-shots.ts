/**
 * @module Requests about files: forms with parts of every kind, well-formed and not, and the keys of bytes. `{=file}`
 * and `{=key}` stand for the file that was uploaded last.
 */
import fc from 'fast-check';
import type { ContentType } from '../../src/schema/model.ts';
import { FILE_UID } from '../../src/schema/system-types.ts';
import { encoded, hostileText } from '../generators/hostile.ts';
import { type Body, queryString } from './generators.ts';
import { registry } from './model.ts';
import { probeOf } from './queries.ts';
import { headersOf, headerText, type Shot, sender } from './shots.ts';

const fileType = registry.contentTypes.get(FILE_UID) as ContentType;
const type = fc.constant(fileType);

const BOUNDARY = 'fuzz-boundary';

const filename = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a.txt', 'b.csv', 'c.gif', 'd.pdf', 'e', 'n'.repeat(255)) },
  { weight: 2, arbitrary: fc.constantFrom('a.svg', 'a.html', 'a.PNG', '../a.txt', 'a.txt\u202e', '.txt', '', 'a.ü') },
  { weight: 2, arbitrary: hostileText },
);

const mediaType = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('text/plain', 'application/octet-stream', 'text/csv', 'image/gif', '') },
  { weight: 2, arbitrary: fc.constantFrom('image/svg+xml', 'text/html', 'image/x,text/html', 'image/ü', 'image/*') },
  { weight: 1, arbitrary: hostileText },
);

const content = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('a text', 'a,b\n1,2', 'GIF89a\x0a\0\x0a\0\0\0\0', '%PDF-1.7', 'RIFF\x04\0\0\0WEBPVP8 '),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('', '<svg/>', '<!doctype html>', 'GIF89aAAAA', 'PK\x03\x04', 'MZ', '\x7fELF'),
  },
  { weight: 2, arbitrary: hostileText },
  {
    weight: 1,
    arbitrary: fc.constantFrom(`--${BOUNDARY}--`, `\r\n--${BOUNDARY}`, `\r\n--${BOUNDARY}--\r\nx`, '-'.repeat(99)),
  },
);

const infoValue = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>('a.txt', 'words', '{=key}', null, { x: 1, y: 2 }, { x: -1 }, 1, true),
  },
  { weight: 1, arbitrary: fc.oneof(hostileText, fc.jsonValue({ maxDepth: 2 })) },
);

const info: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .dictionary(
        fc.constantFrom(
          ...['name', 'caption', 'alternativeText', 'focalPoint', 'folder', 'folderPath', 'hash', 'ext', 'url', 'mime'],
          ...['id', 'documentId', 'formats', 'provider', 'provider_metadata', 'nope', '__proto__'],
        ),
        infoValue,
        { maxKeys: 4 },
      )
      .chain((value) =>
        fc.constantFrom(JSON.stringify(value), JSON.stringify([value]), JSON.stringify([value, value])),
      ),
  },
  { weight: 1, arbitrary: fc.oneof(hostileText, fc.json()) },
);

const field = fc.oneof(
  { weight: 5, arbitrary: info.map((value) => ['fileInfo', value] as const) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('api::article.article', 'api::comment.comment', FILE_UID, '__proto__')
      .map((value) => ['ref', value] as const),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('1', '2', '0', '9'.repeat(30), '').map((value) => ['refId', value] as const),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('cover', 'gallery', 'title', 'constructor').map((value) => ['field', value] as const),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('id', 'path', 'url', 'hash', 'nope'), hostileText) },
  { weight: 1, arbitrary: fc.tuple(hostileText, hostileText) },
);

const quoted = (text: string): string => text.replaceAll(/[\r\n"\\]/g, '');

/** A name, its type and bytes that fit them. */
const fitting = fc.constantFrom(
  ...([
    ['a.txt', 'text/plain', 'a text'],
    ['Größe (1).csv', 'text/csv', 'a,b'],
    ['c.gif', 'image/gif', 'GIF89a\x0a\0\x0a\0\0\0\0'],
    ['wide.gif', '', 'GIF89a\0\x02\0\x02\0\0\0'],
    ['d.pdf', 'application/octet-stream', '%PDF-1.7'],
  ] as const),
);

const part: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fitting.map(
      ([file, media, bytes]) =>
        `Content-Disposition: form-data; name="files"; filename="${file}"\r\nContent-Type: ${media}\r\n\r\n${bytes}`,
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('files', 'files', 'files', 'files', 'file', ''), filename, mediaType, content)
      .map(([name, file, media, bytes]) => {
        const header = media === '' ? '' : `\r\nContent-Type: ${media}`;
        return `Content-Disposition: form-data; name="${name}"; filename="${quoted(file)}"${header}\r\n\r\n${bytes}`;
      }),
  },
  {
    weight: 3,
    arbitrary: field.map(([name, value]) => `Content-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}`),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.tuple(hostileText, content).map(([header, bytes]) => `${header}\r\n\r\n${bytes}`),
      fc.constantFrom(
        "Content-Disposition: form-data; name=files; filename*=UTF-8''%ff%zz\r\n\r\nx",
        'Content-Disposition: attachment; filename="a.txt"\r\n\r\nx',
        'Content-Disposition: form-data; name="files"; filename="a.txt"\r\nContent-Disposition: form-data; name="x"\r\n\r\nx',
        'Content-Disposition: form-data; name="files"; filename="a.txt"\r\nContent-Transfer-Encoding: base64\r\n\r\neA==',
        `X: ${'x'.repeat(20_000)}\r\n\r\nx`,
        '',
      ),
    ),
  },
);

const whole = (parts: readonly string[]): string =>
  [...parts.map((text) => `--${BOUNDARY}\r\n${text}\r\n`), `--${BOUNDARY}--\r\n`].join('');

const form: fc.Arbitrary<Body> = fc
  .record({
    parts: fc.oneof(
      { weight: 20, arbitrary: fc.array(part, { minLength: 1, maxLength: 4 }) },
      { weight: 1, arbitrary: part.map((one) => Array.from({ length: 60 }, () => one)) },
    ),
    damage: fc.oneof(
      { weight: 8, arbitrary: fc.constant((text: string) => text) },
      { weight: 1, arbitrary: fc.nat(400).map((end) => (text: string) => text.slice(0, end)) },
      { weight: 1, arbitrary: fc.constant((text: string) => text.replaceAll('\r\n', '\n')) },
    ),
    contentType: fc.oneof(
      { weight: 20, arbitrary: fc.constant(`multipart/form-data; boundary=${BOUNDARY}`) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          'multipart/form-data',
          'multipart/form-data; boundary=',
          `multipart/mixed; boundary=${BOUNDARY}`,
        ),
      },
      { weight: 1, arbitrary: headerText.map((text) => `multipart/form-data; boundary=${text}`) },
    ),
  })
  .map(({ parts, damage, contentType }) => ({ text: damage(whole(parts)), contentType }));

const words: fc.Arbitrary<Body> = info.map((fileInfo) => ({
  text: `{"fileInfo":${fileInfo}}`,
  contentType: 'application/json',
}));

const id = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('1', '{=file}') },
  { weight: 1, arbitrary: hostileText.chain(encoded) },
);

const key = fc.oneof(
  { weight: 5, arbitrary: fc.constant('{=key}') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('hidden', 'hidden%2Fcanary.txt', '..%2fhidden%2fcanary.txt', 'hidden/canary.txt', '.'),
  },
  { weight: 2, arbitrary: hostileText.chain(encoded) },
);

const bytesPath = key.map((text) => `/uploads/${text}`);

/** Reads of the list, of pages and of one file, with what is hidden of files in question. */
export const probingFiles: fc.Arbitrary<Shot> = fc.record({
  type,
  method: fc.constant('GET'),
  path: fc.constantFrom('/api/upload/files', '/api/upload/files/page', '/api/upload/files/1'),
  search: fc.oneof(
    { weight: 3, arbitrary: probeOf(fileType, registry) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...['populate=related', 'populate=*', 'populate[related]=true', 'populate[related][populate]=*'],
        ...['filters[related][title][$startsWith]=forb', 'sort=related.title', 'filters[folderPath][$startsWith]=cana'],
        ...['populate[related][on][api::issue.issue][fields]=title', 'populate=folder', '_q=cana', 'fields=folderPath'],
      ),
    },
  ),
  headers: headersOf(sender),
});

const conditions = fc.constantFrom(
  ...[
    'bytes=0-3',
    'bytes=-1',
    'bytes=9-1',
    'bytes=99999-',
    'bytes=',
    '"x"',
    '*',
    'W/"x"',
    'Thu, 01 Jan 1970 00:00:00 GMT',
  ],
);

const readingBytes: fc.Arbitrary<Shot> = fc
  .record({
    type,
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE'),
    path: bytesPath,
    search: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, queryString),
    headers: headersOf(sender),
    name: fc.constantFrom('range', 'if-range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'),
    value: fc.oneof({ weight: 4, arbitrary: conditions }, { weight: 1, arbitrary: headerText }),
  })
  .map(({ name, value, headers, ...shot }) => ({ ...shot, headers: { ...headers, [name]: value } }));

const readingLists: fc.Arbitrary<Shot> = fc.record({
  type,
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'PUT'),
  path: fc.oneof(
    fc.constantFrom('/api/upload', '/api/upload/files', '/api/upload/files/page'),
    id.map((text) => `/api/upload/files/${text}`),
  ),
  search: queryString,
  headers: headersOf(sender),
});

export const readingFiles: fc.Arbitrary<Shot> = fc.oneof(probingFiles, readingBytes, readingLists);

const deleting: fc.Arbitrary<Shot> = fc.record({
  type,
  method: fc.constant('DELETE'),
  path: fc.oneof(
    { weight: 4, arbitrary: fc.constant('/api/upload/files/{=file}') },
    { weight: 1, arbitrary: hostileText.chain(encoded).map((text) => `/api/upload/files/${text}x`) },
  ),
  search: fc.constantFrom('', 'populate=related'),
  headers: headersOf(sender),
});

const sending: fc.Arbitrary<Shot> = fc.record({
  type,
  method: fc.constant('POST'),
  path: fc.constantFrom('/api/upload', '/api/upload', '/api/upload', '/API/Upload/'),
  search: fc.oneof(
    { weight: 4, arbitrary: fc.constant('') },
    { weight: 2, arbitrary: id.map((text) => `id=${text}`) },
    { weight: 1, arbitrary: queryString },
  ),
  headers: headersOf(sender),
  body: fc.oneof({ weight: 6, arbitrary: form }, { weight: 1, arbitrary: words }),
});

/** Uploads, changes and deletes; the file whose row hides something stays. */
export const writingFiles: fc.Arbitrary<Shot> = fc.oneof(
  { weight: 6, arbitrary: sending },
  { weight: 1, arbitrary: deleting },
  { weight: 1, arbitrary: readingFiles },
);
