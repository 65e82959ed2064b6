/**
 * @module The app over the recorded content model, in process: real D1 in workerd, no network.
 */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createApp } from '../../src/app.ts';
import { parseSettings, type SettingsInput } from '../../src/config.ts';
import { buildRegistry, type SchemaFile } from '../../src/registry/build.ts';

const jsonFiles = (modules: Record<string, unknown>): SchemaFile[] =>
  Object.entries(modules).map(([path, json]) => ({ path, json }));

const contentTypes = import.meta.glob('../conformance/corpus/content-types/*/schema.json', {
  eager: true,
  import: 'default',
});
const components = import.meta.glob('../conformance/corpus/content-types/components/*/*.json', {
  eager: true,
  import: 'default',
});

export const recordedRegistry = buildRegistry({
  contentTypes: jsonFiles(contentTypes),
  components: jsonFiles(components),
});

/** Makes the tables of the recorded model. */
export async function createTables(): Promise<void> {
  const { recorded } = (env as unknown as { TEST_SCHEMAS: { recorded: string[] } }).TEST_SCHEMAS;
  await env.DB.batch(recorded.map((statement) => env.DB.prepare(statement)));
}

/** A token's row, as `npm run token -- create` writes it. */
export async function createToken(token: string, type: string, permissions: string[] | null = null): Promise<void> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  const key = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  await env.DB.prepare(
    'insert into strapi_api_tokens (document_id, locale, published_at, created_at, updated_at, name, type, access_key, permissions) values (?, ?, 0, 0, 0, ?, ?, ?, ?)',
  )
    .bind(token.slice(0, 24), '', token, type, key, permissions && JSON.stringify(permissions))
    .run();
}

export type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** Sends requests to an app with these settings; `bindings` may replace what the Worker is given. */
export function serve(settings: SettingsInput = {}, bindings: Partial<Env> = {}): Send {
  const app = createApp({ registry: recordedRegistry, settings: parseSettings(settings) });
  return async (path, init) => {
    const context = createExecutionContext();
    const response = await app.fetch(new Request(`http://edgewise.test${path}`, init), { ...env, ...bindings }, context);
    await waitOnExecutionContext(context);
    return response;
  };
}

export const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });

export const sendJson = (method: string, token: string, body: unknown): RequestInit => ({
  method,
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
