/**
 * @module The cost of a new password hash.
 */

// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt
export const SCRYPT = { N: 16_384, r: 8, p: 5 } as const;
