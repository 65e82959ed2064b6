/**
 * @module The e-mail sender of a deployment, and the host of links in messages.
 */

import type { AppContext } from '../../http/context.ts';
import type { Deployment } from '../../http/deployment.ts';
import type { UserCall } from './call.ts';
import { cloudflareSender, type EmailSender, httpSender, noSender } from './email.ts';

interface Bindings {
  readonly EMAIL?: SendEmail;
  readonly EMAIL_API_KEY?: string;
  /** `npm run dev` sets these two, and writes messages to a file. */
  readonly LOCAL_MAILBOX?: string;
  readonly LOCAL_URL?: string;
}

const LOCAL = { from: 'edgewise@localhost', fromName: '', replyTo: '' };

function senderOf({ settings }: Deployment, { EMAIL, EMAIL_API_KEY }: Bindings): EmailSender {
  const { provider, url, ...sender } = settings.email;
  if (provider === 'cloudflare') return cloudflareSender(EMAIL, sender);
  return provider === 'http' ? httpSender(url, EMAIL_API_KEY, sender) : noSender;
}

/** Messages never have the host of the request, which its sender chooses. */
export function mailOf({ env }: AppContext, deployment: Deployment): Pick<UserCall, 'email' | 'publicUrl'> {
  const { LOCAL_MAILBOX: mailbox, LOCAL_URL: localUrl = '', ...bindings } = env as Env & Bindings;
  if (mailbox) return { email: httpSender(mailbox, undefined, LOCAL), publicUrl: localUrl };
  const { emailSender, settings } = deployment;
  return { email: emailSender ?? senderOf(deployment, bindings), publicUrl: settings.server.url.replace(/\/+$/, '') };
}
