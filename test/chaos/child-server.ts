/**
 * @module A Worker in workerd, in a process that may be killed: `child-server.ts <bundle> <folder> [<statements>]`. It
 * prints its origin. The statements, a JSON list, make the tables.
 */
import { readFileSync } from 'node:fs';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

const [, , bundle = '', folder = '', statements] = process.argv;

const miniflare = new Miniflare({
  ...convertV4MiniflareOptions({
    modules: true,
    script: readFileSync(bundle, 'utf8'),
    compatibilityDate: '2026-11-01',
    compatibilityFlags: ['nodejs_compat'],
    d1Databases: { DB: 'chaos' },
    r2Buckets: { MEDIA: 'media' },
    bindings: {
      JWT_SECRET: 'a secret that only the tests know',
      WEBHOOK_SECRET: 'whsec_YSBrZXkgb2YgdHdlbnR5LWZvdXIgYnl0',
    },
    unsafeTriggerHandlers: true,
    resourcePersistencePath: folder,
    cf: false,
  }),
});
const origin = await miniflare.ready;
if (statements !== undefined) {
  const db = await miniflare.getD1Database('DB');
  await db.batch((JSON.parse(readFileSync(statements, 'utf8')) as string[]).map((sql) => db.prepare(sql)));
}
process.stdout.write(origin.origin);
