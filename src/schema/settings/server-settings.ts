/**
 * @module The settings of where the API is reached, and of how messages leave.
 */
import * as z from 'zod/mini';
import { flag, section, textMatching } from './setting-values.ts';

export const server = section({
  /** Public URL of the API, for links in messages. */
  url: z._default(textMatching(/^(https?:\/\/[^\s?#]+)?$/, 'a URL like https://api.example.com'), ''),
  openapi: flag(true),
  /** Does `Server-Timing` report the cost of a response? On a local server it always does. */
  timing: flag(false),
});

const address = z._default(textMatching(/^([^\s@<>"]+@[^\s@<>"]+)?$/, 'an address like hello@example.com'), '');

export const email = section({
  /** `cloudflare`: the binding EMAIL. `http`: a POST to `url`, with the secret EMAIL_API_KEY. */
  provider: z._default(z.enum(['none', 'cloudflare', 'http']), 'none'),
  /** Takes `{from, to, reply_to, subject, text}` as JSON, as Resend does. */
  url: z._default(textMatching(/^https?:\/\/\S+$/, 'a URL'), 'https://api.resend.com/emails'),
  from: address,
  fromName: z._default(textMatching(/^[^\p{Cc}<>"]*$/u, 'a name without <, > and "'), ''),
  replyTo: address,
});
