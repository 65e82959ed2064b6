/**
 * @module Which types a browser may show in place; anything else it is told to save.
 */

/** Neither markup nor scripts: pictures (but not SVG), sound, film, plain text and PDF. */
export const INLINE: RegExp = /^(image\/(?!svg)|audio\/|video\/|text\/(plain|csv)$|application\/pdf$)/;
