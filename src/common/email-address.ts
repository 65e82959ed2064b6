/**
 * @module The form of e-mail addresses.
 */

// The addr-spec of RFC 5322 without quoted parts and comments, with letters of every script, and a dot in the domain.
const PLAIN =
  /^[\p{L}\p{M}\d!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\d!#$%&'*+/=?^_`{|}~-]+)*@([\p{L}\p{M}\d]([\p{L}\p{M}\d-]*[\p{L}\p{M}\d])?\.)+[\p{L}\p{M}]([\p{L}\p{M}\d-]*[\p{L}\p{M}\d])?$/u;

/** Is it an address that messages can be sent to? */
export const isAccountEmail = (text: string): boolean => PLAIN.test(text);

/** Strapi also accepts quoted names, and `_` in the domain. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const name = text.slice(0, at).replace(/^"(?:[^"\\\r\n]|\\.)+"$/, 'quoted');
  return at > 0 && PLAIN.test(`${name}@${text.slice(at + 1).replaceAll('_', 'x')}`);
}
