/**
 * @module A version of the Worker beside a database whose stored values a later migration has moved.
 */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { ROTATE_STAMPS } from '../../../cli/core/sql/database.ts';
import { fenceSql, NOTE_CHECKED } from '../../../cli/core/sql/fence.ts';
import { runBatch } from '../../../cli/core/sql/statements.ts';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { runCron, serveRegistry } from '../../support/app.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { sendJson } from '../../support/recorded.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const TEXT = { type: 'string' };
const modelOf = (name: string, fences: readonly string[]) => {
  const types = [
    contentType(
      'story',
      { title: TEXT, part: { type: 'component', component: 'kit.part' } },
      { drafts: true, plural: 'stories' },
    ),
  ];
  return { ...registryOf(types, [component('kit.part', { [name]: TEXT, text: TEXT })]), fences };
};

const FENCE = '0002-1b2c3d4e';
const former = modelOf('old', []);
const later = modelOf('new', [FENCE]);
const { client: old, send } = openWorld(former);
const now = clientOf(serveRegistry(later), 'full');
const run = (...statements: readonly string[]) => runBatch(env.DB, statements);

/** As the migration of a rename does it. */
const migrate = () =>
  run(
    fenceSql(FENCE),
    `UPDATE stories SET part = json_set(json_remove(part, '$.old'), '$.new', part ->> '$.old')`,
    ROTATE_STAMPS,
  );

const UNAVAILABLE = { status: 503, retryAfter: '5' };
async function seen(response: Promise<Response>) {
  const { status, headers } = await response;
  return { status, retryAfter: headers.get('retry-after') };
}

let id: string;
beforeEach(async () => {
  await run('DELETE FROM edgewise_stamps', 'DELETE FROM stories', ROTATE_STAMPS);
  ({ documentId: id } = await documentOf(old.create('/api/stories', { title: 'A', part: { old: 'kept', text: 'a' } })));
});

describe('a version that does not know the last migration that moved values', () => {
  it('writes nothing, and says when to try again', async () => {
    await migrate();
    const part = { text: 'b' };
    expect(await seen(old.update(`/api/stories/${id}`, { part: { ...part, old: 'lost' } }))).toEqual(UNAVAILABLE);
    expect(await seen(old.update(`/api/stories/${id}`, { part }))).toEqual(UNAVAILABLE);
    expect(await seen(old.create('/api/stories', { part }))).toEqual(UNAVAILABLE);
    expect(await seen(old.remove(`/api/stories/${id}`))).toEqual(UNAVAILABLE);
    const requests = [{ method: 'PUT', path: `/api/stories/${id}`, body: { data: { part } } }];
    expect(await seen(send('/api/batch', sendJson('POST', 'full', { requests })))).toEqual(UNAVAILABLE);
    const { data } = (await (await now.get('/api/stories?populate=part')).json()) as { data: readonly object[] };
    expect(data).toMatchObject([{ documentId: id, part: { new: 'kept', text: 'a' } }]);
  });

  it('shows nothing, also of what it has cached', async () => {
    const etag = (await old.get(`/api/stories/${id}?populate=part`)).headers.get('etag') ?? '';
    await migrate();
    expect(await seen(old.get(`/api/stories/${id}?populate=part`))).toEqual(UNAVAILABLE);
    expect(await seen(old.get('/api/stories?populate=part'))).toEqual(UNAVAILABLE);
    const held = (await now.get(`/api/stories/${id}?populate=part`)).headers.get('etag') ?? '';
    for (const tag of [etag, held]) {
      const init = { headers: { authorization: 'Bearer full', 'if-none-match': tag } };
      expect((await send(`/api/stories/${id}?populate=part`, init)).status).not.toBe(304);
    }
  });

  it('shows no users and files either, which may have components and lead to documents', async () => {
    const paths = ['/api/users', '/api/users/count', '/api/upload/files', '/api/upload/files/page'];
    for (const path of paths) expect((await old.get(path)).status, path).toBe(200);
    await migrate();
    for (const path of [...paths, '/api/users/1', '/api/upload/files/1'])
      expect(await seen(old.get(path)), path).toEqual(UNAVAILABLE);
    expect((await now.get('/api/users')).status).toBe(200);
  });

  it('schedules nothing, and leaves what is due to the next version', async () => {
    const publish = `/api/stories/${id}/actions/publish`;
    const at = new Date(Date.now() + 60_000).toISOString();
    expect((await send(publish, sendJson('POST', 'full', { data: { at } }))).status).toBe(200);
    await migrate();
    expect(await seen(send(publish, sendJson('POST', 'full', { data: { at } })))).toEqual(UNAVAILABLE);
    await run('UPDATE edgewise_scheduled SET at = 1');
    await runCron(former);
    expect(await run('SELECT at, error FROM edgewise_scheduled')).toEqual([[{ at: 1, error: null }]]);
  });
});

describe('a version that knows it', () => {
  it('works with the database from before it, and with the one after it', async () => {
    expect((await now.update(`/api/stories/${id}`, { title: 'B' })).status).toBe(200);
    await migrate();
    expect((await now.update(`/api/stories/${id}`, { title: 'C' })).status).toBe(200);
    expect((await now.get(`/api/stories/${id}`)).status).toBe(200);
  });

  it('works whatever has rotated the stamps since', async () => {
    await migrate();
    await run(ROTATE_STAMPS, NOTE_CHECKED);
    expect((await now.update(`/api/stories/${id}`, { title: 'C' })).status).toBe(200);
    expect(await seen(old.update(`/api/stories/${id}`, { title: 'D' }))).toEqual(UNAVAILABLE);
  });
});

it('is accepted by every version once it was noted that the fence is checked', async () => {
  await run(NOTE_CHECKED);
  expect((await old.update(`/api/stories/${id}`, { title: 'B' })).status).toBe(200);
  expect((await old.get(`/api/stories/${id}`)).status).toBe(200);
});

it('is followed by a purge of the shared cache, once', async () => {
  const purged: string[][] = [];
  const purge = async ({ tags }: { tags: string[] }) => {
    purged.push(tags);
    return { success: true };
  };
  const settings: SettingsInput = {
    cache: { 'api::story.story': { maxAge: 60 } },
    roles: { public: ['api::story.story.find'] },
  };
  for (const _ of ['first', 'second']) {
    const context = Object.assign(createExecutionContext(), { cache: { purge } });
    await runCron(later, settings, {}, undefined, context as unknown as ExecutionContext);
  }
  expect(purged.map((tags) => tags.filter((tag) => tag.includes('story')))).toEqual([['api::story.story:published']]);
});
