/**
 * @module `webhooks` of the settings.
 */
import { describe, expect, it } from 'vitest';
import { webhooks, withoutWebhooks } from '../../src/features/webhooks/feature.ts';
import { featuresOf } from '../../src/features.ts';
import { parseSettings } from '../../src/schema/settings/config.ts';
import { isEvent, secretsOf, type Webhook } from '../../src/schema/settings/webhook-setting.ts';

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

/** The first and the last address of private ranges, each with its public neighbor. */
const EDGES: readonly (readonly [privateHost: string, publicHost: string])[] = [
  ['0.255.255.255', '1.0.0.0'],
  ['10.0.0.0', '9.255.255.255'],
  ['10.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.63.255.255'],
  ['100.127.255.255', '100.128.0.0'],
  ['169.254.0.0', '169.253.255.255'],
  ['169.254.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.15.255.255'],
  ['172.31.255.255', '172.32.0.0'],
  ['192.0.0.0', '191.255.255.255'],
  ['192.0.0.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.1.255'],
  ['192.0.2.255', '192.0.3.0'],
  ['192.88.99.0', '192.88.98.255'],
  ['192.88.99.255', '192.88.100.0'],
  ['192.168.0.0', '192.167.255.255'],
  ['192.168.255.255', '192.169.0.0'],
  ['198.18.0.0', '198.17.255.255'],
  ['198.19.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.99.255'],
  ['198.51.100.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.112.255'],
  ['203.0.113.255', '203.0.114.0'],
  ['224.0.0.0', '223.255.255.255'],
  ['[1fff::]', '[2000::]'],
  ['[2001::]', '[2000:ffff::]'],
  ['[2001:1ff::]', '[2001:200::]'],
  ['[2001:db8::]', '[2001:db7::]'],
  ['[2001:db8:ffff::]', '[2001:db9::]'],
  ['[2002::]', '[2001:ffff::]'],
  ['[2002:ffff::]', '[2003::]'],
  ['[3fff:fff::]', '[3fff:1000::]'],
  ['[4000::]', '[3fff:ffff::]'],
];

const PUBLIC = [
  'https://example.com/hook',
  'https://local.example.com/',
  'http://9.9.9.9/',
  // With only some numbers of a private one.
  'http://9.16.0.1/',
  'http://9.64.0.1/',
  'http://9.254.0.1/',
  'http://9.168.0.1/',
  'http://9.0.2.1/',
  'http://9.88.99.1/',
  'http://9.18.0.1/',
  'http://9.51.100.1/',
  'http://9.0.113.1/',
  'http://192.9.99.1/',
  'http://198.9.100.1/',
  'http://203.9.113.1/',
  'http://[2606:1::]/',
  'http://[2606:4700::1111]/',
  'http://[2001:4860:4860::8888]/',
];

describe('webhooks of the settings', () => {
  it.each([
    [{}, withoutWebhooks],
    [{ webhooks: [{ url: 'https://example.com/', events: ['entry.*'] }] }, webhooks],
  ])('%j has one of two features, which deliver messages or delete those that are left', (settings, feature) => {
    const on = featuresOf(parseSettings(settings)).filter((each) => each === webhooks || each === withoutWebhooks);
    expect(on).toEqual([feature]);
  });

  it.each(PRIVATE)('rejects the private address %s unless allowPrivate is set', (url) => {
    expect(() => parse({ url })).toThrow(/webhooks\.0\.url: a public address; ".+" is private/);
    expect(parse({ url, allowPrivate: true })).toMatchObject([{ url }]);
  });

  it.each(EDGES)('rejects %s and accepts its neighbor %s', (privateHost, publicHost) => {
    expect(() => parse({ url: `http://${privateHost}/` })).toThrow(/is private/);
    expect(parse({ url: `http://${publicHost}/` })).toHaveLength(1);
  });

  it.each(PUBLIC)('accepts the public address %s', (url) => {
    expect(parse({ url })).toEqual([{ url, events: ['entry.*'], headers: {}, allowPrivate: false }]);
  });

  it.each([
    [{ url: 'ftp://example.com/' }, 'url: a URL like https://example.com/hook'],
    [{ url: 'example.com' }, 'url: a URL like https://example.com/hook'],
    [{ url: 'https://user:word@example.com/' }, 'url: a URL without a user name and password'],
    [{ url: 'https://user@example.com/' }, 'url: a URL without a user name and password'],
    [{ url: 'https://:word@example.com/' }, 'url: a URL without a user name and password'],
    [{ url: 'https://example.com/', events: [] }, 'events'],
    [{ url: 'https://example.com/', events: ['entry.publsh'] }, 'events.0'],
    [{ url: 'https://example.com/', headers: { 'Webhook-Id': '1' } }, 'headers.Webhook-Id'],
    [{ url: 'https://example.com/', headers: { A: 'b\r\nC: d' } }, 'headers.A'],
    [{ url: 'https://example.com/', secret: 'whsec_a b' }, 'secret: the name of a secret'],
  ])('rejects %j', (webhook, message) => {
    expect(() => parse(webhook)).toThrow(`webhooks.0.${message}`);
  });

  it('takes each event of Strapi, and all of a kind', () => {
    const entry = ['create', 'update', 'delete', 'publish', 'unpublish', 'draft-discard', '*'];
    const events = [
      ...entry.map((name) => `entry.${name}`),
      ...['create', 'update', 'delete', '*'].map((name) => `media.${name}`),
    ];
    expect(parse({ url: 'https://example.com/', events })[0]?.events).toEqual(events);
    expect(events.filter(isEvent)).toEqual(events);
    expect(['entry', 'entry.', 'media.publish', 'x.create'].filter(isEvent)).toEqual([]);
  });

  it('names the secrets that its messages need', () => {
    const [signed, plain] = parse(
      { url: 'https://example.com/', secret: 'A', headers: { x: '$B', y: '$ C', z: 'D' } },
      { url: 'https://example.com/b' },
    );
    expect([signed, plain].map((webhook) => secretsOf(webhook as Webhook))).toEqual([['A', 'B'], []]);
  });

  it('rejects a url that comes twice, since it identifies the webhook', () => {
    const url = 'https://example.com/';
    expect(() => parse({ url }, { url })).toThrow('webhooks: each url once');
  });
});
