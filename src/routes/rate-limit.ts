/**
 * @module How often one may ask: counted by the bindings of wrangler.toml, before the database is asked.
 */
import type { RateLimiter } from '../config.ts';
import type { AccountRoute } from '../registry/account-routes.ts';
import type { InputData } from '../request/body.ts';
import { clientOf } from './client-address.ts';
import type { AppContext, Deployment } from './context.ts';
import { counterKey, exceeds, tooOften } from './counter.ts';
import { failuresOf } from './failures.ts';

/** A text of the body; what cannot be read is refused later, and has one count. */
function named(body: () => InputData, key: 'email' | 'identifier'): string {
  try {
    const value = body()[key];
    return typeof value === 'string' ? value.toLowerCase() : '';
  } catch {
    return '';
  }
}

type Counter = readonly [limiter: RateLimiter, key: readonly string[]];

/** What one request adds to. The route itself is part of each key, not the path that led to it. */
function countersOf({ path, counted }: AccountRoute, client: string | undefined, email: () => string): Counter[] {
  const byClient = (limiter: RateLimiter): Counter[] => (client === undefined ? [] : [[limiter, [path, client]]]);
  if (counted === 'address') return byClient('AUTH_RATE_LIMIT');
  if (counted === undefined) return [];
  return [...byClient('AUTH_ADDRESS_RATE_LIMIT'), ['AUTH_RATE_LIMIT', [path, client ?? '', email()]]];
}

/**
 * Counts a request to a route of users. Where it is about an e-mail address it has to pass two counters: who varies the
 * one is stopped by the count of all. Signing in to an account that is closed for now is not counted.
 * @throws ApiError 429
 */
export async function limitAuth(
  context: AppContext,
  deployment: Deployment,
  route: AccountRoute,
  body: () => InputData,
): Promise<void> {
  const { enabled, period } = deployment.settings.rateLimit.auth;
  if (!enabled) return;
  if (route.action === 'auth.callback') failuresOf(context, deployment).refuseClosed(named(body, 'identifier'));
  for (const [limiter, key] of countersOf(route, clientOf(context), () => named(body, 'email')))
    if (await exceeds(context, limiter, counterKey(key))) throw tooOften(period);
}

/** Counts every request of an address, whatever it is for. */
export function limitContent({ settings }: Deployment) {
  return async function contentLimit(context: AppContext, next: () => Promise<void>): Promise<void> {
    const client = clientOf(context);
    if (client !== undefined && (await exceeds(context, 'CONTENT_RATE_LIMIT', counterKey([client]))))
      throw tooOften(settings.rateLimit.content.period);
    await next();
  };
}
