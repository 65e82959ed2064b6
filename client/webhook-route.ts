/**
 * @module The route of a site that a webhook calls, in any framework.
 */
import { messageTags } from './tags.ts';
import { verifyWebhook, WebhookError, type WebhookMessage } from './webhooks.ts';

/**
 * Checks a message, and responds with the tags that it makes stale.
 * @param invalidate is not called without tags
 * @throws TypeError for a secret that is not set
 */
export async function respondToWebhook(
  request: Request,
  secret: string | undefined,
  invalidate: (tags: readonly string[], message: WebhookMessage) => void | Promise<void>,
): Promise<Response> {
  try {
    const message = await verifyWebhook(request, secret);
    const tags = messageTags(message);
    if (tags.length > 0) await invalidate(tags, message);
    return Response.json({ revalidated: tags });
  } catch (error) {
    if (error instanceof WebhookError) return new Response(error.message, { status: 401 });
    throw error;
  }
}
