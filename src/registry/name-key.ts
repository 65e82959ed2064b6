/**
 * @module What makes two user names, or two e-mail addresses, the same to their readers.
 */

/** White space, and the character of Braille that is as blank. */
const BLANK = /[\p{White_Space}\u2800]+/gu;
/** Control and format characters, what fonts leave out by default, and two signs whose glyph is empty. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u{16FE4}\u{1D159}]+/gu;
const SPACES = / +/g;

/**
 * A name without what readers overlook: letter case, width and other compatibility forms (NFKC), spaces at the ends and
 * doubled, and characters that are not shown. Letters of other scripts that look alike stay different. The key of a key
 * is the key itself. https://www.unicode.org/reports/tr44/#NFKC_Casefold is nearly this.
 */
export const nameKey = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(BLANK, ' ')
    .replace(HIDDEN, '')
    // Capitals make one letter of those that differ in small ones alone; `ẞ` has to be small first to become `SS`.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(SPACES, ' ')
    .trim();
