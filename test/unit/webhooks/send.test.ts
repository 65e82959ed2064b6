/**
 * @module One request to a webhook: its signature, its headers, and which response is a success.
 */
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sendMessage } from '../../../src/features/webhooks/send.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const MESSAGE = { id: 'msg_1', event: 'entry.create', body: '{"a":1}' };

/** Returns the request that is sent. */
async function send(options: object, env: object, response = new Response()): Promise<RequestInit> {
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(response);
  const [webhook] = parseSettings({
    webhooks: [{ url: 'https://a.example/', events: ['entry.*'], ...options }],
  }).webhooks;
  if (!webhook) throw new Error('no webhook');
  await sendMessage(webhook, MESSAGE, env);
  return fetched.mock.calls[0]?.[1] ?? {};
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a request to a webhook', () => {
  it.each([
    ['whsec_ and base64', `whsec_${btoa('a key of twenty-four byt')}`, {}],
    ['another text, which is the key itself', 'abcdefghijklmnop', { format: 'raw' as const }],
  ])('is signed with a secret of %s', async (_, secret, format) => {
    const { headers } = await send({ secret: 'WEBHOOK_SECRET' }, { WEBHOOK_SECRET: secret });
    const sent = Object.fromEntries(headers as Headers);
    expect(new StandardWebhook(secret, format).verify(MESSAGE.body, sent)).toEqual({ a: 1 });
  });

  it.each([{}, { WEBHOOK_SECRET: '' }, { WEBHOOK_SECRET: {} }])('is not sent with the secret of %j', async (env) => {
    const missing = /^The secret WEBHOOK_SECRET is not set: /;
    await expect(send({ secret: 'WEBHOOK_SECRET' }, env)).rejects.toThrow(missing);
    await expect(send({ headers: { Authorization: '$WEBHOOK_SECRET' } }, env)).rejects.toThrow(missing);
    expect(globalThis.fetch).not.toHaveBeenCalled();
  });

  it.each([
    [300, 'It responded with 300; redirects are not followed'],
    [399, 'It responded with 399; redirects are not followed'],
    [400, 'It responded with 400'],
    [503, 'It responded with 503'],
  ])('has failed if the response is a %i', async (status, message) => {
    await expect(send({}, {}, new Response(null, { status }))).rejects.toThrow(new Error(message));
  });

  it('ends when its connection is free for the next one', async () => {
    let isFree = false;
    const cancel = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      isFree = true;
    };
    await send({}, {}, new Response(new ReadableStream({ cancel })));
    expect(isFree).toBe(true);
  });
});
