/**
 * @module A body in large pieces: what arrives in small ones costs more than it weighs.
 */
import { joined } from './bytes.ts';

const CHUNK = 256 * 1024;
const DASH = 0x2d;

/** Pieces of `CHUNK` bytes or more where the stream can gather them, else as they come. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = body.getReader({ mode: 'byob' });
  } catch {
    yield* body;
    return;
  }
  try {
    for (;;) {
      const { value, done } = await reader.readAtLeast(CHUNK, new Uint8Array(CHUNK));
      if (value && value.length > 0) yield value;
      if (done) return;
    }
  } finally {
    reader.releaseLock();
  }
}

/**
 * Reads what is left of a body that is refused. A connection that is answered while it is still sending breaks, and
 * the client would not learn why.
 */
export async function drain(body: ReadableStream<Uint8Array>): Promise<void> {
  try {
    for await (const _ of chunksOf(body));
  } catch {
    // The client has gone away.
  }
}

function trailingDashes(bytes: Uint8Array): number {
  const last = bytes.findLastIndex((byte) => byte !== DASH);
  return bytes.length - 1 - last;
}

/**
 * The pieces of a multipart body, for a parser that misses the end when it arrives cut between its two last dashes:
 * dashes wait for what follows.
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
