/**
 * @module Uploads that are refused: each by name, and nothing of them is stored.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { bytesOf, film, png } from '../../support/pictures.ts';
import { bearer, serve } from '../../support/recorded.ts';
import {
  clearMedia,
  END,
  formOf,
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

const { send } = openMagazine({ upload: { sizeLimit: 9_000_000, maxPixels: 1_000_000 } });
const EMPTY = '400 ValidationError: Files are empty';

beforeEach(clearMedia);

async function expectNothing(): Promise<void> {
  expect(await objectKeys()).toEqual([]);
  expect((await mismatches()).files).toBe(0);
}

/** UTF-8 as one character a byte, which `bytesOf` takes. */
function latin1(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

async function refused(form: BodyInit, query = '', type?: string): Promise<string> {
  const message = await refusal(postForm(send, form, query, 'full', type));
  await expectNothing();
  return message;
}

const refusedFile = (file: Sent, fields?: Record<string, string>) => refused(formOf([file], fields));
const raw = (...parts: readonly string[]) => refused(bytesOf(parts.join('')), '', MULTIPART);
const filePart = (disposition: string, content = 'a text') =>
  rawPart(`Content-Disposition: form-data; name="files"; ${disposition}\r\nContent-Type: text/plain`, content);

describe('a request without files', () => {
  it('is refused, whatever form it has', async () => {
    expect(await refused(formOf([], { other: 'x' }))).toBe(EMPTY);
    expect(await refused('{}', '', 'application/json')).toBe(EMPTY);
    expect(await refused('', '', 'text/plain')).toBe(EMPTY);
    expect(await refused('a=b', '', 'application/x-www-form-urlencoded')).toBe(EMPTY);
  });

  it('is refused when its file has another name than "files"', async () => {
    const form = new FormData();
    form.append('file', new Blob(['x'], { type: 'text/plain' }), 'x.txt');
    expect(await refused(form)).toBe(EMPTY);
  });

  it('is refused when its file is empty', async () => {
    expect(await refusedFile({ bytes: '', name: 'empty.txt' })).toBe(EMPTY);
    expect(
      await refused(
        formOf([
          { bytes: 'full', name: 'a.txt' },
          { bytes: '', name: 'b.txt' },
        ]),
      ),
    ).toBe(EMPTY);
  });

  it('is refused when it has what a browser sends for an input without a file', async () => {
    const empty = rawPart(
      'Content-Disposition: form-data; name="files"; filename=""\r\nContent-Type: application/octet-stream',
      '',
    );
    expect(await raw(empty, END)).toBe(EMPTY);
  });

  it('that is no form has the size limit of other bodies', async () => {
    const body = JSON.stringify({ fileInfo: { caption: 'x'.repeat(1_100_000) } });
    expect(await refused(body, '', 'application/json')).toBe('413 PayloadTooLargeError: Payload Too Large');
  });
});

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

describe('a file that is too large', () => {
  it.each([9_000_001, 20_000_000])('is a 413 at %i bytes, and its parts are gone', async (length) => {
    const answer = await refusedFile({ bytes: film(length), name: 'film.mp4' });
    expect(answer).toBe('413 PayloadTooLargeError: film.mp4 exceeds size limit of 9 MB.');
  });

  it('takes the others of its request with it', async () => {
    const files = [
      { bytes: film(8_500_000), name: 'one.mp4' },
      { bytes: 'a text', name: 'two.txt' },
      { bytes: film(9_000_001), name: 'three.mp4' },
    ];
    expect(await refused(formOf(files))).toContain('413 PayloadTooLargeError: three.mp4');
  });

  it('is taken at the very limit', async () => {
    expect((await postForm(send, formOf([{ bytes: film(9_000_000), name: 'film.mp4' }]))).status).toBe(201);
  });
});

/** Directus CVE-2025-30225 is of this class. */
describe('a picture of too many pixels', () => {
  it('is refused by what its header says, before anything unpacks it', async () => {
    const bomb = await png(10, 10, [30_000, 30_000]);
    expect(await refusedFile({ bytes: bomb, name: 'bomb.png' })).toBe(
      '400 ApplicationError: Image is too large to process: 30000x30000. Expected at most 1000000 pixels',
    );
  });

  it('is refused when it truly has them', async () => {
    expect(await refusedFile({ bytes: await png(1_001, 1_000), name: 'wide.png' })).toContain('1001x1000');
  });
});

/** CVE-2026-22707, GHSA-pcw7-5633-82vv; Payload CVE-2022-27952, CVE-2026-34748 */
describe('a type', () => {
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const HTML = '<!doctype html><script>alert(1)</script>';
  const not = (type: string) => `400 ValidationError: File type '${type}' is not allowed`;
  const HIDDEN = '400 ValidationError: MIME type is not allowed';

  it.each<readonly [what: string, file: Sent, answer: string]>([
    ['an SVG', { bytes: SVG, name: 'a.svg', type: 'image/svg+xml' }, not('image/svg+xml')],
    ['an SVG that calls itself a PNG', { bytes: SVG, name: 'a.png', type: 'image/png' }, not('image/svg+xml')],
    ['an SVG behind a comment', { bytes: `<!-- x --> <?xml?>${SVG}`, name: 'a.txt' }, not('image/svg+xml')],
    ['a page', { bytes: HTML, name: 'a.html', type: 'text/html' }, not('text/html')],
    ['a page that calls itself a picture', { bytes: HTML, name: 'a.png', type: 'image/png' }, HIDDEN],
    ['a picture with the name of a page', { bytes: 'GIF89a<script>', name: 'a.html' }, not('text/html')],
    ['a script', { bytes: 'echo', name: 'a.sh', type: 'text/plain' }, not('application/x-sh')],
    ['a program', { bytes: 'MZ\x90\0', name: 'a.png', type: 'image/png' }, not('application/x-msdownload')],
    [
      'a program of Linux',
      { bytes: '\x7fELF\x02', name: 'a.txt', type: 'text/plain' },
      not('application/x-executable'),
    ],
    [
      'what the sender calls a program',
      { bytes: 'x', name: 'a.txt', type: 'application/x-sh' },
      not('application/x-sh'),
    ],
    ['an archive', { bytes: 'PK\x03\x04\x14\0', name: 'a.zip', type: 'application/zip' }, not('application/zip')],
    ['an archive that calls itself a text', { bytes: 'PK\x03\x04\x14\0', name: 'a.txt', type: 'text/plain' }, HIDDEN],
    ['XML', { bytes: '<?xml version="1.0"?><a/>', name: 'a.xml', type: 'text/xml' }, not('application/xml')],
    [
      'a text that calls itself a picture',
      { bytes: 'no picture', name: 'a.png', type: 'image/png' },
      "400 ValidationError: The content of 'a.png' is not of the type 'image/png'",
    ],
    [
      'a text that calls itself a PDF, without an extension',
      { bytes: 'no PDF', name: 'a', type: 'application/pdf' },
      "400 ValidationError: The content of 'a' is not of the type 'application/pdf'",
    ],
    ['nothing known', { bytes: 'x', name: 'x' }, '400 ValidationError: Cannot verify file type for security reasons'],
  ])('is refused: %s', async (_, file, answer) => {
    expect(await refusedFile(file)).toBe(answer);
  });

  it('is that of the content when a file is two things at once', async () => {
    const both = formOf([{ bytes: `GIF89a\x01\0\x01\0\0\0\0${HTML}`, name: 'both.gif', type: 'text/plain' }]);
    const [file] = (await (await postForm(send, both)).json()) as { mime: string; url: string }[];
    expect(file?.mime).toBe('image/gif');
    const served = await send(file?.url ?? '');
    expect(served.headers.get('content-type')).toBe('image/gif');
    expect(served.headers.get('x-content-type-options')).toBe('nosniff');
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

  it('with a NUL is refused', async () => {
    expect(await raw(filePart('filename="a\0.txt"'), END)).toBe(
      '400 ValidationError: Malformed multipart body: a part has headers that cannot be read',
    );
    const info = { fileInfo: JSON.stringify({ name: 'a\0.txt' }) };
    expect(await refusedFile({ bytes: 'x', name: 'a.txt' }, info)).toBe(MARKS);
  });
});

describe('a multipart body', () => {
  const malformed = (what: string) => `400 ValidationError: Malformed multipart body: ${what}`;
  const early = malformed('it ends too early');

  it('that ends too early is refused, wherever it ends', async () => {
    const whole = [filePart('filename="a.txt"'), filePart('filename="b.txt"'), END].join('');
    for (const length of [0, 20, 60, 130, whole.length / 2, whole.length - 10, whole.length - 4])
      expect(await raw(whole.slice(0, length)), `${length}`).toBe(early);
  });

  it('that ends too early behind parts that are in the bucket already is refused', async () => {
    const start = bytesOf(filePart('filename="a.mp4"', '').slice(0, -2));
    const body = new Blob([start, film(8_600_000)]);
    expect(await refused(body, '', MULTIPART)).toBe(early);
  });

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

  it('of too many parts is refused, files or fields', async () => {
    const answer = '400 ValidationError: Too many parts. Expected at most 50';
    const files = Array.from({ length: 64 }, (_, index) => ({ bytes: `${index}`, name: `${index}.txt` }));
    expect(await refused(formOf(files))).toBe(answer);
    const fields = Object.fromEntries(files.map(({ name }) => [name, 'x']));
    expect(await refusedFile({ bytes: 'x', name: 'a.txt' }, fields)).toBe(answer);
  });

  it('with endless headers or an endless field is refused', async () => {
    expect(await raw(rawPart(`X-Long: ${'x'.repeat(20_000)}`, ''), END)).toBe(
      malformed('a part has headers that cannot be read'),
    );
    const field = { fileInfo: 'x'.repeat(1_100_000) };
    expect(await refusedFile({ bytes: 'x', name: 'a.txt' }, field)).toBe(
      '413 PayloadTooLargeError: Form fields too long. Expected at most 1048576 bytes (bodyBytes)',
    );
  });

  it('whose headers hold broken escapes is refused or read, and never a 500', async () => {
    for (const [disposition, expected] of [
      ["filename*=UTF-8''%ff%fe", 400],
      ['filename="%22.txt"', 400],
      ['filename=a;b"c', 400],
      ['filename="', 400],
      ['filename="a.txt', 400],
      ['filename="a\\"', 400],
      ['filename="a\\".txt"', 400],
    ] as const) {
      const { status } = await postForm(send, bytesOf(filePart(disposition) + END), '', 'full', MULTIPART);
      expect(status, disposition).toBe(expected);
    }
  });
});

describe('fileInfo', () => {
  const file = { bytes: 'a text', name: 'a.txt' };
  const info = (value: unknown) => refusedFile(file, { fileInfo: JSON.stringify(value) });

  it('that is no JSON is refused', async () => {
    expect(await refusedFile(file, { fileInfo: 'not json' })).toContain('400 ValidationError: fileInfo is no JSON: ');
  });

  it.each([
    [{ name: {} }, '400 ValidationError: fileInfo.name must be a `string` type'],
    [{ caption: [] }, '400 ValidationError: fileInfo.caption must be a `string` type'],
    [{ focalPoint: { x: 101, y: 0 } }, '400 ValidationError: fileInfo.focalPoint.x must be less than or equal to 100'],
    [{ focalPoint: { x: 1 } }, '400 ValidationError: fileInfo.focalPoint.y is a required field'],
    [{ focalPoint: { x: 'a', y: -1 }, name: [] }, '400 ValidationError: 3 errors occurred'],
    ['text', '400 ValidationError: fileInfo must be a `object` type, but the final value was: `null` (cast from'],
    [null, '400 ValidationError: fileInfo must be a `object` type, but the final value was: `null`.'],
    [[{}, {}], '400 ValidationError: fileInfo must be a `object` type, but the final value was: `null` (cast from'],
  ])('%j is refused', async (value, answer) => {
    expect(await info(value)).toContain(answer);
  });

  it.each([
    ['{"name":"x"}', 'fileInfo must be a `array` type, but the final value was: `null` (cast from the value'],
    ['null', 'fileInfo must be a `array` type, but the final value was: `null`.'],
    ['[{"name":"x"}]', 'fileInfo must be a `array` type, but the final value was: `null` (cast from the value'],
    ['[{},null]', 'fileInfo[1] must be a `object` type, but the final value was: `null`.'],
    ['[5,{"caption":{}}]', '2 errors occurred'],
  ])('of several files must be a list of what is said about each: %s', async (fileInfo, answer) => {
    expect(await refused(formOf([file, file], { fileInfo }))).toContain(`400 ValidationError: ${answer}`);
  });

  it('tells of each of several files by its place', async () => {
    const form = formOf([file, file], { fileInfo: '[{},{"focalPoint":{"x":"a","y":0}}]' });
    const { error } = (await (await postForm(send, form)).json()) as { error: { details: unknown } };
    const message =
      'fileInfo[1].focalPoint.x must be a `number` type, but the final value was: `NaN` (cast from the value `"a"`).';
    const issue = { path: ['fileInfo', '1', 'focalPoint', 'x'], message, name: 'ValidationError', value: null };
    expect(error.details).toEqual({ errors: [issue] });
  });

  it.each(['[]', 'null', 'x', '', '[{"name":"x"}]'])('of a file that stays must be an object: %j', async (fileInfo) => {
    const { id } = await uploadOne(send, TEXT);
    expect(await refusal(postForm(send, formOf([], { fileInfo }), `?id=${id}`))).toBe(
      `400 ValidationError: fileInfo must be a \`object\` type, but the final value was: \`null\` (cast from the value \`"${fileInfo}"\`).`,
    );
  });
});

describe('an id', () => {
  it.each(['999999', 'abc', '1.5', '-1'])('of no file is a 404: %s', async (id) => {
    expect(await refused(formOf([{ bytes: 'x', name: 'a.txt' }]), `?id=${id}`)).toBe(
      '404 NotFoundError: Entity not found',
    );
    for (const method of ['GET', 'DELETE'])
      expect(await refusal(send(`/api/upload/files/${id}`, { method, ...bearer('full') }))).toBe(
        '404 NotFoundError: file.notFound',
      );
  });

  it('given twice is refused', async () => {
    expect(await refused(formOf([]), '?id=1&id=2')).toBe(
      '400 ValidationError: File id is required and must be a single value',
    );
  });
});
