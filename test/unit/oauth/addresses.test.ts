/**
 * @module Addresses of clients: which document may be fetched, and which redirect is one of a client.
 */
import { describe, expect, it } from 'vitest';
import { documentUrl } from '../../../src/features/oauth/client-document.ts';
import { isAmong, redirectOf } from '../../../src/features/oauth/redirect-uri.ts';

/** An address of so many characters. */
const long = (length: number, start = 'https://client.example.com/') => start.padEnd(length, 'a');

describe('the address of a document', () => {
  it('has at most 500 characters', () => {
    expect(documentUrl(long(500), [])?.href).toBe(long(500));
    expect(documentUrl(long(501), [])).toBeUndefined();
  });

  it.each(['ann', ':secret', 'ann:secret'])('has no credentials: %s', (credentials) => {
    expect(documentUrl(`https://${credentials}@client.example.com/client.json`, [])).toBeUndefined();
  });

  it('has a host with a dot, which a name server of the world may have', () => {
    expect(documentUrl('https://metadata/client.json', [])).toBeUndefined();
  });
});

describe('a redirect', () => {
  it('has at most 1,000 characters', () => {
    expect(redirectOf(long(1_000))).toEqual({ host: 'client.example.com', isLoopback: false, scheme: 'https' });
    expect(redirectOf(long(1_001))).toBeUndefined();
  });

  it.each(['ftp://localhost/callback', 'ws://127.0.0.1/callback', 'http://:secret@127.0.0.1/callback'])(
    'to a program on the computer is none of another scheme or with credentials: %s',
    (uri) => {
      expect(redirectOf(uri)).toBeUndefined();
    },
  );

  it.each([
    ['http://[bad/callback', false],
    ['http://127.0.0.1/a path', false],
    ['http://ann@127.0.0.1/a%20path', false],
    ['http://127.0.0.1/a%20path', true],
  ])('is that of a client which has %j, whatever its port: %j', (own, isOne) => {
    expect(isAmong('http://127.0.0.1:4000/a%20path', [own])).toBe(isOne);
  });
});
