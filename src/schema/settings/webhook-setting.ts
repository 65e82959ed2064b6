/**
 * @module `webhooks` of the settings. What a name resolves to is not visible to a Worker, so a URL is checked as text.
 */
import * as z from 'zod/mini';
import { secretIn } from './derived.ts';
import { flag, secretNamed, textMatching } from './setting-values.ts';

/** Names that no public DNS has, by their last labels. */
const LOCAL_NAME = /(^|\.)(local|localhost|internal|lan|home\.arpa)$/;

/** https://www.iana.org/assignments/iana-ipv4-special-registry */
const isPrivateV4 = (a: number, b: number, c: number): boolean =>
  [0, 10, 127].includes(a) ||
  a >= 224 ||
  (a === 100 && b >= 64 && b < 128) ||
  (a === 169 && b === 254) ||
  (a === 172 && b >= 16 && b < 32) ||
  (a === 192 && (b === 168 || (b === 0 && (c === 0 || c === 2)) || (b === 88 && c === 99))) ||
  (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) ||
  (a === 203 && b === 0 && c === 113);

/** Global unicast is 2000::/3, without 2001::/23, 2001:db8::/32, 2002::/16 and 3fff::/20. */
function isPrivateV6(address: string): boolean {
  const [first = 0, second = 0] = address.split(':', 2).map((group) => Number.parseInt(group || '0', 16));
  if (first < 0x2000 || first > 0x3fff || first === 0x2002) return true;
  if (first === 0x3fff) return second < 0x1000;
  return first === 0x2001 && (second < 0x200 || second === 0xdb8);
}

/** @param host as `URL` writes it: IPv4 as four decimals, whichever notation it had; IPv6 in brackets */
function isPrivateHost(host: string): boolean {
  const name = host.replace(/\.+$/, '');
  if (name.startsWith('[')) return isPrivateV6(name.slice(1, -1));
  if (!name.includes('.')) return true;
  const [a = 0, b = 0, c = 0] = name.split('.').map(Number);
  return /^[\d.]+$/.test(name) ? isPrivateV4(a, b, c) : LOCAL_NAME.test(name);
}

/** Returns what was expected in place of the URL; undefined for one that a webhook may have. */
function invalidUrl(text: string, allowPrivate: boolean): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return 'a URL like https://example.com/hook';
  if (url.username !== '' || url.password !== '') return 'a URL without a user name and password; use headers';
  return !allowPrivate && isPrivateHost(url.hostname)
    ? `a public address; "${url.hostname}" is private, which allowPrivate: true allows`
    : undefined;
}

/** The events of Strapi's webhooks. */
const EVENTS = {
  entry: ['create', 'update', 'delete', 'publish', 'unpublish', 'draft-discard'],
  media: ['create', 'update', 'delete'],
} as const;

const eventName = z.enum(
  Object.entries(EVENTS).flatMap(([group, names]) => ['*', ...names].map((name) => `${group}.${name}`)),
);

const secretName = secretNamed('WEBHOOK_SECRET');
const headerName = textMatching(
  /^(?!(host|content-length|content-type|transfer-encoding|x-strapi-event|webhook-.*)$)[\w!#$%&'*+.^`|~-]+$/i,
  'the name of a header that a webhook does not have already',
);

const webhook = z
  .strictObject({
    url: z.string(),
    events: z.array(eventName).check(z.minLength(1)),
    /** uids; events of entries of other types are not sent. */
    types: z.optional(z.array(z.string()).check(z.minLength(1))),
    /** `$NAME` is the value of the secret NAME. */
    headers: z._default(z.record(headerName, textMatching(/^[\t -~]*$/, 'ASCII characters in one line')), {}),
    /** Name of the secret that signs messages. */
    secret: z.optional(secretName),
    allowPrivate: flag(false),
  })
  .check((context) => {
    const { url, allowPrivate } = context.value;
    const message = invalidUrl(url, allowPrivate);
    if (message) context.issues.push({ code: 'custom', path: ['url'], input: url, message });
  });

export const isEvent = (name: string): name is Webhook['events'][number] => eventName.safeParse(name).success;

/** One of `webhooks`. Its `url` identifies it. */
export type Webhook = z.output<typeof webhook>;

/** Returns the names of the secrets that messages need. */
export const secretsOf = ({ secret, headers }: Webhook): readonly string[] => [
  ...(secret === undefined ? [] : [secret]),
  ...Object.values(headers).flatMap((value) => secretIn(value) ?? []),
];

/** Each commit writes a row for each webhook that takes its events. */
const MAX_WEBHOOKS = 20;

export const webhookList = z._default(
  z.array(webhook).check(
    z.maxLength(MAX_WEBHOOKS),
    z.refine((list) => new Set(list.map(({ url }) => url)).size === list.length, 'each url once'),
  ),
  [],
);
