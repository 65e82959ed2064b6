/**
 * @module The name of a deleted user in a history of 60,000 versions.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { runCron } from '../../support/app.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { historyOf } from '../../support/former-versions.ts';
import { bearer } from '../../support/recorded.ts';
import { register } from '../../support/users.ts';
import { kindsRegistry, openKinds } from '../../support/worlds/kinds.ts';

const settings: SettingsInput = { history: true, roles: { authenticated: ['api::note.note.*'] } };
const counted = countedDatabase(env.DB);
const { client, send } = openKinds(settings, { DB: counted.database });
const VERSIONS = 60_000;
/** Of a run: twenty thousand versions, and next to nothing else. */
const MAX_READ = 25_000;

/** Stores versions by others. */
const store = () =>
  env.DB.prepare(`
    with recursive "version"(v) as (select 1 union all select v + 1 from "version" where v < ?1)
    insert into edgewise_history (type, document_id, locale, version, at, id, operation, actor, actor_id, actor_name, entry, size)
    select 'api::note.note', 'document' || v, '', 'published', ?2 + v, 'rev_' || v, 'update', 'user', 'other', 'Other', null, 0
    from "version"`)
    .bind(VERSIONS, Date.now() - VERSIONS)
    .run();

function rowsRead(): number {
  const read = [...counted.rowsRead.values()].reduce((sum, rows) => sum + rows, 0);
  counted.rowsRead.clear();
  return read;
}

const namesOf = async (name: string) =>
  (await env.DB.prepare('select count(*) as "count" from edgewise_history where actor_name = ?')
    .bind(name)
    .first('count')) ?? 0;

it('leaves its name to steps of bounded work, and no response shows it meanwhile', async () => {
  await store();
  const { jwt, user } = await register(send, 'ann');
  const { documentId } = await documentOf(clientOf(send, jwt).create('/api/notes', { title: 'by Ann' }));
  expect(await namesOf('ann')).toBe(1);
  rowsRead();
  const response = await send(`/api/users/${user.id}`, { method: 'DELETE', ...bearer('full') });
  expect(response.status).toBe(200);
  expect(rowsRead()).toBeLessThan(MAX_READ);
  expect(await namesOf('ann')).toBe(1);
  const versions = await historyOf(client, `/api/notes/${documentId}`);
  expect(versions.map(({ by }) => by.name)).toEqual([null]);
  let runs = 0;
  for (; (await namesOf('ann')) !== 0; runs += 1) {
    rowsRead();
    await runCron(kindsRegistry, settings, { DB: counted.database });
    const most = [...counted.rowsRead].toSorted(([, one], [, other]) => other - one).slice(0, 3);
    expect(rowsRead(), JSON.stringify(most)).toBeLessThan(MAX_READ);
  }
  expect(runs).toBe(3);
  await runCron(kindsRegistry, settings);
  expect(await env.DB.prepare('select count(*) as "count" from edgewise_tasks').first('count')).toBe(0);
  expect(await namesOf('Other')).toBe(VERSIONS);
});
