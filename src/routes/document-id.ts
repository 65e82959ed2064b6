/**
 * @module New documentIds: 24 lower-case letters and digits, starting with a letter, as in Strapi.
 */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const CHARACTERS = `${LETTERS}0123456789`;
const LENGTH = 24;

export function newDocumentId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH * 2));
  // 252 is the greatest multiple of 36 in a byte; higher values would make some characters more likely.
  const fair = [...bytes].filter((byte) => byte < 252).map((byte) => CHARACTERS[byte % CHARACTERS.length] ?? '');
  const first = LETTERS[(bytes[0] ?? 0) % LETTERS.length] ?? 'a';
  const rest = fair.slice(1, LENGTH).join('');
  return rest.length === LENGTH - 1 ? first + rest : newDocumentId();
}
