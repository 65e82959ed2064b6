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

/** Counts a request of a client, where its address is known. @param path that of the route, not that of the request */
export const byClient = (limiter: RateLimiter, path: string, client: string | undefined): readonly Counter[] =>
  client === undefined ? [] : [[limiter, [path, client]]];

function countersOf(route: AccountRoute, client: string | undefined, email: () => string): readonly Counter[] {
  const { path, counted } = route;
  if (counted === 'address') return byClient('AUTH_RATE_LIMIT', path, client);
  if (counted === undefined) return [];
  return [...byClient('AUTH_ADDRESS_RATE_LIMIT', path, client), ['AUTH_RATE_LIMIT', [path, client ?? '', email()]]];
}

/** Counts a request, unless the settings have no limits of accounts. @throws ApiError 429 */
export async function countRequest(
  context: AppContext,
  { settings }: Deployment,
  counters: readonly Counter[],
): Promise<void> {
  const { enabled, period } = settings.rateLimit.auth;
  if (!enabled) return;
  for (const [limiter, key] of counters)
    if (await exceeds(context, limiter, counterKey(key))) throw rateLimited(period);
}

/** Two counters if the request is about an e-mail address, so that varying it does not help. @throws ApiError 429 */
export async function limitAuth(
  context: AppContext,
  deployment: Deployment,
  route: AccountRoute,
  body: () => InputData,
): Promise<void> {
  if (route.failures) failuresOf(context, deployment).rejectClosed(textOf(body, 'identifier'));
  await countRequest(
    context,
    deployment,
    countersOf(route, clientOf(context), () => textOf(body, 'email')),
  );
}
