/**
 * @module Texts → uids, as Strapi's own forms write them.
 */
const PAIRS = 'ä-ae ö-oe ü-ue Ä-Ae Ö-Oe Ü-Ue ß-ss æ-ae Æ-AE ø-o Ø-O œ-oe Œ-OE đ-d Đ-D ł-l Ł-L ð-d þ-th ı-i';
const LETTERS = new Map(PAIRS.split(' ').map((pair) => pair.split('-') as [string, string]));

export const slugOf = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/&/g, ' and ')
    .replace(/[^\0-~]/g, (letter) => LETTERS.get(letter) ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z\d])'([ts])(?=\W|$)/gi, '$1$2')
    .replace(/([A-Z]+)([A-Z][a-rt-z\d]+)/g, '$1 $2')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-|-$/g, '');
