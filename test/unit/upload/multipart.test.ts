import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { drain, multipartChunks } from '../../../src/features/files/chunks.ts';
import { type PartHead, readParts } from '../../../src/features/files/multipart.ts';

interface Part extends PartHead {
  readonly content: string;
}

const BOUNDARY = '----Boundary-';
const TYPE = `multipart/form-data; boundary="${BOUNDARY}"`;

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

function bodyOf(parts: readonly Part[]): Uint8Array {
  const texts = parts.map(({ name, filename, type, content }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`;
    const header = type === '' ? '' : `\r\nContent-Type: ${type}`;
    return Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}${header}\r\n\r\n`),
      Buffer.from(`${content}\r\n`, 'latin1'),
    ]);
  });
  return Buffer.concat([...texts, Buffer.from(`--${BOUNDARY}--`)]);
}

/** The bytes in pieces that end at the given places. */
function streamOf(bytes: Uint8Array, cuts: readonly number[]): ReadableStream<Uint8Array> {
  const places = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
  const pieces = places.slice(1).map((end, index) => bytes.slice(places[index], end));
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

async function partsOf(bytes: Uint8Array, cuts: readonly number[] = [], maxParts = 50): Promise<readonly Part[]> {
  const parts: Part[] = [];
  let content = '';
  let head: PartHead | undefined;
  for await (const event of readParts(streamOf(bytes, cuts), TYPE, maxParts)) {
    if (event.kind === 'head') ({ head } = event);
    else if (event.kind === 'bytes') content += latin1(event.bytes);
    else if (head) {
      parts.push({ ...head, content });
      content = '';
    }
  }
  return parts;
}

const content = fc.string({ unit: fc.constantFrom('\r', '\n', '-', 'B', 'oundary-', 'a', '\xff'), maxLength: 40 });
const fitting = content.filter((text) => !`\r\n${text}\r\n`.includes(`\r\n--${BOUNDARY}`));
const part: fc.Arbitrary<Part> = fc.record({
  name: fc.constantFrom('files', 'fileInfo', 'Größe'),
  filename: fc.constantFrom('a.png', '中文.txt', '‮x', ''),
  type: fc.constantFrom('', 'image/png', 'text/plain'),
  content: fitting,
});

describe('a multipart body', () => {
  it('has the same parts however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        async (parts, cuts) => {
          expect(await partsOf(bodyOf(parts), cuts)).toEqual(parts);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('has the same parts when it comes byte by byte, and in two pieces cut anywhere', async () => {
    const parts: Part[] = [
      { name: 'files', filename: 'a.txt', type: 'text/plain', content: '--\r\n----Bound' },
      { name: 'files', filename: 'b.txt', type: '', content: '' },
    ];
    const bytes = bodyOf(parts);
    expect(await partsOf(bytes, [...bytes.keys()])).toEqual(parts);
    for (const cut of bytes.keys()) expect(await partsOf(bytes, [cut])).toEqual(parts);
  });

  it('ends at its last delimiter, whatever comes behind it in the same piece or another', async () => {
    const [parts = [], more = []] = ['a', 'b'].map((name): readonly Part[] => [
      { name, filename: `${name}.txt`, type: '', content: name },
    ]);
    const [bytes, behind] = [bodyOf(parts), bodyOf(more)];
    for (const cuts of [[], [bytes.length], [bytes.length + 2], [...bytes.keys()]])
      expect(await partsOf(Buffer.concat([bytes, Buffer.from('\r\n'), behind]), cuts)).toEqual(parts);
  });

  it('that ends early is refused, wherever it ends', async () => {
    const bytes = bodyOf([{ name: 'files', filename: 'a.txt', type: '', content: 'text' }]);
    for (const end of bytes.keys())
      await expect(partsOf(bytes.slice(0, end), [3])).rejects.toThrow('Malformed multipart body: it ends too early');
  });

  it('of too many parts is refused', async () => {
    const parts = Array.from({ length: 4 }, (_, index) => ({ name: `${index}`, type: '', content: '' }));
    expect(await partsOf(bodyOf(parts), [], 4)).toHaveLength(4);
    await expect(partsOf(bodyOf(parts), [], 3)).rejects.toThrow('Too many parts. Expected at most 3');
  });

  it.each(['x'.repeat(71), '', ' ', 'a ü', 'a\tb'])('whose boundary is %j is refused', async (boundary) => {
    const parts = readParts(streamOf(Buffer.from('x'), []), `multipart/form-data; boundary="${boundary}"`, 50);
    await expect(parts.next()).rejects.toThrow('its boundary must have 1 to 70 printable characters');
  });

  it.each(['-', '-'.repeat(70), 'x'.repeat(70), "'()+_,-./:=? a"])('may have the boundary %j', async (boundary) => {
    const body = `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n-\r\n--${boundary}--`;
    for (const cut of [...body].keys()) {
      const events = [];
      const stream = streamOf(Buffer.from(body), [cut]);
      for await (const event of readParts(stream, `multipart/form-data; boundary="${boundary}"`, 50))
        events.push(event);
      expect(events.map(({ kind }) => kind)).toEqual(['head', 'bytes', 'end']);
    }
  });

  it('has nothing behind its end, though that looks like more parts', async () => {
    const more: Part = { name: 'more', type: '', content: 'x' };
    const bytes = Buffer.concat([bodyOf([]), Buffer.from('\r\n'), bodyOf([more])]);
    for (const cut of bytes.keys()) expect(await partsOf(bytes, [cut])).toEqual([]);
  });

  it.each([
    ['form-data; name="files"; filename="a\\"b.txt"', 'a"b.txt'],
    ['form-data; name="files"; filename="a%22b.txt"', 'a"b.txt'],
    ['form-data; name=files; filename=a.txt', 'a.txt'],
    ['form-data; filename="a;name=x.txt"; name="files"', 'a;name=x.txt'],
    ['form-data; name="files"; filename="100%.txt"', '100%.txt'],
  ])('names its file: %s', async (disposition, filename) => {
    const text = `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n\r\nx\r\n--${BOUNDARY}--\r\n`;
    expect(await partsOf(Buffer.from(text))).toMatchObject([{ name: 'files', filename, content: 'x' }]);
  });
});

describe('what is beside the parts of a body', () => {
  const one = (content: string) => bodyOf([{ name: 'a', type: '', content }]);

  it('has the limit of the headers of its parts, and their content none', async () => {
    const beside = one('').length + 2;
    const sent = (length: number, content: string) =>
      partsOf(Buffer.concat([Buffer.alloc(length, 'x'), Buffer.from('\r\n'), one(content)]), [], 1);
    const most = 2 * 16_384 - beside;
    expect(await sent(most, 'x'.repeat(100_000))).toMatchObject([{ name: 'a' }]);
    await expect(sent(most + 1, '')).rejects.toThrow('Malformed multipart body: it has too much beside its parts');
  });
});

describe('a body in pieces', () => {
  const piece = (text: string) => new Uint8Array(Buffer.from(text));
  const streamOfPieces = (...pieces: readonly Uint8Array[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const each of pieces) controller.enqueue(each);
        controller.close();
      },
    });

  async function chunksOf(...pieces: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of multipartChunks(streamOfPieces(...pieces))) chunks.push(chunk);
    return chunks;
  }

  it.each([
    [[], []],
    [['', 'ab', ''], ['ab']],
    [['--', 'ab'], ['--ab']],
    [
      ['a-', '-b-', '-'],
      ['a', '--b', '--'],
    ],
    [
      ['a', '-'.repeat(74), 'b'],
      ['a', `${'-'.repeat(74)}b`],
    ],
    [
      ['a', '-'.repeat(75), 'b'],
      ['a', '-'.repeat(75), 'b'],
    ],
  ])('is cut behind no dash that a delimiter may have: %j', async (sent, expected) => {
    const chunks = await chunksOf(...sent.map(piece));
    expect(chunks.map(latin1)).toEqual(expected);
  });

  it('is not copied where nothing waits', async () => {
    const sent = piece('ab');
    const [chunk] = await chunksOf(sent);
    expect(chunk?.buffer).toBe(sent.buffer);
  });

  it('can be drained after it was rejected, by one reader alone', async () => {
    const body = streamOfPieces(piece('no form'), piece('at all'));
    await expect(readParts(body, 'multipart/form-data; boundary="ü"', 1).next()).rejects.toThrow('its boundary');
    const chunks = multipartChunks(body);
    await chunks.next();
    await drain(body);
    await chunks.return(undefined);
    expect(body.locked).toBe(false);
    vi.useFakeTimers();
    await drain(body);
    expect([body.locked, vi.getTimerCount()]).toEqual([true, 0]);
    vi.useRealTimers();
  });

  it.each([
    [9, 10, 0],
    [10, 10, 1],
    [11, 10, 1],
  ])('of %i chunks of ten megabytes is read to %i, and cancelled %i times', async (length, most, cancelled) => {
    let sent = 0;
    const cancel = vi.fn();
    const chunk = new Uint8Array(10_000_000);
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      if (sent === length) return controller.close();
      sent += 1;
      controller.enqueue(chunk);
    };
    await drain(new ReadableStream({ pull, cancel }, { highWaterMark: 0 }));
    expect([sent, cancel.mock.calls.length]).toEqual([Math.min(length, most), cancelled]);
  });

  it('goes on though it has nothing but dashes', async () => {
    const pull = vi.fn((controller: ReadableStreamDefaultController<Uint8Array>) => {
      controller.enqueue(piece('-'.repeat(1_000)));
      if (pull.mock.calls.length > 9) controller.close();
    });
    const chunks = multipartChunks(new ReadableStream({ pull }, { highWaterMark: 0 }));
    for (let count = 1; count < 5; count += 1) {
      expect((await chunks.next()).value).toHaveLength(1_000);
      expect(pull).toHaveBeenCalledTimes(count);
    }
  });

  it('is read to its end when it is refused, but not for ever', async () => {
    let sent = 0;
    const cancel = vi.fn();
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      sent += 1;
      controller.enqueue(new Uint8Array(1_048_576));
      if (sent > 199) controller.close();
    };
    await drain(new ReadableStream({ pull, cancel }, { highWaterMark: 0 }));
    expect([sent, cancel.mock.calls.length]).toEqual([96, 1]);
  });

  it('is waited for when it is refused, but not for ever', async () => {
    vi.useFakeTimers();
    const cancel = vi.fn();
    const drained = drain(new ReadableStream({ cancel }));
    await vi.advanceTimersByTimeAsync(59_999);
    expect(cancel).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await drained;
    expect(cancel).toHaveBeenCalledOnce();
    vi.useRealTimers();
  });
});
