/**
 * @module Receives the webhook of the API, and lets Next read again what has changed.
 */
import { verifyWebhook, WebhookError } from 'edgewise-client/webhooks';
import { revalidateTag } from 'next/cache';
import { TAGS } from '../../../lib/api';

export async function POST(request: Request): Promise<Response> {
  try {
    await verifyWebhook(request, process.env.WEBHOOK_SECRET);
  } catch (error) {
    if (error instanceof WebhookError) return new Response(error.message, { status: 401 });
    throw error;
  }
  for (const tag of TAGS) revalidateTag(tag, 'max');
  return new Response(null, { status: 204 });
}
