/**
 * @module Uploads that are refused, of which nothing is stored, and what of a body is none of that.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { bytesOf, film } from '../../support/pictures.ts';
import { serve } from '../../support/recorded.ts';
import {
  bytesAt,
  clearMedia,
  END,
  formOf,
  listedFiles,
  MULTIPART,
  mismatches,
  objectKeys,
  postForm,
  rawPart,
  refusal,
  type Sent,
  TEXT,
  uploadOne,
} from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine();

beforeEach(clearMedia);

/** UTF-8 as one character a byte, which `bytesOf` takes. */
function latin1(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

async function refused(form: BodyInit, query = '', type?: string): Promise<string> {
  const message = await refusal(postForm(send, form, query, 'full', type));
  expect(await objectKeys()).toEqual([]);
  expect((await mismatches()).files).toBe(0);
  return message;
}

const refusedFile = (file: Sent, fields?: Record<string, string>) => refused(formOf([file], fields));
const raw = (...parts: readonly string[]) => refused(bytesOf(parts.join('')), '', MULTIPART);
const filePart = (disposition: string, content = 'a text') =>
  rawPart(`Content-Disposition: form-data; name="files"; ${disposition}\r\nContent-Type: text/plain`, content);

describe('a body of JSON', () => {
  it('may be as long as the limit', async () => {
    const { id } = await uploadOne(send, TEXT);
    const limited = serve({ api: { rest: { limits: { bodyBytes: 100 } } } });
    const statusOf = (length: number) =>
      postForm(limited, '{"fileInfo":{}}'.padEnd(length), `?id=${id}`, 'full', 'application/json').then(
        ({ status }) => status,
      );
    expect([await statusOf(100), await statusOf(101)]).toEqual([200, 413]);
  });
});

describe('a rejected form', () => {
  /** Sends a form of a hundred chunks, the first of which is rejected, and counts the chunks that are read. */
  async function readChunks(token: string) {
    const start = bytesOf(filePart('filename="a\tb.txt"', '').slice(0, -2));
    let chunks = 0;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      controller.enqueue(chunks === 0 ? start : new Uint8Array(10_000));
      chunks += 1;
      if (chunks === 100) controller.close();
    };
    const response = await postForm(send, new ReadableStream({ pull }, { highWaterMark: 0 }), '', token, MULTIPART);
    return [response.status, chunks];
  }

  it('is read to its end for a caller who may upload, and not at all for others', async () => {
    expect(await readChunks('full')).toEqual([400, 100]);
    const [status, chunks] = await readChunks('nobody');
    expect([status, Number(chunks) < 5]).toEqual([401, true]);
  });
});

/** CVE-2024-31217, GHSA-pm9q-xj9p-96pm; Payload CVE-2026-34750 */
describe('a name', () => {
  const MARKS = '400 ValidationError: Names have no slashes, control characters and direction marks';
  const UNFIT = '400 ApplicationError: File name contains invalid characters';
  const LONG = '400 ValidationError: Names have at most 255 characters';

  it.each([
    ['../../etc/passwd.txt', UNFIT, MARKS],
    ['..\\x.txt', MARKS, MARKS],
    ['a\u202etxt.exe.txt', MARKS, MARKS],
    ['\u200fa.txt', MARKS, MARKS],
    ['a\tb.txt', UNFIT, MARKS],
    [`${'n'.repeat(1_020)}.txt`, LONG, LONG],
  ])('like %j is refused, from the file and from fileInfo', async (name, part, info) => {
    const escaped = latin1(name.replace('\\', '\\\\'));
    expect(await raw(filePart(`filename="${escaped}"`), END)).toBe(part);
    expect(await refusedFile({ bytes: 'x', name: 'a.txt' }, { fileInfo: JSON.stringify({ name }) })).toBe(info);
  });

  it.each([
    '',
    '.',
    '..',
    'CON',
    'lpt1',
    'a?b.txt',
    'a*b.txt',
    'a:b.txt',
    'a|b.txt',
    'a<b.txt',
    'a>b.txt',
    'a%22b.txt',
  ])('like %j is refused from the file', async (name) => {
    expect(await raw(filePart(`filename="${name}"`), END)).toBe(UNFIT);
  });
});

describe('a multipart body', () => {
  const malformed = (what: string) => `400 ValidationError: Malformed multipart body: ${what}`;

  it('may be of another kind than form-data', async () => {
    const { status } = await postForm(
      send,
      filePart('filename="a.txt"') + END,
      '',
      'full',
      MULTIPART.replace('form-data', 'mixed'),
    );
    expect(status).toBe(201);
  });

  it('without a boundary is refused', async () => {
    expect(await refused('x', '', 'multipart/form-data; x=y')).toBe(malformed('it has no boundary'));
  });

  it('whose headers hold broken escapes is refused', async () => {
    for (const disposition of [
      "filename*=UTF-8''%ff%fe",
      'filename="%22.txt"',
      'filename=a;b"c',
      'filename="',
      'filename="a.txt',
      'filename="a\\"',
      'filename="a\\".txt"',
    ]) {
      const { status } = await postForm(send, bytesOf(filePart(disposition) + END), '', 'full', MULTIPART);
      expect(status, disposition).toBe(400);
    }
  });
});

describe('an id', () => {
  it('given twice is refused', async () => {
    expect(await refused(formOf([]), '?id=1&id=2')).toBe(
      '400 ValidationError: File id is required and must be a single value',
    );
  });
});

describe('new bytes for a file', () => {
  it('that are refused leave the old ones, however many of them came', async () => {
    const { id, url } = await uploadOne(send, TEXT);
    const two = formOf([{ bytes: film(9_000_000), name: 'a.mp4' }, TEXT]);
    expect(await refusal(postForm(send, two, `?id=${id}`))).toBe(
      '400 ValidationError: Cannot replace a file with multiple ones',
    );
    const bad = formOf([{ bytes: film(9_000_000), name: 'a.mp4' }], { fileInfo: 'x' });
    expect(await refusal(postForm(send, bad, `?id=${id}`))).toContain('fileInfo is no JSON');
    const other = new FormData();
    other.append('file', new Blob(['new bytes'], { type: 'text/plain' }), 'new.txt');
    other.append('fileInfo', '{"caption":"New"}');
    expect(await refusal(postForm(send, other, `?id=${id}`))).toBe(
      "400 ValidationError: Unknown file 'file'. Send the bytes as 'files'",
    );
    other.append('files', new Blob(['new bytes'], { type: 'text/plain' }), 'new.txt');
    expect(await refusal(postForm(send, other, `?id=${id}`))).toContain("Unknown file 'file'");
    expect(await listedFiles(send, '')).toMatchObject([{ id, caption: null }]);
    expect(await objectKeys()).toEqual([url.slice('/uploads/'.length)]);
    expect(new TextDecoder().decode(await bytesAt(send, url))).toBe('a text');
  });
});
