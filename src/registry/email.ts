/**
 * @module What an e-mail address looks like.
 */

// The addr-spec of RFC 5322 without quoted parts and comments, letters of every script allowed, and a dot in the domain.
const EMAIL =
  /^[\p{L}\p{M}\d!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\d!#$%&'*+/=?^_`{|}~-]+)*@([\p{L}\p{M}\d]([\p{L}\p{M}\d-]*[\p{L}\p{M}\d])?\.)+[\p{L}\p{M}]([\p{L}\p{M}\d-]*[\p{L}\p{M}\d])?$/u;

export const isEmail = (text: string): boolean => EMAIL.test(text);
