/**
 * @module A write is done whole or not at all.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { type ApiDocument, documentOf } from '../../support/client.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();

async function rowsOf(table: string): Promise<unknown[]> {
  const { results } = await env.DB.prepare(`select * from "${table}" order by "id"`).all();
  return results;
}

async function everything(): Promise<unknown> {
  const tables = ['issues', 'tags', 'edgewise_counters'];
  const ordered = { issues: 'id', tags: 'id', edgewise_counters: 'type' } as const;
  return Promise.all(
    tables.map(async (table) => {
      const key = ordered[table as keyof typeof ordered];
      return (await env.DB.prepare(`select * from "${table}" order by "${key}", "locale"`).all()).results;
    }),
  );
}

const issue = (data: object, status = ''): Promise<ApiDocument> =>
  documentOf(client.create(`/api/issues${status}`, { title: 'Whole', ...data }));

describe('a publication that is refused', () => {
  it('leaves the draft as it was', async () => {
    const { documentId } = await issue({ number: 1 });
    const before = await rowsOf('issues');
    const refused = await client.update(`/api/issues/${documentId}`, { title: null, releaseDate: '2024-01-01' });
    expect(refused.status).toBe(400);
    expect(await rowsOf('issues')).toEqual(before);
  });

  it('leaves nothing of a document that was to be created', async () => {
    const before = await everything();
    expect((await client.create('/api/issues', { title: 'No number' })).status).toBe(400);
    expect((await client.create('/api/issues', { title: 'Bad date', number: 2, releaseDate: 'soon' })).status).toBe(
      400,
    );
    expect(await everything()).toEqual(before);
  });
});

describe('a batch that fails in the database', () => {
  it('leaves nothing of its first statements', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    await env.DB.prepare(
      `create trigger "broken" before insert on "issues" when new."published_at" is not null and new."title" = 'Broken' begin select raise(abort, 'broken'); end`,
    ).run();
    const { documentId } = await issue({ number: 3 });
    const before = await everything();
    expect((await client.update(`/api/issues/${documentId}`, { title: 'Broken' })).status).toBe(500);
    expect((await client.create('/api/issues', { title: 'Broken', number: 4 })).status).toBe(500);
    expect(await everything()).toEqual(before);
  });

  it('leaves nothing when the value was taken meanwhile', async () => {
    const answers = await Promise.all(
      [5, 5, 5].map((number) => client.create('/api/issues', { title: 'Twin', number })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const twins = (await rowsOf('issues')).filter((row) => (row as { title: string }).title === 'Twin');
    expect(twins).toHaveLength(2);
  });
});

describe('updates of one document at the same time', () => {
  it('lose nothing: each changes its own attribute', async () => {
    const { documentId } = await documentOf(client.create('/api/tags', { name: 'contended' }));
    const path = `/api/tags/${documentId}`;
    const changes = [{ color: 'red' }, { weight: 7 }, { name: 'settled' }];
    const answers = await Promise.all(changes.map((change) => client.update(path, change)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await documentOf(client.get(path))).toMatchObject({ color: 'red', weight: 7, name: 'settled' });
  });

  it('leave draft and published version alike', async () => {
    const { documentId } = await issue({ number: 6 });
    const path = `/api/issues/${documentId}`;
    await Promise.all([1, 2, 3].map((day) => client.update(path, { releaseDate: `2024-01-0${day}` })));
    const live = await documentOf(client.get(path));
    const draft = await documentOf(client.get(`${path}?status=draft`));
    expect(live.releaseDate).toBe(draft.releaseDate);
  });
});
