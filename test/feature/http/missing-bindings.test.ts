/**
 * @module A deployment without its database, its bucket or its secret: the log says what to add, the response does not.
 */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { createDeployment } from '../../../src/deployment.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { createTables, recordedRegistry, serve } from '../../support/recorded.ts';

const log = vi.spyOn(console, 'error');
beforeAll(createTables);
beforeEach(() => void log.mockReturnValue());
afterEach(() => void log.mockReset());

const NOT_READY = { status: 503, name: 'ServiceUnavailableError', message: 'Service Unavailable', details: {} };

const without = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, undefined])) as unknown as Partial<Env>;

describe('a deployment without', () => {
  it.each([
    ['DB', '/api/tags', '[[d1_databases]]\\nbinding = \\"DB\\"'],
    ['DB', '/api/articles?status=draft', '[[d1_databases]]\\nbinding = \\"DB\\"'],
    ['MEDIA', '/api/upload/files', '[[r2_buckets]]\\nbinding = \\"MEDIA\\"'],
    ['MEDIA', '/uploads/photo_0123456789.png', '[[r2_buckets]]\\nbinding = \\"MEDIA\\"'],
  ])('%s responds to %s with 503, and logs the lines for wrangler.toml', async (name, path, lines) => {
    const response = await serve({}, without(name))(path);
    expect(await response.json()).toEqual({ data: null, error: NOT_READY });
    expect(log).toHaveBeenCalledOnce();
    expect(log.mock.calls[0]?.[0]).toContain(lines);
  });

  it('MEDIA still serves content', async () => {
    expect((await serve({}, without('MEDIA'))('/api/tags')).status).toBe(403);
    expect(log).not.toHaveBeenCalled();
  });
});

it('a local server logs the lines as lines', async () => {
  const app = createApp(createDeployment({ registry: recordedRegistry, settings: parseSettings({}) }));
  const request = new Request('http://127.0.0.1:8787/api/tags');
  await app.fetch(request, { ...env, ...without('DB') }, createExecutionContext());
  expect(log.mock.calls).toEqual([
    [
      [
        'wrangler.toml has no binding DB; add these lines, with the name on its first line for <name>:',
        '[[d1_databases]]',
        'binding = "DB"',
        'database_name = "<name>"',
        'migrations_dir = "drizzle"',
      ].join('\n'),
    ],
  ]);
});
