/**
 * @module `edgewise-client/webhooks`; test/feature/webhooks/delivery.test.ts has it in workerd, with what the Worker sends.
 */
import { Webhook } from 'standardwebhooks';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { verifyWebhook, WebhookError } from '../../client/webhooks.ts';
import type { Article, Category, ContentTypes } from '../../types/content-types.d.ts';

const SECRET = `whsec_${btoa('a key of twenty-four byt')}`;
const MESSAGE = {
  ...{ event: 'entry.publish', createdAt: '2026-11-25T14:00:00.000Z', model: 'article', uid: 'api::article.article' },
  entry: { documentId: 'a', title: 'Straße – 港' },
};
const BODY = JSON.stringify(MESSAGE);

interface Sent {
  readonly body?: string;
  readonly secret?: string;
  /** Seconds. */
  readonly age?: number;
  /** undefined: left out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

const signatureOf = (secret: string, time: Date) =>
  new Webhook(secret, secret === SECRET ? {} : { format: 'raw' }).sign('msg_1', time, BODY);

/** A message that is signed as the reference library of Standard Webhooks does, and then changed. */
function send({ body = BODY, secret = SECRET, age = 0, headers = {} }: Sent = {}): Request {
  const time = new Date(Date.now() - age * 1_000);
  const all = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(time.getTime() / 1_000)),
    'webhook-signature': signatureOf(secret, time),
    ...headers,
  };
  const given = Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined);
  return new Request('https://site.example/hook', { method: 'POST', body, headers: given });
}

describe('a message of a webhook', () => {
  it.each<[string, Sent, string]>([
    ['is altered', { body: BODY.replace('"a"', '"b"') }, 'The signature does not match'],
    ['has another id', { headers: { 'webhook-id': 'msg_2' } }, 'The signature does not match'],
    ['is signed with another secret', { secret: 'another' }, 'The signature does not match'],
    ['has no signature', { headers: { 'webhook-signature': undefined } }, 'The header webhook-signature is missing'],
    ['has no id', { headers: { 'webhook-id': undefined } }, 'The header webhook-id is missing'],
    ['has no time', { headers: { 'webhook-timestamp': undefined } }, 'The header webhook-timestamp is missing'],
    ['has a time that is no number', { headers: { 'webhook-timestamp': 'now' } }, 'The message is older'],
    ['has an empty time', { headers: { 'webhook-timestamp': '' } }, 'The message is older'],
    ['is old', { age: 302 }, 'The message is older than 5 minutes'],
    ['is from the future', { age: -302 }, 'or from the future'],
    ['has a signature that is no base64', { headers: { 'webhook-signature': 'v1,!' } }, 'The signature does not match'],
    ['has an empty signature', { headers: { 'webhook-signature': 'v1,' } }, 'The signature does not match'],
  ])('is refused when it %s', async (_, sent, message) => {
    const failure = await verifyWebhook(send(sent), SECRET).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(WebhookError);
    expect(String(failure)).toContain(`WebhookError: `);
    expect(String(failure)).toContain(message);
  });

  it.each([
    [undefined, 'The secret of the webhook is not set'],
    ['', 'The secret of the webhook is not set'],
    ['whsec_', 'The secret of the webhook is not base64 after "whsec_"'],
    ['whsec_!', 'The secret of the webhook is not base64 after "whsec_"'],
  ])('is refused by the secret %j', async (secret, message) => {
    await expect(verifyWebhook(send(), secret)).rejects.toThrow(new TypeError(message));
  });

  it.each<[string, Sent, string]>([
    ['is new', {}, SECRET],
    ['is five minutes old', { age: 299 }, SECRET],
    ['is five minutes ahead', { age: -299 }, SECRET],
    ['is signed with any text', { secret: 'any text' }, 'any text'],
  ])('is returned when it %s', async (_, sent, secret) => {
    expect(await verifyWebhook(send(sent), secret)).toEqual(MESSAGE);
  });

  it('is returned for a secret in the alphabet of URLs', async () => {
    const time = new Date();
    const signature = new Webhook('whsec_+/+/+/+/').sign('msg_1', time, BODY);
    const message = send({ headers: { 'webhook-signature': signature } });
    expect(await verifyWebhook(message, 'whsec_-_-_-_-_')).toEqual(MESSAGE);
  });

  it('is refused when its signature is of another version', async () => {
    const other = send().headers.get('webhook-signature')?.replace('v1,', 'v2,');
    const failure = verifyWebhook(send({ headers: { 'webhook-signature': other } }), SECRET);
    await expect(failure).rejects.toThrow(WebhookError);
  });

  it('is returned when one of its signatures matches', async () => {
    const { headers } = send();
    const signatures = `v1,AAAA v1a,BBBB ${headers.get('webhook-signature')}`;
    expect(await verifyWebhook(send({ headers: { 'webhook-signature': signatures } }), SECRET)).toEqual(MESSAGE);
  });

  it('has the types of its content type and of its event', async () => {
    const message = await verifyWebhook<ContentTypes>(send(), SECRET);
    if (message.event === 'trigger-test') expectTypeOf(message).not.toHaveProperty('entry');
    else if ('media' in message) expectTypeOf(message.media.url).toEqualTypeOf<string | undefined>();
    else if (message.uid === 'api::category.category')
      expectTypeOf(message.entry.name).toEqualTypeOf<Category['name'] | undefined>();
    else if (message.uid === 'api::article.article' && message.event === 'entry.publish')
      expectTypeOf(message.entry.title).toEqualTypeOf<Article['title'] | undefined>();
    else if (message.uid === 'api::article.article' && message.event === 'entry.update')
      expectTypeOf(message.entry.title).toEqualTypeOf<Article<'draft'>['title'] | undefined>();
    const untyped = await verifyWebhook(send(), SECRET);
    if ('entry' in untyped) expectTypeOf(untyped.entry.title).toEqualTypeOf<unknown>();
    // @ts-expect-error there is no such content type
    expect('uid' in message && message.uid === 'api::menu.menu').toBe(false);
  });
});
