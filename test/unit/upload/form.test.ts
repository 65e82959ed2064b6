/**
 * @module The form of an upload: what is held, what is stored before the end, and what counts for which limit.
 */
import { describe, expect, it } from 'vitest';
import { receiveForm } from '../../../src/features/files/form.ts';
import { openTransaction, PART_BYTES } from '../../../src/features/files/storage.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { memoryBucket } from '../../support/memory-bucket.ts';
import { bytesOf } from '../../support/pictures.ts';

interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly content: string | Uint8Array;
}

const fileOf = (content: Part['content'], filename = 'a.txt', more: Partial<Part> = {}): Part => ({
  ...{ name: 'files', filename, type: 'text/plain', content },
  ...more,
});
const fieldOf = (name: string, content: string, more: Partial<Part> = {}): Part => ({ name, content, ...more });
const letters = (length: number): Uint8Array => new Uint8Array(length).fill(97);

/** Bytes of a chunk. */
const CHUNK = 1_000_000;

function bodyOf(parts: readonly Part[]): ReadableStream<Uint8Array> {
  const pieces = parts.flatMap(({ name, filename, type, content }) => [
    `--b\r\ncontent-disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`,
    `${type === undefined ? '' : `\r\ncontent-type: ${type}`}\r\n\r\n`,
    content,
    '\r\n',
  ]);
  const whole = Buffer.concat([...pieces, '--b--\r\n'].map((piece) => Buffer.from(piece as string)));
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(whole.subarray(sent, sent + CHUNK)));
      sent += CHUNK;
      if (sent >= whole.length) controller.close();
    },
  });
}

async function received(
  parts: readonly Part[],
  settings: SettingsInput = {},
  more: Partial<Parameters<typeof receiveForm>[2]> = {},
) {
  const memory = memoryBucket();
  const parsed = parseSettings({ ...settings, upload: { allowedTypes: null, ...settings.upload } });
  const asked: unknown[] = [];
  const form = await receiveForm(bodyOf(parts), 'multipart/form-data; boundary=b', {
    transaction: openTransaction(memory.bucket, parsed.upload),
    settings: parsed,
    hashed: false,
    suffix: (fields, count) => {
      asked.push([Object.fromEntries(fields), count]);
      return '-end';
    },
    ...more,
  });
  return { ...memory, asked, form };
}

describe('files of a form', () => {
  it('are held as long as they fit one part together', async () => {
    const { form, calls } = await received([fileOf(letters(PART_BYTES - 5)), fileOf('five!')]);
    expect(form.files.map(({ bytes, hash }) => [bytes?.length, hash])).toEqual([
      [PART_BYTES - 5, undefined],
      [5, undefined],
    ]);
    expect(calls).toEqual([]);
  });

  it('are all stored when they fit no more, each once, before the end of the form', async () => {
    const [large, small] = [fileOf(letters(PART_BYTES - 5), 'large.txt'), fileOf('sixsix', 'small.txt')];
    const { form, calls, objects, asked } = await received([large, small, large, small, fileOf('held')]);
    const hashes = form.files.map(({ hash }) => hash);
    expect(hashes).toEqual([
      ...['large', 'small', 'large', 'small'].map((name) => expect.stringMatching(new RegExp(`^${name}_\\w{10}-end$`))),
      undefined,
    ]);
    expect(form.files.map(({ bytes }) => bytes?.length)).toEqual([undefined, undefined, undefined, undefined, 4]);
    expect(calls).toEqual(hashes.slice(0, 4).map((hash) => `put ${hash}.txt`));
    expect([...objects.values()].map(({ bytes }) => bytes.length)).toEqual([PART_BYTES - 5, 6, PART_BYTES - 5, 6]);
    expect(objects.get(`${hashes[1]}.txt`)?.httpMetadata).toMatchObject({ contentType: 'text/plain' });
    expect(asked).toEqual([
      [{}, 2],
      [{}, 4],
    ]);
  });

  it.each([
    [PART_BYTES, [PART_BYTES]],
    [PART_BYTES + 1, [PART_BYTES, 1]],
    [2 * PART_BYTES, [PART_BYTES, PART_BYTES]],
  ])('of %i bytes are stored in parts of %j', async (length, sizes) => {
    const content = letters(length);
    content[length - 1] = 98;
    const parts = [fieldOf('fileInfo', '{}'), fileOf('held'), fileOf(content), fieldOf('later', 'x')];
    const { form, calls, objects, asked } = await received(parts);
    const [, file] = form.files;
    expect(file?.hash).toMatch(/^a_\w{10}-end$/);
    expect(calls).toEqual([`begin ${file?.hash}.txt`, ...sizes.map((size, index) => `part ${index + 1} of ${size}`)]);
    await file?.complete?.();
    expect(Buffer.compare(objects.get(`${file?.hash}.txt`)?.bytes as Uint8Array, content)).toBe(0);
    expect(file).toMatchObject({ name: 'a.txt', extension: '.txt', mime: 'text/plain', size: length });
    expect(file).not.toHaveProperty('bytes');
    expect(asked).toEqual([[{ fileInfo: ['{}'] }, 2]]);
  });

  it('have the key and the extension of the file whose bytes they replace', async () => {
    const fixed = { hash: 'old', extension: '.md' };
    const large = await received([fileOf(letters(PART_BYTES + 1))], {}, { fixed });
    expect(large.form.files).toMatchObject([{ hash: 'old', extension: '.md', mime: 'text/plain' }]);
    expect(large.calls[0]).toBe('begin old.md');
    const small = await received([fileOf('x')], {}, { fixed: { ...fixed, extension: '' } });
    expect(small.form.files).toMatchObject([{ extension: '' }]);
  });

  it.each([
    ['a.TXT', 'text/plain', '.TXT'],
    ['a', 'text/plain', '.txt'],
    ['a', 'model/unknown', ''],
  ])('called %s, of the type %s, have the extension "%s"', async (filename, type, extension) => {
    const { form } = await received([fileOf('x', filename, { type })]);
    expect(form.files).toMatchObject([{ name: filename, mime: type, extension, size: 1 }]);
  });

  it('have no dimensions unless they are pictures', async () => {
    const gif = bytesOf('GIF89a\x03\0\x02\0\0\0\0;');
    const { form } = await received([fileOf('x'), fileOf(gif, 'a.gif')]);
    expect(form.files.map(({ dimensions }) => dimensions)).toEqual([undefined, { width: 3, height: 2 }]);
    await expect(received([fileOf(gif, 'a.gif')], { upload: { maxPixels: 5 } })).rejects.toThrow(
      'too large to process',
    );
  });

  it.each([
    [[fileOf('')], 'Files are empty'],
    [[fileOf('x', '')], 'File name contains invalid characters'],
    [[fileOf('12345678901', 'large.txt')], 'large.txt exceeds size limit of 10 Bytes.'],
    [[fileOf('12345678901', '', { name: 'other' })], 'other exceeds size limit of 10 Bytes.'],
  ])('are rejected: %j', async (parts, message) => {
    await expect(received(parts, { upload: { sizeLimit: 10 } })).rejects.toThrow(message);
  });

  it('may be as large as the limit, and missing', async () => {
    const { form } = await received(
      [
        fileOf('1234567890'),
        fileOf('', ''),
        fileOf('1234567890', 'x', { name: 'other' }),
        fileOf('', 'y', { name: 'none' }),
      ],
      { upload: { sizeLimit: 10 } },
    );
    expect([form.files.length, form.ignored, form.fields.size]).toEqual([1, ['other'], 0]);
  });
});

describe('a part', () => {
  it.each([
    [{ name: 'files', filename: 'a.txt' }, 'file'],
    [{ name: 'files', filename: 'a.txt', type: 'text/plain' }, 'file'],
    [{ name: 'files', type: 'text/plain' }, 'file'],
    [{ name: 'files' }, 'field'],
    [{ name: 'fileInfo', type: 'application/json' }, 'field'],
    [{ name: 'fileInfo' }, 'field'],
    [{ name: 'fileInfo', filename: 'a.json' }, 'ignored'],
  ])('%j is a %s', async (part, kind) => {
    const { form } = await received([{ ...part, content: '{}' }]);
    const found = { file: form.files.length, field: form.fields.size, ignored: form.ignored.length };
    expect(found).toEqual({ file: 0, field: 0, ignored: 0, [kind]: 1 });
  });
});

describe('fields of a form', () => {
  const fieldsOf = async (...parts: readonly Part[]) => Object.fromEntries((await received(parts)).form.fields);

  it('have all their values, in order, and keys in brackets', async () => {
    expect(
      await fieldsOf(
        ...[fieldOf('a', '1'), fieldOf('b', 'ü'), fieldOf('a', '2')],
        ...[fieldOf('fileInfo[caption]', 'c'), fieldOf('fileInfo[name]', 'n'), fieldOf('[x]', 'y')],
      ),
    ).toEqual({
      ...{ a: ['1', '2'], b: ['ü'], '[x]': ['y'], 'fileInfo[caption]': ['c'], 'fileInfo[name]': ['n'] },
      fileInfo: [{ caption: 'c', name: 'n' }],
    });
  });

  it('of a name without brackets come before their keys in brackets', async () => {
    expect(await fieldsOf(fieldOf('a[b]', '1'), fieldOf('a', '2'))).toEqual({ 'a[b]': ['1'], a: ['2'] });
  });

  it.each([
    [[fieldOf('abcde', '12345')], true],
    [[fieldOf('abcde', '123456')], false],
    [[fieldOf('abcdef', '12345')], false],
    [[fieldOf('abc', '12'), fieldOf('de', '345')], true],
    [[fieldOf('abc', '12'), fieldOf('de', '3456')], false],
  ])('have the limit of a body together: %j', async (parts, isTaken) => {
    const settings = { api: { rest: { limits: { bodyBytes: 10 } } } };
    const work = received([...parts, fileOf('twelve bytes')], settings);
    if (isTaken) expect((await work).form.files).toHaveLength(1);
    else await expect(work).rejects.toThrow('Form fields too long. Expected at most 10 bytes (bodyBytes)');
  });
});

describe('the digests of a form', () => {
  const digestsOf = async (parts: readonly Part[], hashed = true) =>
    (await received(parts, {}, { hashed })).form.digests;

  it('are taken of each part where they are needed', async () => {
    const parts = [fieldOf('fileInfo', '{}'), fileOf('a text'), fileOf('b', 'b', { name: 'other' })];
    expect(await digestsOf(parts, false)).toEqual([]);
    const whole = await digestsOf(parts);
    expect(whole).toEqual([
      [{ name: 'fileInfo', type: '' }, '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'],
      [{ name: 'files', filename: 'a.txt', type: 'text/plain' }, expect.stringMatching(/^[0-9a-f]{64}$/)],
      [{ name: 'other', filename: 'b', type: 'text/plain' }, expect.stringMatching(/^[0-9a-f]{64}$/)],
    ]);
  });
});

describe('a form that is sent to the address for one file', () => {
  const addressed = { fileInfo: '{"name":"a.txt"}', type: 'text/csv' };
  const sent = async (...parts: readonly Part[]) => (await received(parts, {}, { addressed })).form;
  const INFO = fieldOf('fileInfo', addressed.fileInfo);

  it('has the type and the info of the address', async () => {
    for (const parts of [[fileOf('x', 'a')], [INFO, fileOf('x', 'a')], [fileOf('x', 'a'), INFO, INFO]]) {
      const { files, fields } = await sent(...parts);
      expect([files.map(({ mime }) => mime), [...fields]]).toEqual([
        ['text/csv'],
        [['fileInfo', [addressed.fileInfo]]],
      ]);
    }
  });

  it.each([
    [[fileOf('x'), fileOf('y')], 'takes one file'],
    [[fileOf('x', 'a', { name: 'other' })], 'takes one file'],
    [[fileOf('x'), fieldOf('ref', 'x')], 'takes one file'],
    [[fieldOf('files', 'x')], 'takes one file'],
    [[fileOf('x'), fieldOf('fileInfo', '{}')], 'Expected that of the address'],
    [[fileOf('x'), INFO, fieldOf('fileInfo', '{}')], 'Expected that of the address'],
  ])('is rejected with more or with another info: %j', async (parts, message) => {
    await expect(sent(...parts)).rejects.toThrow(message);
  });
});
