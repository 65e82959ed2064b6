/**
 * @module Scheduled publications on a database that fails: what is kept, what is reported, what is tried again.
 */
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runCron } from '../../support/app.ts';
import { documentOf, documentsOf, errorOf } from '../../support/client.ts';
import { legibleDatabase, legibleSession } from '../../support/legible-session.ts';
import { sendJson } from '../../support/recorded.ts';
import { kindsRegistry, openKinds } from '../../support/worlds/kinds.ts';

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

const { client: full, send } = openKinds();
const log = vi.spyOn(console, 'error');

/** Lets statements fail until the test ends. */
const fail = (statement: string, message: string) =>
  env.DB.prepare(`create trigger failing before ${statement} begin select raise(abort, '${message}'); end`).run();

async function schedule(title: string): Promise<string> {
  const { documentId } = await documentOf(full.create('/api/pages?status=draft', { title }));
  const path = `/api/pages/${documentId}/actions/publish`;
  const { id } = await documentOf(send(path, sendJson('POST', 'full', { data: { at: TOMORROW } })));
  return String(id);
}

/** Lets the entries be due in turn, and runs the cron trigger. @returns how many batches it had open at once at most */
async function runInTurn(...ids: readonly string[]): Promise<number> {
  const due = env.DB.prepare('update edgewise_scheduled set "at" = ? where "id" = ?');
  await env.DB.batch(ids.map((id, index) => due.bind(index + 1, id)));
  let [open, most] = [0, 0];
  const database = legibleDatabase((constraint) => {
    const session = env.DB.withSession(constraint);
    return legibleSession(session, async (statements) => {
      open += 1;
      most = Math.max(most, open);
      return session.batch(statements).finally(() => {
        open -= 1;
      });
    });
  });
  await runCron(kindsRegistry, {}, { DB: database });
  return most;
}

beforeEach(() => {
  log.mockReturnValue();
});

afterEach(async () => {
  log.mockReset();
  await env.DB.prepare('drop trigger if exists failing').run();
  await env.DB.prepare('delete from edgewise_scheduled').run();
});

describe('a run', () => {
  it.each([
    ['an odd failure', [{ at: null, error: 'Internal Server Error' }], 1],
    ['Network connection lost', [{ at: '1970-01-01T00:00:00.001Z', error: null }], 1],
    ['D1 DB is overloaded', [{ at: '1970-01-01T00:00:00.001Z', error: null }], 0],
  ])('goes on after a publication that fails by "%s"', async (message, left, reports) => {
    const [failing, other] = [await schedule('failing'), await schedule('other')];
    await fail(`insert on pages when new.title = 'failing'`, message);
    expect(await runInTurn(failing, other)).toBe(1);
    expect(await documentsOf(full.get('/api/scheduled'))).toMatchObject(left.map((each) => ({ id: failing, ...each })));
    expect(log).toHaveBeenCalledTimes(reports);
    if (reports > 0) expect(log.mock.calls.join()).toContain(`"scheduled":true,"message":"Error: D1_ERROR: ${message}`);
  });

  it('reports no document that cannot be published', async () => {
    const { documentId } = await documentOf(full.create('/api/pages?status=draft', {}));
    const path = `/api/pages/${documentId}/actions/publish`;
    const { id } = await documentOf(send(path, sendJson('POST', 'full', { data: { at: TOMORROW } })));
    expect(await runInTurn(String(id))).toBe(1);
    expect(await documentsOf(full.get('/api/scheduled'))).toMatchObject([{ at: null }]);
    expect(log).not.toHaveBeenCalled();
  });
});

describe('a request', () => {
  it.each(['insert', 'delete'])('is a 500, and no 404, where the database fails at its %s', async (verb) => {
    const id = await schedule('kept');
    const { documentId } = await documentOf(full.create('/api/pages?status=draft', { title: 'other' }));
    await fail(`${verb} on edgewise_scheduled`, 'an odd failure');
    const publish = `/api/pages/${documentId}/actions/publish`;
    const response =
      verb === 'insert'
        ? send(publish, sendJson('POST', 'full', { data: { at: TOMORROW } }))
        : full.remove(`/api/scheduled/${id}`);
    expect((await errorOf(response)).status).toBe(500);
    expect(await documentsOf(full.get('/api/scheduled'))).toMatchObject([{ id }]);
  });
});
