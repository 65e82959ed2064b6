/**
 * @module Senders of e-mail: Cloudflare's binding, and providers with a JSON API.
 */
import type { Settings } from '../../schema/settings/config.ts';

export interface EmailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface EmailSender {
  /** @throws Error for a rejected message. */
  send(message: EmailMessage): Promise<void>;
}

type Sender = Omit<Settings['email'], 'provider' | 'url'>;

/** https://developers.cloudflare.com/email-service/api/send-emails/workers-api/ */
export function cloudflareSender(binding: SendEmail | undefined, { from, fromName, replyTo }: Sender): EmailSender {
  const fixed = { from: fromName ? { email: from, name: fromName } : from, ...(replyTo && { replyTo }) };
  return {
    async send({ to, subject, text }) {
      if (!binding)
        throw new Error('there is no binding EMAIL: add [[send_email]] with name = "EMAIL" to wrangler.toml');
      await binding.send({ ...fixed, to, subject, text });
    },
  };
}

/** Milliseconds. */
const TIMEOUT = 10_000;

/** Sends as to Resend: https://resend.com/docs/api-reference/emails/send-email */
export function httpSender(url: string, key: string | undefined, { from, fromName, replyTo }: Sender): EmailSender {
  // https://www.rfc-editor.org/rfc/rfc5322#section-3.2.4: a comma would end the name. The settings take no quotes.
  const name = /^[\w '-]*$/.test(fromName) ? fromName : `"${fromName.replaceAll('\\', '\\\\')}"`;
  const fixed = { from: fromName ? `${name} <${from}>` : from, ...(replyTo && { reply_to: replyTo }) };
  return {
    async send({ to, subject, text }) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
        body: JSON.stringify({ ...fixed, to: [to], subject, text }),
        // The key is for this host only.
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the e-mail provider responded with ${response.status}`);
    },
  };
}

/** Names the message, but does not log it: codes are secrets. */
export const noSender: EmailSender = {
  async send({ subject }) {
    throw new Error(`email.provider is "none": "${subject}" was not sent`);
  },
};
