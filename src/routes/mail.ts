/**
 * @module By which way the messages of a deployment leave, and where their links lead.
 */
import type { UserCall } from '../users/call.ts';
import { cloudflareSender, type EmailSender, httpSender, noSender } from '../users/email.ts';
import type { AppContext, Deployment } from './context.ts';

interface Bindings {
  readonly EMAIL?: SendEmail;
  readonly EMAIL_API_KEY?: string;
  /** These two are set by `npm run dev`, which writes every message to a file. */
  readonly LOCAL_MAILBOX?: string;
  readonly LOCAL_URL?: string;
}

const LOCAL = { from: 'edgewise@localhost', fromName: '', replyTo: '' };

function senderOf({ settings }: Deployment, { EMAIL, EMAIL_API_KEY }: Bindings): EmailSender {
  const { provider, url, ...sender } = settings.email;
  if (provider === 'cloudflare') return cloudflareSender(EMAIL, sender);
  return provider === 'http' ? httpSender(url, EMAIL_API_KEY, sender) : noSender;
}

/** The host of a request is whatever its sender says, and never becomes part of a message. */
export function mailOf({ env }: AppContext, deployment: Deployment): Pick<UserCall, 'email' | 'publicUrl'> {
  const { LOCAL_MAILBOX: mailbox, LOCAL_URL: localUrl = '', ...bindings } = env as Env & Bindings;
  if (mailbox) return { email: httpSender(mailbox, undefined, LOCAL), publicUrl: localUrl };
  const { emailSender, settings } = deployment;
  return { email: emailSender ?? senderOf(deployment, bindings), publicUrl: settings.server.url.replace(/\/+$/, '') };
}
