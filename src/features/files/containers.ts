/**
 * @module What files consist of: chunks of PNG and WebP, boxes of AVIF, HEIC and films.
 */

/** A chunk or box. */
interface Piece {
  /** Four letters. */
  readonly type: string;
  readonly content: DataView;
}

export const viewOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** Returns the bytes from one position to another, as far as they are there. */
export const slice = ({ buffer, byteOffset, byteLength }: DataView, start: number, end = byteLength): DataView =>
  new DataView(buffer, byteOffset + start, Math.max(0, Math.min(end, byteLength) - start));

/** @throws RangeError behind the end */
export const fourLetters = (view: DataView, at: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)));

/** https://www.w3.org/TR/png-3/#5Chunk-layout */
export function* pngChunks(view: DataView): Generator<Piece> {
  for (let at = 8; at + 8 <= view.byteLength; at += 12 + view.getUint32(at))
    yield { type: fourLetters(view, at + 4), content: slice(view, at + 8, at + 8 + view.getUint32(at)) };
}

/** Their lengths are even. https://developers.google.com/speed/webp/docs/riff_container#riff_file_format */
export function* webpChunks(view: DataView): Generator<Piece> {
  for (let at = 12, size = 0; at + 8 <= view.byteLength; at += 8 + size + (size % 2)) {
    size = view.getUint32(at + 4, true);
    yield { type: fourLetters(view, at), content: slice(view, at + 8, at + 8 + size) };
  }
}

/** ISO/IEC 14496-12, 4.2: a size of 1 stands for a longer one behind the type, and of 0 for all the rest. */
export function* boxes(view: DataView): Generator<Piece> {
  for (let at = 0, size = 0; at + 8 <= view.byteLength; at += size) {
    const stated = view.getUint32(at);
    const header = stated === 1 ? 16 : 8;
    if (at + header > view.byteLength) return;
    size = stated === 1 ? Number(view.getBigUint64(at + 8)) : stated || view.byteLength - at;
    if (size < header) return;
    yield { type: fourLetters(view, at + 4), content: slice(view, at + header, at + size) };
  }
}

/** Returns the first piece of some types. */
export function firstOf(pieces: Iterable<Piece>, ...types: readonly string[]): Piece | undefined {
  for (const piece of pieces) if (types.includes(piece.type)) return piece;
  return undefined;
}
