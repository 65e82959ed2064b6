/**
 * @module Apps over a database in memory, in Node: requests of the public, and what they ask of the database.
 */
import { contentActions } from '../../src/access/actions.ts';
import { createApp } from '../../src/app.ts';
import { createDeployment } from '../../src/deployment.ts';
import type { Registry } from '../../src/schema/model.ts';
import { parseSettings, type SettingsInput } from '../../src/schema/settings/config.ts';
import { countedDatabase } from './counted-database.ts';
import { type MemoryDatabase, memoryDatabase } from './memory-database.ts';
import { createSchemaSql } from './schema-sql.ts';

type Send = (method: string, path: string, body?: unknown) => Promise<Response>;

export interface MemoryWorld extends Pick<MemoryDatabase, 'sqlite'> {
  readonly counted: ReturnType<typeof countedDatabase>;
  /** The public may do everything unless settings say otherwise, so that no statement is of a credential. */
  serve(settings?: SettingsInput): Send;
}

export async function memoryWorld(registry: Registry): Promise<MemoryWorld> {
  const { db, sqlite } = memoryDatabase();
  for (const statement of await createSchemaSql(registry)) sqlite.exec(statement);
  const counted = countedDatabase(db);
  const env = { DB: counted.database, MEDIA: {}, JWT_SECRET: 'x'.repeat(40) } as unknown as Env;
  return {
    sqlite,
    counted,
    serve(settings = {}) {
      const open = { roles: { public: [...contentActions(registry)] }, api: { rest: { publicDrafts: true } } };
      const app = createApp(createDeployment({ registry, settings: parseSettings({ ...open, ...settings }) }));
      return async (method, path, body) => {
        const headers = { 'content-type': 'application/json' };
        const sent = body === undefined ? {} : { body: JSON.stringify(body) };
        const request = new Request(`http://edgewise.test/api/${path}`, { method, headers, ...sent });
        const later: Promise<unknown>[] = [];
        const context = { waitUntil: (work: Promise<unknown>) => later.push(work), passThroughOnException() {} };
        const response = await app.fetch(request, env, context as unknown as ExecutionContext);
        await Promise.all(later);
        return response;
      };
    },
  };
}
