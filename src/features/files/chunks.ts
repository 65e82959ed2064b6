/**
 * @module Bodies in large pieces, since each piece has a cost.
 */

const CHUNK = 256 * 1024;
const DASH = 0x2d;
/** https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1 */
export const MAX_BOUNDARY = 70;
/** A boundary of dashes, with the two before it and the two of the last delimiter. */
const MAX_DASHES = MAX_BOUNDARY + 4;

/** Cloudflare's limit of a request on most plans, in bytes. */
const MAX_DRAINED = 100_000_000;
/** Milliseconds. */
const DRAIN_TIMEOUT = 60_000;

export function joinedChunks(...pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Reads pieces of `CHUNK` bytes where the stream can gather them, else as they arrive. */
function open(body: ReadableStream<Uint8Array>) {
  try {
    const reader = body.getReader({ mode: 'byob' });
    return { reader, read: () => reader.readAtLeast(CHUNK, new Uint8Array(CHUNK)) };
  } catch {
    const reader = body.getReader();
    return { reader, read: () => reader.read() };
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { reader, read } = open(body);
  try {
    for (;;) {
      const { value, done } = await read();
      if (value) yield value;
      if (done) return;
    }
  } finally {
    reader.releaseLock();
  }
}

/**
 * Reads the rest of a rejected body, since a response to a client that is still sending breaks the connection. Cancels
 * beyond a time and a size.
 */
export async function drain(body: ReadableStream<Uint8Array>): Promise<void> {
  if (body.locked) return;
  const { reader, read } = open(body);
  const cancel = () => void reader.cancel().catch(() => {});
  const timer = setTimeout(cancel, DRAIN_TIMEOUT);
  try {
    for (let remains = MAX_DRAINED; remains > 0; ) {
      const { value, done } = await read();
      if (done) return;
      remains -= value?.length ?? 0;
    }
    cancel();
  } catch {
    // The client has disconnected.
  } finally {
    clearTimeout(timer);
  }
}

/** Counts the dashes at the end; 0 for more than a delimiter has. */
function trailingDashes(bytes: Uint8Array): number {
  const tail = bytes.subarray(-(MAX_DASHES + 1));
  const dashes = tail.length - 1 - tail.findLastIndex((byte) => byte !== DASH);
  return dashes > MAX_DASHES ? 0 : dashes;
}

/** Yields a multipart body without a cut between dashes: the parser misses a last delimiter that is cut there. */
export async function* multipartChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array = new Uint8Array();
  for await (const chunk of chunksOf(body)) {
    const bytes: Uint8Array = waiting.length > 0 ? joinedChunks(waiting, chunk) : chunk;
    const end = bytes.length - trailingDashes(bytes);
    waiting = bytes.slice(end);
    if (end > 0) yield bytes.subarray(0, end);
  }
  if (waiting.length > 0) yield waiting;
}
