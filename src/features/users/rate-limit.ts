/**
 * @module Rate limits of accounts, counted by the bindings of wrangler.toml before any query.
 */
import type { InputData } from '../../content/request/body.ts';
import { clientOf } from '../../http/client-address.ts';
import type { AppContext } from '../../http/context.ts';
import type { Deployment } from '../../http/deployment.ts';
import { counterKey, exceeds, rateLimited } from '../../http/rate-limiters.ts';
import type { AccountRoute } from '../../schema/account-routes.ts';
import type { RateLimiter } from '../../schema/settings/config.ts';
import { failuresOf } from './failures.ts';

/** Reads a text of the body. Malformed bodies, which are rejected later, share one count. */
function textOf(body: () => InputData, key: 'email' | 'identifier'): string {
  try {
    const value = body()[key];
    return typeof value === 'string' ? value.toLowerCase() : '';
  } catch {
    return '';
  }
}

type Counter = readonly [limiter: RateLimiter, key: readonly string[]];

/** The counters of a request. Keys have the path of the route, not that of the request. */
function countersOf({ path, counted }: AccountRoute, client: string | undefined, email: () => string): Counter[] {
  const byClient = (limiter: RateLimiter): Counter[] => (client === undefined ? [] : [[limiter, [path, client]]]);
  if (counted === 'address') return byClient('AUTH_RATE_LIMIT');
  if (counted === undefined) return [];
  return [...byClient('AUTH_ADDRESS_RATE_LIMIT'), ['AUTH_RATE_LIMIT', [path, client ?? '', email()]]];
}

/** Two counters if the request is about an e-mail address, so that varying it does not help. @throws ApiError 429 */
export async function limitAuth(
  context: AppContext,
  deployment: Deployment,
  route: AccountRoute,
  body: () => InputData,
): Promise<void> {
  const { enabled, period } = deployment.settings.rateLimit.auth;
  if (!enabled) return;
  if (route.failures) failuresOf(context, deployment).rejectClosed(textOf(body, 'identifier'));
  for (const [limiter, key] of countersOf(route, clientOf(context), () => textOf(body, 'email')))
    if (await exceeds(context, limiter, counterKey(key))) throw rateLimited(period);
}
