/**
 * @module A restoration that would pass the statements of an invocation.
 */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { MAX_STATEMENTS } from '../../../src/common/d1-limits.ts';
import { createDeployment } from '../../../src/deployment.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { historyOf } from '../../support/former-versions.ts';
import { bearer, sendJson } from '../../support/recorded.ts';
import { kindsRegistry, openKinds } from '../../support/worlds/kinds.ts';

const settings = { history: true } as const;
const { client: full } = openKinds(settings);
const counted = countedDatabase(env.DB);
const app = createApp(createDeployment({ registry: kindsRegistry, settings: parseSettings(settings) }));

it('fails at the limit of statements without reading the version again', async () => {
  const { documentId } = await documentOf(full.create('/api/notes', { title: 'A' }));
  const path = `/api/notes/${documentId}`;
  await documentOf(full.update(path, { title: 'B' }));
  const revision = (await historyOf(full, path)).at(-1)?.revision;
  const context = createExecutionContext();
  const sent = async (address: string, init?: RequestInit) => {
    const before = counted.batches.length;
    const request = new Request(`http://edgewise.test${address}`, init);
    const { status } = await app.fetch(request, { ...env, DB: counted.database }, context);
    return { status, statements: counted.batches.slice(before).map((batch) => batch.length) };
  };
  const restore = () => sent(`${path}/actions/restore`, sendJson('POST', 'full', { data: { revision } }));
  const total = () => counted.batches.flat().length;
  const { status, statements } = await restore();
  expect(status).toBe(200);
  const needed = total();
  // Room for all but a part of the last batch, which is longer than the reads before it.
  for (let index = 0; total() < MAX_STATEMENTS - needed; index += 1)
    await sent(`/api/notes?filters[title]=${index}`, bearer('full'));
  expect(await restore()).toEqual({ status: 503, statements: statements.slice(0, -1) });
  await waitOnExecutionContext(context);
});
