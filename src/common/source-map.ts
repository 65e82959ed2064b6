/**
 * @module The source map behind the URL of a file, which `features/preview/source-maps.ts` appends to texts.
 */

/** As characters, and as a URL encodes them. */
const SOURCE_MAP = /(?:\u200b|%e2%80%8b){4}(?:[\u200b-\u200d\ufeff]|%e2%80%8[bcd]|%ef%bb%bf)+/gi;

export const withoutSourceMap = (url: string): string => url.replaceAll(SOURCE_MAP, '');
