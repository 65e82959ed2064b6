/**
 * @module New documentIds: 24 small letters and digits that start with a letter, like the reference's.
 */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const CHARACTERS = `${LETTERS}0123456789`;
const LENGTH = 24;

export function newDocumentId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH * 2));
  // 252 is the greatest multiple of 36 in a byte: what lies above would make some characters more likely.
  const fair = [...bytes].filter((byte) => byte < 252).map((byte) => CHARACTERS[byte % CHARACTERS.length] ?? '');
  const first = LETTERS[(bytes[0] ?? 0) % LETTERS.length] ?? 'a';
  const rest = fair.slice(1, LENGTH).join('');
  return rest.length === LENGTH - 1 ? first + rest : newDocumentId();
}
