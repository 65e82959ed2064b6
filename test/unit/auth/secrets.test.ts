/**
 * @module Signatures and keys that are made with the secret of a deployment.
 */
import { expect, it } from 'vitest';
import { isSignatureOf, nextKey, SIGNATURE_BYTES, signatureOf } from '../../../src/content/credentials/secrets.ts';

const signature = signatureOf('purpose', 'text', 'secret');

it.each([
  ['another purpose', signature, ['another', 'text', 'secret']],
  ['another text', signature, ['purpose', 'text.', 'secret']],
  ['another secret', signature, ['purpose', 'text', 'secret.']],
  ['a part of it', signature.subarray(1), ['purpose', 'text', 'secret']],
  ['more than it', Buffer.concat([signature, signature]), ['purpose', 'text', 'secret']],
  ['nothing', new Uint8Array(), ['purpose', 'text', 'secret']],
] as const)('a signature is that of its text alone, not with %s', (_, bytes, [purpose, text, secret]) => {
  expect(signature).toHaveLength(SIGNATURE_BYTES);
  expect(isSignatureOf(signature, 'purpose', 'text', 'secret')).toBe(true);
  expect(isSignatureOf(bytes, purpose, text, secret)).toBe(false);
});

it('the next key of a session is always the same, and that of no other session, key or secret', () => {
  const next = nextKey('session', 'key', 'secret');
  expect(nextKey('session', 'key', 'secret')).toBe(next);
  for (const other of [
    nextKey('sessio', 'nkey', 'secret'),
    nextKey('s', 'key', 'secret'),
    nextKey('session', 'k', 'secret'),
  ])
    expect(other).not.toBe(next);
  expect(nextKey('session', 'key', 'other')).not.toBe(next);
});
