/**
 * @module The rate limit of content, counted by a binding of wrangler.toml before any query.
 */
import { clientOf } from './client-address.ts';
import type { AppContext } from './context.ts';
import type { Deployment } from './deployment.ts';
import { counterKey, exceeds, rateLimited } from './rate-limiters.ts';

export function limitContent({ settings }: Deployment) {
  return async function contentLimit(context: AppContext, next: () => Promise<void>): Promise<void> {
    const client = clientOf(context);
    if (client !== undefined && (await exceeds(context, 'CONTENT_RATE_LIMIT', counterKey([client]))))
      throw rateLimited(settings.rateLimit.content.period);
    await next();
  };
}
