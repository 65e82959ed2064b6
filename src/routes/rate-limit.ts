/**
 * @module How often one address may ask: counted by the bindings of wrangler.toml, before the database is.
 */
import { hashToken } from '../auth/secrets.ts';
import { RATE_LIMITERS } from '../config.ts';
import { ApiError } from '../errors.ts';
import type { InputData } from '../request/body.ts';
import type { AppContext, Deployment } from './content.ts';

/** A deployment may lack the bindings; then nothing is counted. */
type Bindings = Partial<Record<(typeof RATE_LIMITERS)[keyof typeof RATE_LIMITERS], RateLimit>>;

/**
 * The routes that the reference limits, and whether the e-mail address of the body says who is meant there. Elsewhere a
 * caller could make it up, and with it a counter of its own for every attempt.
 */
const AUTH_ROUTES: ReadonlyMap<string, 'address' | 'email'> = new Map([
  ['/api/auth/local', 'address'],
  ['/api/auth/local/register', 'email'],
  ['/api/auth/forgot-password', 'email'],
  ['/api/auth/send-email-confirmation', 'email'],
  ['/api/auth/reset-password', 'address'],
  ['/api/auth/change-password', 'address'],
]);

const NETWORK_GROUPS = 4;
const GROUPS = 8;

/** One subscriber has a whole IPv6 network of 64 bits, so that is what counts as an address. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail = ''] = address.split('::');
  const [first, last] = [head, tail].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]];
  const zeros = Array.from({ length: Math.max(0, GROUPS - first.length - last.length) }, () => '0');
  return [...first, ...zeros, ...last].slice(0, NETWORK_GROUPS).join(':');
}

/** The platform sets this header; what a client sends under its name, or any other, is not looked at. */
const clientOf = (context: AppContext): string => networkOf(context.req.header('cf-connecting-ip') ?? '');

async function count(
  context: AppContext,
  { settings }: Deployment,
  limiter: keyof typeof RATE_LIMITERS,
  key: readonly string[],
): Promise<void> {
  const binding = (context.env as Bindings)[RATE_LIMITERS[limiter]];
  if (!binding) return;
  // Hashed, so that keys have one length, and tell nobody's address.
  const { success } = await binding.limit({ key: await hashToken(JSON.stringify(key)) });
  if (!success) throw new ApiError({ kind: 'rate-limited', retryAfter: settings.rateLimit[limiter].period });
}

function emailOf(body: () => InputData): string {
  try {
    const { email } = body();
    return typeof email === 'string' ? email.toLowerCase() : '';
  } catch {
    return '';
  }
}

/**
 * Counts a request to a route of users. The route itself is part of the key, not the path that led to it.
 * @throws ApiError 429
 */
export async function limitAuth(
  context: AppContext,
  deployment: Deployment,
  route: string,
  body: () => InputData,
): Promise<void> {
  const counted = AUTH_ROUTES.get(route);
  if (!counted || !deployment.settings.rateLimit.auth.enabled) return;
  const who = counted === 'email' ? [emailOf(body)] : [];
  await count(context, deployment, 'auth', [route, clientOf(context), ...who]);
}

/** Counts every request of an address, whatever it is for. */
export function limitContent(deployment: Deployment) {
  return async function contentLimit(context: AppContext, next: () => Promise<void>): Promise<void> {
    await count(context, deployment, 'content', [clientOf(context)]);
    await next();
  };
}
