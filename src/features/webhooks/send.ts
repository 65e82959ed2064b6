/**
 * @module Sends a message to its endpoint, signed as Standard Webhooks say:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { ownValue } from '../../common/json.ts';
import { secretIn } from '../../schema/settings/derived.ts';
import type { Webhook } from '../../schema/settings/webhook-setting.ts';

/** Milliseconds, as in Strapi. */
const TIMEOUT = 10_000;

/** @param env the bindings of the Worker. @throws Error for one that is not set */
function secretOf(name: string, env: object): string {
  const value = ownValue(env, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`The secret ${name} is not set: npx wrangler secret put ${name}, or see .dev.vars`);
}

/** @param secret `whsec_` and base64, or any text */
function signatureOf(content: string, secret: string): string {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret;
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

interface Signed {
  readonly id: string;
  readonly event: string;
  readonly body: string;
}

function headersOf({ headers, secret }: Webhook, { id, event, body }: Signed, env: object): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    const own = secretIn(value);
    all.set(name, own === undefined ? value : secretOf(own, env));
  }
  const timestamp = String(Math.floor(Date.now() / 1_000));
  all.set('content-type', 'application/json');
  all.set('x-strapi-event', event);
  all.set('webhook-id', id);
  all.set('webhook-timestamp', timestamp);
  if (secret !== undefined)
    all.set('webhook-signature', signatureOf(`${id}.${timestamp}.${body}`, secretOf(secret, env)));
  return all;
}

/** @throws Error for any response but a success, and for none */
export async function sendMessage(webhook: Webhook, message: Signed, env: object): Promise<void> {
  const response = await fetch(webhook.url, {
    method: 'POST',
    headers: headersOf(webhook, message, env),
    body: message.body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT),
  });
  // However long it is.
  await response.body?.cancel();
  const { ok, status } = response;
  if (!ok) throw new Error(`It responded with ${status}${status < 400 ? '; redirects are not followed' : ''}`);
}
