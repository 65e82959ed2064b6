/**
 * @module `webhooks` of the settings.
 */
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../src/schema/settings/config.ts';

const parse = (...webhooks: readonly object[]) =>
  parseSettings({ webhooks: webhooks.map((webhook) => ({ events: ['entry.*'], ...webhook })) }).webhooks;

/** Each notation that `URL` takes for an address, and names without a public one. */
const PRIVATE = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://0/',
  'http://10.1.2.3/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://192.0.2.1/',
  'http://198.19.0.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://192.88.99.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://127.0.0.1./',
  'http://[::]/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001::1]/',
  'http://[2001:db8::1]/',
  'http://[3fff::1]/',
  'http://[fc00::1]/',
  'http://[fe80::1]/',
  'http://[ff02::1]/',
  'http://localhost:3000/',
  'http://LOCALHOST./',
  'http://a.localhost/',
  'http://printer.local/',
  'http://metadata.google.internal/',
  'http://router.lan/',
  'http://nas.home.arpa/',
  'http://intranet/',
  'http://①②⑦.0.0.1/',
];

const PUBLIC = [
  'https://example.com/hook',
  'https://local.example.com/',
  'http://9.9.9.9/',
  'http://172.32.0.1/',
  'http://100.128.0.1/',
  'http://[2606:4700::1111]/',
  'http://[2001:4860:4860::8888]/',
];

describe('webhooks of the settings', () => {
  it.each(PRIVATE)('rejects the private address %s unless allowPrivate is set', (url) => {
    expect(() => parse({ url })).toThrow(/webhooks\.0\.url: a public address; ".+" is private/);
    expect(parse({ url, allowPrivate: true })).toMatchObject([{ url }]);
  });

  it.each(PUBLIC)('accepts the public address %s', (url) => {
    expect(parse({ url })).toEqual([{ url, events: ['entry.*'], headers: {}, allowPrivate: false }]);
  });

  it.each([
    [{ url: 'ftp://example.com/' }, 'url: a URL like https://example.com/hook'],
    [{ url: 'example.com' }, 'url: a URL like https://example.com/hook'],
    [{ url: 'https://user:word@example.com/' }, 'url: a URL without a user name and password'],
    [{ url: 'https://example.com/', events: [] }, 'events'],
    [{ url: 'https://example.com/', events: ['entry.publsh'] }, 'events.0'],
    [{ url: 'https://example.com/', headers: { 'Webhook-Id': '1' } }, 'headers.Webhook-Id'],
    [{ url: 'https://example.com/', headers: { A: 'b\r\nC: d' } }, 'headers.A'],
    [{ url: 'https://example.com/', secret: 'whsec_a b' }, 'secret: the name of a secret'],
  ])('rejects %j', (webhook, message) => {
    expect(() => parse(webhook)).toThrow(`webhooks.0.${message}`);
  });

  it('rejects a url that comes twice, since it identifies the webhook', () => {
    const url = 'https://example.com/';
    expect(() => parse({ url }, { url })).toThrow('webhooks: each url once');
  });
});
