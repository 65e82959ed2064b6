/**
 * @module Comparison of user names and e-mail addresses as readers see them.
 */

/** White space, and the blank of Braille. */
const BLANK = /[\p{White_Space}\u2800]+/gu;
/** Control, format and default ignorable characters, and two signs whose glyph is empty. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u{16FE4}\u{1D159}]+/gu;
const SPACES = / +/g;

/**
 * Returns a name without letter case, width and other compatibility forms (NFKC), outer and doubled spaces, and invisible
 * characters. Similar letters of other scripts stay different. Idempotent.
 * https://www.unicode.org/reports/tr44/#NFKC_Casefold is nearly this.
 */
export const nameKey = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(BLANK, ' ')
    .replace(HIDDEN, '')
    // Capitals merge letters that differ only as small ones; `ẞ` becomes `SS` only from its small letter.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(SPACES, ' ')
    .trim();
