/**
 * @module Bytes on their way from one place to another.
 */

/** Bytes, piece by piece: those of a stream, or a list of what is there already. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Passes bytes on, and shows each piece to `see`. */
export async function* seen<T extends Uint8Array>(
  chunks: AsyncIterable<T> | Iterable<T>,
  see: (chunk: T) => void,
): AsyncGenerator<T> {
  for await (const chunk of chunks) {
    see(chunk);
    yield chunk;
  }
}
