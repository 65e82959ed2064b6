/**
 * @module The app over the recorded content model, in process: real D1 in workerd, no network.
 */
import { env } from 'cloudflare:workers';
import type { EmailSender } from '../../src/features/users/email.ts';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { createRegistryTables, type Send, serveRegistry } from './app.ts';
import { recordedRegistry } from './recorded-registry.ts';

export type { Send } from './app.ts';
export { recordedRegistry } from './recorded-registry.ts';

/** Makes the tables of the recorded model. */
export const createTables = (): Promise<void> => createRegistryTables(recordedRegistry);

/** A token's row, as `npx edgewise token create` writes it. */
export async function createToken(
  token: string,
  type: string,
  permissions: readonly unknown[] | null = null,
): Promise<void> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  const key = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  await env.DB.prepare(
    'insert into strapi_api_tokens (document_id, locale, published_at, created_at, updated_at, name, type, access_key, permissions) values (?, ?, 0, 0, 0, ?, ?, ?, ?)',
  )
    .bind(token.slice(0, 24), '', token, type, key, permissions && JSON.stringify(permissions))
    .run();
}

/** Sends requests to an app with these settings; `bindings` may replace what the Worker is given. */
export const serve = (settings: SettingsInput = {}, bindings: Partial<Env> = {}, emailSender?: EmailSender): Send =>
  serveRegistry(recordedRegistry, settings, bindings, emailSender);

export const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });

export const sendJson = (method: string, token: string, body: unknown): RequestInit => ({
  method,
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
