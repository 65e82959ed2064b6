/**
 * @module A server whose users connect clients: the Worker in workerd with Studio in front of it, and a web of documents that
 * the Worker alone sees.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { freePort } from '../../cli/core/local-server.ts';
import { ASSETS, writeAssets } from '../../cli/studio/assets.ts';
import { buildRegistry, type SchemaFiles, TRUSTED } from '../../src/schema/build.ts';
import { parseSettings } from '../../src/schema/settings/config.ts';
import { bundleWorker } from '../chaos/killable-server.ts';
import { contentType } from '../support/schema-files.ts';
import { createSchemaSql } from '../support/schema-sql.ts';

const FILES: SchemaFiles = {
  contentTypes: [
    contentType('article', { title: { type: 'string', required: true } }, { drafts: true }),
    contentType('tag', { name: { type: 'string' } }),
  ],
  components: [],
  overflow: {},
};

const ROLES = { public: [], editor: ['api::*'], reader: ['api::*.find', 'api::*.findOne'] };

/** Full access. */
export const TOKEN = 'operator';

export interface Connectable {
  readonly origin: string;
  /** Bodies that the Worker finds, by their addresses. */
  readonly web: Map<string, string>;
  /** Addresses that the Worker has fetched. */
  readonly fetched: string[];
  stop(): Promise<void>;
}

export async function serveConnectable(): Promise<Connectable> {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-connect-'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const settings = parseSettings({
    ...{ server: { url: origin }, mcp: true, oauth: { registration: true }, roles: ROLES },
    ...{ users: { defaultRole: 'editor' }, rateLimit: { auth: { enabled: false } } },
  });
  const bundle = join(folder, 'worker.js');
  await bundleWorker(FILES, settings, bundle);
  await writeAssets(folder, settings);
  const web = new Map<string, string>();
  const fetched: string[] = [];
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions({
      ...{ name: 'edgewise', port },
      modules: true,
      script: readFileSync(bundle, 'utf8'),
      compatibilityDate: '2026-11-01',
      compatibilityFlags: ['nodejs_compat', 'global_fetch_strictly_public'],
      d1Databases: { DB: 'connect' },
      r2Buckets: { MEDIA: 'media' },
      bindings: { JWT_SECRET: 'a secret that only the tests know' },
      assets: { directory: join(folder, ASSETS), routerConfig: { has_user_worker: true }, assetConfig: {} },
      outboundService: ({ url }: { url: string }) => {
        fetched.push(url);
        const body = web.get(url);
        return new Response(body ?? '', {
          status: body === undefined ? 404 : 200,
          headers: { 'content-type': 'application/json' },
        });
      },
      cf: false,
    }),
  });
  await miniflare.ready;
  const db = await miniflare.getD1Database('DB');
  const statements = await createSchemaSql(buildRegistry(FILES, TRUSTED));
  const key = createHash('sha256').update(TOKEN).digest('hex');
  const token = `insert into strapi_api_tokens (document_id, locale, published_at, created_at, updated_at, name, type, access_key)
    values ('operator', '', 0, 0, 0, 'operator', 'full-access', '${key}')`;
  await db.batch([...statements, token].map((sql) => db.prepare(sql)));
  return {
    ...{ origin, web, fetched },
    stop: async () => {
      await miniflare.dispose();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
