/**
 * @module What files consist of, up to their last byte, and what that says of a picture.
 */
import { describe, expect, it } from 'vitest';
import { isAnimated } from '../../../src/features/files/animation.ts';
import { boxes, firstOf, pngChunks, viewOf, webpChunks } from '../../../src/features/files/containers.ts';
import { isTurned } from '../../../src/features/files/orientation.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const view = (text: string) => viewOf(bytes(text));

/** Names and lengths of pieces, `abcd 3`. */
const namesOf = (pieces: Iterable<{ readonly type: string; readonly content: DataView }>) =>
  [...pieces].map(({ type, content }) => `${type} ${content.byteLength}`);

describe('the pieces of a file', () => {
  const PNG = '\x89PNG\r\n\x1a\n';
  it.each([
    ['', []],
    ['\0\0\0\0IEN', []],
    ['\0\0\0\0IEND', ['IEND 0']],
    ['\0\0\0\x02IDATxxcrc!\0\0\0\0IEND', ['IDAT 2', 'IEND 0']],
    ['\0\0\0\x09IDATxx', ['IDAT 2']],
  ])('of PNG are chunks: %j', (text, pieces) => {
    expect(namesOf(pngChunks(view(PNG + text)))).toEqual(pieces);
  });

  it.each([
    ['', []],
    ['EXIF\0\0\0', []],
    ['EXIF\0\0\0\0', ['EXIF 0']],
    ['VP8L\x01\0\0\0x\0EXIF\x02\0\0\0xx', ['VP8L 1', 'EXIF 2']],
    ['VP8L\x09\0\0\0xx', ['VP8L 2']],
  ])('of WebP are chunks of even lengths: %j', (text, pieces) => {
    expect(namesOf(webpChunks(view(`RIFF\0\0\0\0WEBP${text}`)))).toEqual(pieces);
  });

  it.each([
    ['\0\0\0\x08fre', []],
    ['\0\0\0\x08free', ['free 0']],
    ['\0\0\0\x08free\0\0\0\x0amdatxx', ['free 0', 'mdat 2']],
    ['\0\0\0\x01mdat\0\0\0\0\0\0\0\x10', ['mdat 0']],
    ['\0\0\0\x01mdat\0\0\0\0\0\0\0\x12xx\0\0\0\x08free', ['mdat 2', 'free 0']],
    ['\0\0\0\x01mdat\0\0\0\0\0\0\0\x0fxx\0\0\0\x08free', []],
    ['\0\0\0\x01mdat\0\0\0\0', []],
    ['\0\0\0\0mdat\0\0\0\x08free', ['mdat 8']],
    ['\0\0\0\x07mdat\0\0\0\x08free', []],
    ['\0\0\0\x09mdatx\0\0\0\x63free', ['mdat 1', 'free 0']],
  ])('of films are boxes with short, long and open sizes: %j', (text, pieces) => {
    expect(namesOf(boxes(view(text)))).toEqual(pieces);
  });

  it('are found by their types', () => {
    const text = '\0\0\0\x08aaaa\0\0\0\x09bbbbx\0\0\0\x08cccc';
    expect(firstOf(boxes(view(text)), 'cccc', 'bbbb')?.content.byteLength).toBe(1);
    expect(firstOf(boxes(view(text)), 'dddd')).toBeUndefined();
  });
});

describe('a picture', () => {
  const PNG = `\x89PNG\r\n\x1a\n\0\0\0\0IHDRcrc!`;
  const WEBP = 'RIFF\0\0\0\0WEBP';
  it.each([
    ['image/png', `${PNG}\0\0\0\0acTLcrc!\0\0\0\0IDAT`, true],
    ['image/png', `${PNG}\0\0\0\0IDATcrc!\0\0\0\0acTL`, false],
    ['image/png', PNG, true],
    ['image/webp', `${WEBP}VP8X\x0a\0\0\0\x02`, true],
    ['image/webp', `${WEBP}VP8X\x0a\0\0\0\xfd`, false],
    ['image/webp', `${WEBP}VP8X\x0a\0\0\0`, false],
    ['image/webp', `${WEBP}VP8L\x0a\0\0\0\x02`, false],
    ['image/jpeg', `${WEBP}VP8X\x0a\0\0\0\x02`, false],
  ])('of the type %s is animated by its first bytes: %j %s', (mime, text, expected) => {
    expect(isAnimated(bytes(text).buffer, mime)).toBe(expected);
  });

  /** An Exif block that says "turned" in its entry; readers believe `count` entries. */
  const exifOf = (count = 1, tag = '\x01\x12') =>
    `Exif\0\0MM\0*\0\0\0\x08\0${String.fromCharCode(count)}${tag}\0\x03\0\0\0\x01\0\x06\0\0`;
  const segment = (marker: string, content: string) =>
    `\xff${marker}\0${String.fromCharCode(content.length + 2)}${content}`;
  const xmp = segment('\xe1', 'http://ns.adobe.com/xap/1.0/\0<x/>');
  const exif = segment('\xe1', exifOf());
  it.each([
    [`\xff\xd8${exif}`, true],
    [`\xff\xd8${xmp}${exif}`, true],
    [`\xff\xd8${segment('\xe2', exifOf())}`, false],
    [`\xff\xd8\0${exif.slice(1)}`, false],
    [`\xff\xd8${segment('\xda', 'scan data')}${exif}`, false],
    [`\xff\xd8${segment('\xe1', exifOf(0))}`, false],
    [`\xff\xd8${segment('\xe1', exifOf(1, '\x01\x13'))}`, false],
    [`\xff\xd8${segment('\xe1', 'Exif')}`, false],
    ['\xff\xd8', false],
    ['\xff\xd8\xff\xe0', false],
  ])('of a camera is turned by the orientation in its first Exif block: %j %s', (text, expected) => {
    expect(isTurned(bytes(text), 'jpeg')).toBe(expected);
  });
});
