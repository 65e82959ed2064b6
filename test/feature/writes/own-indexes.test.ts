/**
 * @module Unique indexes that somebody has made in the database by hand: what they refuse is the caller's mistake, told
 * at once and by name, in a batch, too.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { errorOf } from '../../support/client.ts';
import { sendJson } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client, send } = openMagazine();

beforeAll(async () => {
  await env.DB.prepare('create unique index "own_weight" on "tags" ("weight")').run();
  await env.DB.prepare('create unique index "own_text" on "comments" (lower("text"))').run();
  await client.create('/api/tags', { name: 'first', weight: 7 });
  await client.create('/api/comments', { text: 'Once' });
});

it('a value that an index of its own refuses is a 400 of a batch, which names the request if only one can have the value', async () => {
  const create = (path: string, data: object) => ({ method: 'POST', path, body: { data } });
  const refused = (...requests: readonly object[]) =>
    errorOf(send('/api/batch', sendJson('POST', 'full', { requests })));
  const tag = create('/api/tags', { name: 'of a batch', weight: 7 });
  const comment = create('/api/comments', { text: 'Other' });
  const message = 'This attribute must be unique: tags.weight';
  const error = { status: 400, message, details: { errors: [expect.objectContaining({ path: ['weight'] })] } };
  expect(await refused(comment, tag)).toMatchObject({ ...error, details: { ...error.details, request: 1 } });
  const either = await refused(tag, create('/api/tags', { name: 'beside', weight: 70 }));
  expect(either).toMatchObject(error);
  expect(either.details).not.toHaveProperty('request');
  const once = create('/api/comments', { text: 'once' });
  const expression = { status: 400, message: 'This attribute must be unique: own_text' };
  expect(await refused(once)).toMatchObject({ ...expression, details: { request: 0 } });
  expect(await refused(comment, once)).toMatchObject(expression);
});
