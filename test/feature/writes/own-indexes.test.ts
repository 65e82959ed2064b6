/**
 * @module Unique indexes that somebody has made in the database by hand: what they refuse is the caller's mistake, told
 * at once and by name.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf, documentOf, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { sendJson, serve } from '../../support/recorded.ts';
import { PASSWORD, post, register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const { client, send } = openMagazine();

beforeAll(async () => {
  await env.DB.prepare('create unique index "own_weight" on "tags" ("weight")').run();
  await env.DB.prepare('create unique index "own_text" on "comments" (lower("text"))').run();
  await client.create('/api/tags', { name: 'first', weight: 7 });
  await client.create('/api/comments', { text: 'Once' });
});

describe('a value that an index of its own refuses', () => {
  it('is a 400 that names the attribute', async () => {
    expect(await errorOf(client.create('/api/tags', { name: 'second', weight: 7 }))).toEqual({
      status: 400,
      name: 'ValidationError',
      message: 'This attribute must be unique: tags.weight',
      details: {
        errors: [
          {
            path: ['weight'],
            message: 'This attribute must be unique: tags.weight',
            name: 'ValidationError',
            value: 7,
          },
        ],
      },
    });
  });

  it('is a 400 that names the index where that is over an expression', async () => {
    const error = await errorOf(client.create('/api/comments', { text: 'ONCE' }));
    expect(error).toMatchObject({ status: 400, message: 'This attribute must be unique: own_text' });
  });

  it('is refused in an update too, and changes nothing', async () => {
    const { documentId } = await documentOf(client.create('/api/tags', { name: 'third', weight: 8 }));
    expect((await client.update(`/api/tags/${documentId}`, { name: 'changed', weight: 7 })).status).toBe(400);
    expect(await documentOf(client.get(`/api/tags/${documentId}`))).toMatchObject({ name: 'third', weight: 8 });
  });

  it('is a 400 of a batch, which names the request if only one can have the value', async () => {
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

  it('is not tried ten times', async () => {
    const counted = countedDatabase(env.DB);
    await clientOf(serve({}, { DB: counted.database }), 'full').create('/api/tags', { name: 'fourth', weight: 7 });
    expect(counted.answering()).toHaveLength(2);
  });
});

it('a name that an index of its own refuses is a 400 for who registers, and makes no user', async () => {
  await env.DB.prepare('create unique index "own_name" on "up_users" (lower("username"))').run();
  const send = serve({ users: { caseSensitiveNames: true } });
  await register(send, 'casey');
  const body = { username: 'Casey', email: 'other@example.com', password: PASSWORD };
  const error = await errorOf(post(send, '/api/auth/local/register', body));
  expect(error).toMatchObject({ status: 400, message: 'This attribute must be unique: own_name' });
  expect(await env.DB.prepare('select count(*) as "users" from "up_users"').first()).toEqual({ users: 1 });
});
