/**
 * @module What lists, restorations and pruning read when a history has 20,000 versions.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Statement } from '../../../src/content/sql/statement.ts';
import { deleteBefore, deleteBeyond } from '../../../src/features/history/sql/prune.ts';
import { documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { historyOf } from '../../support/former-versions.ts';
import { sendJson } from '../../support/recorded.ts';
import { openKinds } from '../../support/worlds/kinds.ts';

const { client: own, serve } = openKinds({ history: true });
const DAY = 86_400_000;
const BYTES = 100;

/** Stores versions of many documents; the first half of each is older than a hundred days. */
const store = (documents: number, versions: number) =>
  env.DB.prepare(`
    with recursive "document"(d) as (select 1 union all select d + 1 from "document" where d < ?1),
      "version"(v) as (select 1 union all select v + 1 from "version" where v < ?2)
    insert or replace into edgewise_history (type, document_id, locale, version, at, id, operation, actor, entry, size)
    select 'api::note.note', 'document' || d, '', 'published', ?3 + v * 1000 + d, 'rev_' || d || '_' || v, 'update', 'code', null, ?4
    from "document", "version"`)
    .bind(documents, versions, Date.now() - 100 * DAY, BYTES)
    .run();

describe('a document with a history', () => {
  /** Returns how many rows a request reads. */
  async function rowsReadBy(request: string, init?: RequestInit): Promise<number> {
    const counted = countedDatabase(env.DB);
    const send = serve({}, { DB: counted.database });
    expect((await send(request, init ?? { headers: { authorization: 'Bearer full' } })).status).toBe(200);
    return [...counted.rowsRead.values()].reduce((sum, rows) => sum + rows, 0);
  }

  it('is listed, shown, changed and restored with as many rows read beside 20,000 versions as beside 1,000', async () => {
    const { documentId } = await documentOf(own.create('/api/notes', { title: 'First' }));
    const path = `/api/notes/${documentId}`;
    async function measure() {
      const revision = (await historyOf(own, path)).at(-1)?.revision;
      return [
        await rowsReadBy(`${path}/history`),
        await rowsReadBy(`${path}/history/${revision}`),
        await rowsReadBy(`${path}/actions/restore`, sendJson('POST', 'full', { data: { revision } })),
        await rowsReadBy(path, sendJson('PUT', 'full', { data: { title: 'Next' } })),
      ];
    }
    await store(1_000, 1);
    // As many versions as are kept.
    for (let count = 0; count < 10; count += 1) await measure();
    const alone = await measure();
    await store(1_000, 20);
    expect(await measure()).toEqual(alone);
  });

  it('stands in the list of the last changes, which reads a page of all versions', async () => {
    expect(await rowsReadBy('/api/history')).toBeLessThan(300);
  });
});

describe('pruning', () => {
  const rowsRead = async ({ sql, params }: Statement) =>
    (
      await env.DB.prepare(sql)
        .bind(...params)
        .run()
    ).meta.rows_read;
  const count = async () =>
    (await env.DB.prepare('select count(*) as "count" from edgewise_history').first('count')) as number;
  const ago = (days: number) => Date.now() - days * DAY;

  it('of what is too old reads what it deletes, beside older versions that stay', async () => {
    const before = await count();
    const limits = [
      ['api::topic.topic', Date.now()],
      ['api::note.note', ago(90)],
    ] as const;
    expect(await rowsRead(deleteBefore(limits))).toBeLessThan(10_000);
    expect(await count()).toBe(before - 1_000);
    expect(
      await rowsRead(
        deleteBefore([
          ['api::topic.topic', Date.now()],
          ['api::note.note', ago(200)],
        ]),
      ),
    ).toBeLessThan(10);
    expect(await count()).toBe(before - 1_000);
  });

  it('of what is too much deletes a thousand of the oldest, and no more than what is too much', async () => {
    const before = await count();
    const bytes = (await env.DB.prepare('select sum(size) as bytes from edgewise_history').first('bytes')) as number;
    await rowsRead(deleteBeyond(bytes - 1_500 * BYTES));
    expect(await count()).toBe(before - 1_000);
    await rowsRead(deleteBeyond(bytes - 1_500 * BYTES));
    expect(await count()).toBe(before - 1_500);
  });

  it('of what is not too much reads a running total', async () => {
    expect(await rowsRead(deleteBeyond(1_000_000_000))).toBeLessThan(5);
  });
});
