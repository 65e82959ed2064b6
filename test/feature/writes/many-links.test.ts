/**
 * @module A change of one link among many costs what it costs among few.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { LINK_STEP } from '../../../src/schema/names.ts';
import { type Client, clientOf, documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const FEW = 6;
const MANY = 6_000;
/** Rows that a write may read besides: neighbours that the shorter list does not have. Far fewer than there are. */
const MOST_MORE = 250;

const { client } = openMagazine();

beforeAll(async () => {
  const number = `with recursive n(i) as (select 1 union all select i + 1 from n where i <= ${MANY})`;
  await env.DB.prepare(
    `insert into tags (document_id, locale, published_at, created_at, updated_at, name) ${number} select 't' || i, '', 1, 1, 1, 'Tag ' || i from n`,
  ).run();
});

/** A published article with as many tags in both versions; the last tag is left to be connected. */
async function articleWith(count: number): Promise<string> {
  const { documentId } = await documentOf(
    client.create('/api/articles', { title: `With ${count}`, facts: [{ label: 'f' }] }),
  );
  const links = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;
  await env.DB.prepare(
    `insert into articles_tags_lnk ${links} select ?, 'en', 't' || i, '', "value", i * ${LINK_STEP}, ${LINK_STEP} * ${count} from n, json_each('["draft", "published"]')`,
  )
    .bind(documentId)
    .run();
  return documentId;
}

const sum = (rows: ReadonlyMap<string, number>): number => [...rows.values()].reduce((all, each) => all + each, 0);

/** What the requests of a client read and write, one after the other. */
async function costOf(write: (own: Client) => Promise<Response>) {
  const { database, rowsRead, rowsWritten } = countedDatabase(env.DB);
  const response = await write(clientOf(serve({}, { DB: database }), 'full'));
  expect(response.status).toBe(200);
  return { read: sum(rowsRead), written: sum(rowsWritten) };
}

const last = `t${MANY + 1}`;
const after = { documentId: 't3', position: { before: 't2' } };
const DRAFT = '?status=draft&fields=title';

type Write = readonly [string, (own: Client, article: string) => Promise<Response>];

const WRITES: readonly Write[] = [
  ['connecting one', (own, id) => own.update(`/api/articles/${id}${DRAFT}`, { tags: { connect: [last] } })],
  ['moving one', (own, id) => own.update(`/api/articles/${id}${DRAFT}`, { tags: { connect: [after] } })],
  ['disconnecting one', (own, id) => own.update(`/api/articles/${id}${DRAFT}`, { tags: { disconnect: [last] } })],
  [
    'connecting one from the other end',
    (own, id) => own.update(`/api/tags/${last}?fields=name`, { articles: { connect: [id] } }),
  ],
  [
    'disconnecting one from the other end',
    (own, id) => own.update(`/api/tags/${last}?fields=name`, { articles: { disconnect: [id] } }),
  ],
  ['changing a title', (own, id) => own.update(`/api/articles/${id}${DRAFT}`, { title: 'Another' })],
];

describe(`${MANY} links cost no more than ${FEW}`, () => {
  it('for writes of one among them', async () => {
    const [few, many] = [await articleWith(FEW), await articleWith(MANY)];
    for (const [title, write] of WRITES) {
      const [less, more] = [await costOf((own) => write(own, few)), await costOf((own) => write(own, many))];
      expect([title, more.written]).toEqual([title, less.written]);
      expect([title, more.read]).toEqual([
        title,
        expect.toSatisfy((rows) => rows <= less.read + MOST_MORE, `near ${less.read}`),
      ]);
    }
  });

  it('for reads that ask for rows behind few of them', async () => {
    const number = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${MANY})`;
    await env.DB.prepare(
      `insert into articles_author_lnk ${number} select 's' || i, 'en', 'unknown', '', 'published', 1, 1 from n`,
    ).run();
    const author = await documentOf(client.create('/api/authors', { name: 'Known' }));
    await documentOf(client.create('/api/articles', { title: 'Hers', author: author.documentId }));
    const { read } = await costOf((own) => own.get('/api/articles?filters[author][name]=Known&fields=title'));
    expect(read).toBeLessThan(MOST_MORE);
  });

  it('in what a publication writes', async () => {
    const [few, many] = [await articleWith(FEW), await articleWith(MANY)];
    const publish = (id: string) =>
      costOf((own) => own.update(`/api/articles/${id}?fields=title`, { tags: { connect: [last] } }));
    const [less, more] = [await publish(few), await publish(many)];
    expect(more.written).toBe(less.written);
  });

  it('and finds room between two neighbours as often as it is asked to', async () => {
    const id = await articleWith(FEW);
    const order = async () =>
      (
        (await documentOf(client.get(`/api/articles/${id}?populate=tags&status=draft`))).tags as {
          documentId: string;
        }[]
      ).map(({ documentId }) => documentId);
    for (let tag = 10; tag < 60; tag += 1) {
      const connect = [{ documentId: `t${tag}`, position: { after: 't2' } }];
      await documentOf(client.update(`/api/articles/${id}${DRAFT}`, { tags: { connect } }));
    }
    const between = Array.from({ length: 50 }, (_, index) => `t${59 - index}`);
    expect(await order()).toEqual(['t1', 't2', ...between, 't3', 't4', 't5', 't6']);
  });
});
