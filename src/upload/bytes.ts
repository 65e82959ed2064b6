/**
 * @module Pieces of bytes, and sizes as the reference tells them.
 */

export function joined(...pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** The `size` of a file: thousands of bytes, to two digits. */
export const kilobytes = (bytes: number): number => Math.round((bytes / 1000) * 100) / 100;

const UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** 1000000 → `1 MB` */
export function readable(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${Math.round(bytes / 1000 ** unit)} ${UNITS[unit]}`;
}
