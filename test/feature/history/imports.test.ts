/**
 * @module An import in the place of content that has a history: the first write after it keeps what was imported.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { GROUPS } from '../../../cli/core/archive/groups.ts';
import { beginStatements, clearStatements, type Marker } from '../../../cli/import/marker.ts';
import { documentOf } from '../../support/client.ts';
import { historyOf } from '../../support/former-versions.ts';
import { bearer } from '../../support/recorded.ts';
import { registryOf } from '../../support/schema-files.ts';
import { openKinds } from '../../support/worlds/kinds.ts';

/** Their tables would be empty. */
const NO_TYPES = registryOf([]);
const { client, send } = openKinds({ history: true });

/** The versions, each with its title then. */
async function titlesOf(path: string): Promise<readonly string[]> {
  const titles = (await historyOf(client, path)).map(
    async ({ operation, revision }) =>
      `${operation} ${(await documentOf(client.get(`${path}/history/${revision}`))).title}`,
  );
  return Promise.all(titles);
}

const marker: Marker = {
  ...{ archive: 'a', groups: GROUPS, name: 'backup.tar.gz', mode: 'replace', stage: 'clear', done: 0 },
  ...{ startedAt: Date.now(), finishedAt: null },
};

/** What an import writes: the marker, and rows with the times of the archive. */
async function importInto(table: string, title: string, startedAt = Date.now()): Promise<void> {
  const begun = [...beginStatements({ ...marker, startedAt }, [marker]), ...clearStatements(NO_TYPES, startedAt)];
  await env.DB.batch(begun.map(({ sql, params }) => env.DB.prepare(sql).bind(...params)));
  await env.DB.prepare(`update "${table}" set title = ?, created_at = 1, updated_at = 2`).bind(title).run();
}

it.each([
  ['notes', 'note'],
  ['places', 'place'],
])('an update of imported content of %s keeps it, and only the first one does', async (table) => {
  const path = `/api/${table}/${(await documentOf(client.create(`/api/${table}`, { title: 'one' }))).documentId}`;
  await documentOf(client.update(path, { title: 'two' }));
  await importInto(table, 'imported');
  for (const title of ['three', 'four']) await documentOf(client.update(path, { title }));
  const before = ['before imported', 'update two', 'create one'];
  expect(await titlesOf(path)).toEqual(['update four', 'update three', ...before]);
  // Of a machine whose clock is ahead.
  await importInto(table, 'imported again', Date.now() + 600_000);
  for (const title of ['five', 'six']) await documentOf(client.update(path, { title }));
  const [six, five, ...rest] = await titlesOf(path);
  expect([six, five]).toEqual(['update six', 'update five']);
  expect(rest.filter((each) => each.startsWith('before'))).toEqual(['before imported again', 'before imported']);
});

it('an import that has deleted nothing yet leaves the last version the one of its document', async () => {
  const path = `/api/notes/${(await documentOf(client.create('/api/notes', { title: 'one' }))).documentId}`;
  const begun = beginStatements({ ...marker, startedAt: Date.now() + 60_000 }, [marker]);
  await env.DB.batch(begun.map(({ sql, params }) => env.DB.prepare(sql).bind(...params)));
  await documentOf(client.update(path, { title: 'two' }));
  expect(await titlesOf(path)).toEqual(['update two', 'create one']);
});

it('an import is no version of a single type', async () => {
  await documentOf(client.update('/api/home?status=draft', { title: 'one' }));
  await importInto('homes', 'imported');
  const operations = (await historyOf(client, '/api/home')).map(({ operation }) => operation);
  expect(operations).not.toEqual([]);
  expect(operations).not.toContain('import');
});

it('an import is no change of a document', async () => {
  await importInto('notes', 'imported');
  for (const search of ['', '?operation=before,update,create']) {
    const changes = await historyOf(client, '/api', search);
    expect(changes).not.toEqual([]);
    expect(changes.filter(({ type, operation }) => !type || operation === 'import')).toEqual([]);
  }
  expect((await send('/api/history?operation=import', bearer('full'))).status).toBe(400);
});
