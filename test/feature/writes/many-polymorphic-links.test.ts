/**
 * @module Ten thousand links of a polymorphic relation are written in as few round trips and statements as four.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { clientOf, documentOf, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { openShop, target } from '../../support/worlds/shop.ts';

const { client, serve } = openShop();

const MANY = 10_000;
const MAX_SQL = 100_000;
const MAX_ROWS_PER_LINK = 40;
/** Around one link, of each of some 20 types. */
const MAX_ROWS_NEAR = 1_000;

/** The batches of a request, each with a bounded number of statements of bounded length. */
async function batchesOf(write: (own: ReturnType<typeof clientOf>) => Promise<Response>) {
  const { database, answering, batches, rowsRead } = countedDatabase(env.DB);
  const settings = { api: { rest: { limits: { bodyEntries: MANY } } } };
  const response = await write(clientOf(serve(settings, { DB: database }), 'full'));
  const texts = batches.flat();
  const read = [...rowsRead.values()].reduce((sum, each) => sum + each, 0);
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(MAX_SQL);
  return { status: response.status, trips: answering().length, statements: texts.length, read };
}

it(`${MANY} links in one body, and one more, take two round trips`, async () => {
  const number = `with recursive n(i) as (select 1 union all select i + 1 from n where i <= ${MANY})`;
  for (const [table, parity] of [
    ['shops', 0],
    ['vaults', 1],
  ] as const)
    await env.DB.prepare(
      `insert into ${table} (document_id, locale, published_at, created_at, updated_at, name) ${number} select 't' || i, '', 1, 1, 1, 'n' from n where i % 2 = ${parity}`,
    ).run();
  const at = (index: number) => ({
    __type: index % 2 === 0 ? 'api::shop.shop' : 'api::vault.vault',
    documentId: `t${index}`,
  });
  const all = Array.from({ length: MANY }, (_, index) => at(index + 1));
  const menu = await target(client, 'menu', { title: 'Many' });
  const path = `/api/menus/${menu.documentId}`;
  const few = await batchesOf((own) => own.update(path, { items: all.slice(0, 4) }));
  expect((await errorOf(client.update(path, { items: all }))).details).toMatchObject({ limit: 'bodyEntries' });
  const many = await batchesOf((own) => own.update(path, { items: all }));
  expect(many).toMatchObject({ status: 200, trips: few.trips, statements: few.statements });
  expect(many.read).toBeLessThan(MANY * MAX_ROWS_PER_LINK);
  const one = await batchesOf((own) => own.update(path, { items: { connect: [at(MANY + 1)] } }));
  expect(one).toMatchObject({ status: 200 });
  expect(one.trips).toBeLessThanOrEqual(2);
  const draft = await batchesOf((own) =>
    own.update(`${path}?status=draft`, { items: { connect: [{ ...at(MANY + 1), position: { after: 't1' } }] } }),
  );
  expect(draft).toMatchObject({ status: 200 });
  expect(draft.trips).toBeLessThanOrEqual(2);
  expect(draft.read).toBeLessThan(MAX_ROWS_NEAR);
  const gone = await batchesOf((own) => own.update(`${path}?status=draft`, { items: { disconnect: [at(MANY)] } }));
  const back = await batchesOf((own) => own.update(`/api/shops/t${MANY}`, { items: { connect: [menu.documentId] } }));
  for (const { status, read } of [gone, back]) {
    expect(status).toBe(200);
    expect(read).toBeLessThan(MAX_ROWS_NEAR);
  }
  const last = await env.DB.prepare(
    `select "target_document_id" as "id" from "menus_items_mph" where "status" = 'draft' order by "position" desc limit 1`,
  ).first();
  expect(last).toEqual({ id: `t${MANY}` });
  const count = await documentOf(client.get(`${path}?populate[items][count]=true`));
  expect(count.items).toEqual({ count: MANY + 1 });
});
