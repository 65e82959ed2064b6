/**
 * @module The statements that D1 runs for one invocation of a Worker, counted before they are sent.
 */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { createDeployment } from '../../../src/deployment.ts';
import type { AnyExtensions, Extensions } from '../../../src/features/own-code/extension-types.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer, sendJson } from '../../support/recorded.ts';
import { kindsRegistry, openKinds } from '../../support/worlds/kinds.ts';
import type { CollectionType } from '../code/generated-types.ts';

openKinds();
const MAX = 1_000;
const EXHAUSTED = {
  status: 503,
  name: 'ServiceUnavailableError',
  message: 'The request takes more than 1000 statements of the database, retries included',
  details: { limit: 'statements' },
};

const counted = countedDatabase(env.DB);
const sent = () => counted.batches.flat().length;

interface Types {
  topics: CollectionType<'api::topic.topic', { id: number; documentId: string; name: string | null }, { name: string }>;
}

const extensions = {
  routes(app) {
    app.get('/topics/all', async (context) => {
      const { asSystem } = context.get('documents');
      for (let index = 0; index < MAX; index += 1)
        await asSystem('api::topic.topic').create({ data: { name: String(index) } });
      return context.json({});
    });
  },
} satisfies Extensions<Types> as AnyExtensions;
const app = createApp(createDeployment({ registry: kindsRegistry, settings: parseSettings({}), extensions }));

/** Sends requests as one invocation. */
async function invoke<T>(
  work: (send: (path: string, init?: RequestInit) => Promise<Response>) => Promise<T>,
): Promise<T> {
  const context = createExecutionContext();
  const bindings = { ...env, DB: counted.database };
  const result = await work(async (path, init) =>
    app.fetch(new Request(`http://edgewise.test${path}`, init), bindings, context),
  );
  await waitOnExecutionContext(context);
  return result;
}

it('own code gets a 503 that says so before it passes 1,000 statements', async () => {
  const before = sent();
  const response = await invoke((send) => send('/topics/all'));
  expect(response.headers.get('retry-after')).toBe('1');
  expect(await errorOf(Promise.resolve(response))).toEqual(EXHAUSTED);
  expect(sent() - before).toBeGreaterThan(MAX - 20);
  expect(sent() - before).toBeLessThanOrEqual(MAX);
});

it('requests of tools count together, and what none of them may do is not begun', async () => {
  const topics = () => env.DB.prepare('select count(*) as "n" from "topics"').first('n');
  const before = sent();
  const [refused, rows] = await invoke(async (send) => {
    for (;;) {
      const earlier = await topics();
      const response = await send('/api/topics', sendJson('POST', 'full', { data: { name: 'A' } }));
      if (response.status !== 200) return [response, earlier] as const;
    }
  });
  expect(await errorOf(Promise.resolve(refused))).toEqual(EXHAUSTED);
  expect(await topics()).toBe(rows);
  expect(sent() - before).toBeLessThanOrEqual(MAX);
  const later = await invoke((send) => send('/api/topics', bearer('full')));
  expect(later.status).toBe(200);
});
