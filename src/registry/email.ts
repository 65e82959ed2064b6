/**
 * @module What an e-mail address looks like.
 */

// The addr-spec of RFC 5322 without quoted parts and comments, letters of every script allowed, and a dot in the domain.
const PLAIN =
  /^[\p{L}\p{M}\d!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\d!#$%&'*+/=?^_`{|}~-]+)*@([\p{L}\p{M}\d]([\p{L}\p{M}\d-]*[\p{L}\p{M}\d])?\.)+[\p{L}\p{M}]([\p{L}\p{M}\d-]*[\p{L}\p{M}\d])?$/u;

/** An address of an account, to which messages are sent. */
export const isAccountEmail = (text: string): boolean => PLAIN.test(text);

/** The reference also takes quoted names and `_` in the domain. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const name = text.slice(0, at).replace(/^"(?:[^"\\\r\n]|\\.)+"$/, 'quoted');
  return at > 0 && PLAIN.test(`${name}@${text.slice(at + 1).replaceAll('_', 'x')}`);
}
