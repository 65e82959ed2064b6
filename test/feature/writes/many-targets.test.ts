/**
 * @module A relation to ten thousand documents, or a thousand in the short tier: written whole, in order, and kept so.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ApiDocument, clientOf, documentOf, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { everything } from '../../support/everything.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { recordedRegistry, serve } from '../../support/recorded.ts';
import { samplesOf } from '../../support/tier.ts';
import { openMagazine } from '../../support/world.ts';

const COUNT = samplesOf(10_000);
const timeout = 240_000;
const tags = Array.from({ length: COUNT }, (_, index) => `tag${index}`);
const settings = { api: { rest: { limits: { bodyEntries: 2 * COUNT } } } };
const { client } = openMagazine(settings);
let path = '';

beforeAll(async () => {
  await client.get('/api/tags');
  await env.DB.batch([
    env.DB.prepare(
      `insert into tags (document_id, locale, published_at, created_at, updated_at, name) select value, '', 1, 1, 1, value from json_each(?)`,
    ).bind(JSON.stringify(tags)),
    env.DB.prepare(`insert into edgewise_counters values ('api::tag.tag', '', 'published', ?)`).bind(COUNT),
  ]);
});

beforeEach(async () => {
  path = `/api/articles/${(await documentOf(client.create('/api/articles', { title: 'Of many' }))).documentId}`;
});

/** The tags of the article, in their order. */
async function connected(status = 'published'): Promise<readonly string[]> {
  const document = await documentOf(client.get(`${path}?status=${status}&populate[tags][fields]=name`));
  return (document.tags as ApiDocument[]).map(({ documentId }) => documentId);
}

const whole = async () => expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);

describe('thousands of targets', { timeout }, () => {
  it('are refused when the last of them is no document', async () => {
    const before = await everything(recordedRegistry);
    const { status, message } = await errorOf(client.update(path, { tags: { connect: [...tags, 'nobody'] } }));
    expect({ status, message }).toEqual({ status: 400, message: 'Document with id "nobody", locale "null" not found' });
    expect(await everything(recordedRegistry)).toEqual(before);
  });

  it('that are no rows are counted in one refusal', async () => {
    const connect = tags.map((_, index) => 1_000_000 + index);
    const { status, message } = await errorOf(client.update(path, { tags: { connect } }));
    expect(status).toBe(400);
    expect(message).toBe(`${COUNT} relation(s) of type api::tag.tag associated with this entity do not exist`);
  });

  it('are connected in order, in two round trips', async () => {
    const counted = countedDatabase(env.DB);
    const response = await clientOf(serve(settings, { DB: counted.database }), 'full').update(path, {
      tags: { connect: tags },
    });
    expect(response.status).toBe(200);
    expect(counted.answering()).toHaveLength(2);
    expect(await connected()).toEqual(tags);
    expect(await connected('draft')).toEqual(tags);
    await whole();
  });

  it('are connected one after the other at the start', async () => {
    const connect = tags.map((documentId) => ({ documentId, position: { start: true } }));
    expect((await client.update(path, { tags: { connect } })).status).toBe(200);
    expect(await connected()).toEqual(tags.toReversed());
  });

  it('lose every other of them', async () => {
    await client.update(path, { tags });
    const disconnect = tags.filter((_, index) => index % 2 === 0);
    expect((await client.update(path, { tags: { disconnect } })).status).toBe(200);
    expect(await connected()).toEqual(tags.filter((_, index) => index % 2 === 1));
    await whole();
  });

  it('are counted, and gone when their document is', async () => {
    await client.update(path, { tags });
    expect((await documentOf(client.get(`${path}?populate[tags][count]=true`))).tags).toEqual({ count: COUNT });
    expect((await client.remove(path)).status).toBe(204);
    const links = env.DB.prepare('select count(*) as n from articles_tags_lnk where source_document_id = ?');
    expect(await links.bind(path.split('/').at(-1)).first('n')).toBe(0);
    await whole();
  });
});
