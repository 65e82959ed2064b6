/**
 * @module Limits of the form of an upload: endless bodies, and fields that are nested without end.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bytesOf } from '../../support/pictures.ts';
import { createToken, sendJson, serve } from '../../support/recorded.ts';
import { itLong, oneIn } from '../../support/tier.ts';
import {
  BOUNDARY,
  clearMedia,
  END,
  formOf,
  MULTIPART,
  objectKeys,
  postForm,
  rawPart,
  refusal,
  TEXT,
  uploadOne,
} from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine();
const MEGABYTE = 1_048_576;
const FILE = rawPart('Content-Disposition: form-data; name="files"; filename="a.txt"', 'a text');

beforeAll(async () => {
  await createToken('reads', 'read-only');
});
beforeEach(clearMedia);

/** A streamed body that repeats itself; `megabytes` returns how much of it was read. */
function endless(start: string, again: string, times: number, end = '') {
  const piece = bytesOf(again.repeat(Math.ceil(MEGABYTE / again.length)));
  let sent = 0;
  const body = new ReadableStream({
    type: 'bytes',
    pull(controller: ReadableByteStreamController) {
      const next = sent === 0 ? bytesOf(start + again) : sent <= times ? piece.slice() : bytesOf(`\r\n${end}`);
      sent += 1;
      controller.enqueue(next);
      if (sent > times + 1) controller.close();
    },
  });
  return { body, megabytes: () => sent };
}

const post = (body: BodyInit) => postForm(send, body, '', 'full', MULTIPART);
const malformed = (what: string) => `400 ValidationError: Malformed multipart body: ${what}`;

async function refused(body: BodyInit): Promise<string> {
  const message = await refusal(post(body));
  expect(await objectKeys()).toEqual([]);
  return message;
}

describe('an endless form', () => {
  const beside = malformed('it has too much beside its parts');
  const many = '400 ValidationError: Too many parts. Expected at most 50';
  const headers = malformed('a part has headers that cannot be read');
  const nothing = rawPart('Content-Disposition: form-data; name="a"', '');

  it.each([
    ['before its first part', '\r\n', '\r\n', FILE + END, beside],
    ['before its first part, almost a delimiter', '', `\r\n--${BOUNDARY.slice(0, -1)}`, FILE + END, beside],
    ['behind its last part', FILE + END, '\r\n', '', beside],
    ['in the headers of a part', `--${BOUNDARY}\r\n`, `X-Long: ${'x'.repeat(900)}\r\n`, '', headers],
    ['with parts of nothing', '', nothing, END, many],
  ])('%s is a 400, and not read to its end', async (_, start, again, end, answer) => {
    const { body, megabytes } = endless(start, again, 200, end);
    expect(await refused(body)).toBe(answer);
    expect(megabytes()).toBeLessThan(110);
  });

  it('in its fields is a 413, also if each of them is short', async () => {
    const answer = '413 PayloadTooLargeError: Form fields too long. Expected at most 1048576 bytes (bodyBytes)';
    const name = (text: string) => `Content-Disposition: form-data; name="${text}"`;
    const values = Array.from({ length: 40 }, () => rawPart(name('a'), 'x'.repeat(30_000)));
    expect(await refused(bytesOf([...values, FILE, END].join('')))).toBe(answer);
    expect(await refused(endless(rawPart(name('a'), '').slice(0, -2), 'ü', 200).body)).toBe(answer);
  });

  it('in a file of another field is a 413', async () => {
    const other = FILE.replace('name="files"', 'name="other"').slice(0, -2);
    const limited = serve({ upload: { sizeLimit: 5_000_000 } });
    const { body, megabytes } = endless(other, 'x', 200, END);
    expect(await refusal(postForm(limited, body, '', 'full', MULTIPART))).toBe(
      '413 PayloadTooLargeError: other exceeds size limit of 5 MB.',
    );
    expect(megabytes()).toBeLessThan(110);
  });

  itLong('with a file of dashes is stored', async () => {
    const body = bytesOf(FILE.replace('a text', '-'.repeat(20_000_000)) + END);
    expect((await post(body)).status).toBe(201);
  });

  it('has no more files behind its end', async () => {
    const pieces = [FILE + END, `${FILE}${END}`].map(bytesOf);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
    expect(await (await post(body)).json()).toHaveLength(1);
  });

  it('with many short headers and small files is stored', async () => {
    const headers = `X-Long: ${'x'.repeat(10_000)}\r\nContent-Disposition: form-data; name="files"; filename="a.txt"`;
    const files = Array.from({ length: 50 }, () => rawPart(headers, 'a text'));
    expect((await post(bytesOf(files.join('') + END))).status).toBe(201);
  });
});

describe('a form of an unauthorized caller', () => {
  it.each([
    ['the public', {}, 403],
    ['an unknown token', { authorization: 'Bearer nothing' }, 401],
    ['a read-only token', { authorization: 'Bearer reads' }, 403],
  ])('is not read: %s', async (_, authorization, status) => {
    const { body, megabytes } = endless(FILE, 'x', 90, END);
    const headers = { 'content-type': MULTIPART, ...(authorization as Record<string, string>) };
    const response = await send('/api/upload', { method: 'POST', headers, body });
    expect(response.status).toBe(status);
    expect(megabytes()).toBeLessThan(5);
  });

  it('is not read for a file that does not exist either', async () => {
    const { body, megabytes } = endless(FILE, 'x', 90, END);
    expect((await postForm(send, body, '?id=999999', 'full', MULTIPART)).status).toBe(404);
    expect(megabytes()).toBeLessThan(5);
  });
});

describe('fileInfo that is nested too deeply', () => {
  const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const deep = '400 ValidationError: Body nested too deeply. Expected at most 100 levels';
  const cases: readonly (readonly [what: string, text: string, answer: string])[] = [
    ['5,000 lists', lists(5_000), deep],
    ['half a million lists', lists(520_000), deep],
    ['5,000 objects', objects(5_000), deep],
    ['a name of 5,000 objects', `{"name":${objects(5_000)}}`, deep],
    ['an unknown key', `{"x":${lists(5_000)}}`, deep],
    ['a megabyte of brackets', '['.repeat(1_040_000), '400 ValidationError: fileInfo '],
  ];

  it.each(oneIn(3, cases))('is a 400 with a new file: %s', async (_, fileInfo, answer) => {
    for (const files of [[TEXT], [TEXT, TEXT]])
      expect(await refusal(postForm(send, formOf(files, { fileInfo })))).toContain(answer);
    expect(await objectKeys()).toEqual([]);
  });

  it.each(oneIn(3, cases))('is a 400 for an existing file: %s', async (_, fileInfo, answer) => {
    const { id } = await uploadOne(send, TEXT);
    expect(await refusal(postForm(send, formOf([], { fileInfo }), `?id=${id}`))).toContain(answer);
    const json = { ...sendJson('POST', 'full', {}), body: `{"fileInfo":${fileInfo}}` };
    expect(await refusal(send(`/api/upload?id=${id}`, json))).toMatch(/^(400|413) /);
  });
});
