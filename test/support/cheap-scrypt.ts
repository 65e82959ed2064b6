/**
 * @module In place of src/content/credentials/scrypt-cost.ts: the tests of the Worker make thousands of hashes. What a real one costs is
 * tested in test/node/passwords.test.ts.
 */
export const SCRYPT = { N: 256, r: 8, p: 5 } as const;
