/**
 * @module A body in large pieces: what arrives in small ones costs more than it weighs.
 */

const CHUNK = 256 * 1024;
const DASH = 0x2d;
/** https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1 */
export const LONGEST_BOUNDARY = 70;
/** A delimiter whose boundary is of dashes itself, and the two that make it the last. */
const LONGEST_DASHES = LONGEST_BOUNDARY + 4;

/** As long as Cloudflare lets a request be on most plans. */
const MOST_DRAINED = 100_000_000;
const LONGEST_DRAIN = 60_000;

export function joined(...pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

interface Source {
  read(): Promise<{ readonly value?: Uint8Array | undefined; readonly done: boolean }>;
  cancel(): Promise<void>;
  release(): void;
}

/** Pieces of `CHUNK` bytes or more where the stream can gather them, else as they come. */
function open(body: ReadableStream<Uint8Array>): Source {
  try {
    const reader = body.getReader({ mode: 'byob' });
    const read = () => reader.readAtLeast(CHUNK, new Uint8Array(CHUNK));
    return { read, cancel: () => reader.cancel(), release: () => reader.releaseLock() };
  } catch {
    const reader = body.getReader();
    return { read: () => reader.read(), cancel: () => reader.cancel(), release: () => reader.releaseLock() };
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = open(body);
  try {
    for (;;) {
      const { value, done } = await source.read();
      if (value && value.length > 0) yield value;
      if (done) return;
    }
  } finally {
    source.release();
  }
}

/**
 * Reads the rest of a rejected body: a response while the client is still sending breaks the connection, and the client
 * would not see the error. Cuts off a client that keeps sending.
 */
export async function drain(body: ReadableStream<Uint8Array>): Promise<void> {
  if (body.locked) return;
  const source = open(body);
  const cut = () => void source.cancel().catch(() => {});
  const timer = setTimeout(cut, LONGEST_DRAIN);
  try {
    for (let left = MOST_DRAINED; left > 0; ) {
      const { value, done } = await source.read();
      if (done) return;
      left -= value?.length ?? 0;
    }
    cut();
  } catch {
    // The client has gone away.
  } finally {
    clearTimeout(timer);
  }
}

/** How many dashes end these bytes, if they may belong to a delimiter. */
function trailingDashes(bytes: Uint8Array): number {
  const tail = bytes.subarray(-(LONGEST_DASHES + 1));
  const dashes = tail.length - 1 - tail.findLastIndex((byte) => byte !== DASH);
  return dashes > LONGEST_DASHES ? 0 : dashes;
}

/**
 * The pieces of a multipart body, for a parser that misses the end when it arrives cut between its two last dashes:
 * dashes wait for what follows, as many as may belong to a delimiter.
 */
export async function* multipartChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array = new Uint8Array();
  for await (const chunk of chunksOf(body)) {
    const bytes: Uint8Array = waiting.length > 0 ? joined(waiting, chunk) : chunk;
    const end = bytes.length - trailingDashes(bytes);
    waiting = bytes.slice(end);
    if (end > 0) yield bytes.subarray(0, end);
  }
  if (waiting.length > 0) yield waiting;
}
