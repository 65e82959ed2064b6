/**
 * @module What makes two user names, or two e-mail addresses, the same to their readers.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const SPACES = /\s+/g;

/**
 * A name without what readers overlook: letter case, width and other compatibility forms (NFKC), spaces at the ends and
 * doubled, and characters that are not shown. Letters of other scripts that look alike stay different.
 * https://www.unicode.org/reports/tr44/#NFKC_Casefold is nearly this.
 */
export const nameKey = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    // To capitals first, which makes one letter of those that differ in small ones alone.
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(SPACES, ' ')
    .trim();
