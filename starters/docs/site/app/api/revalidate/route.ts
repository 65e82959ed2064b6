/**
 * @module Receives the webhook of the API, checks its signature, and lets Next read again what has changed.
 */
import { revalidateRoute } from 'edgewise-client/next';

export const POST = revalidateRoute({ secret: process.env.WEBHOOK_SECRET });
