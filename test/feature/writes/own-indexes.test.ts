/**
 * @module Unique indexes that somebody has made in the database by hand: what they refuse is the caller's mistake, told
 * at once and by name.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf, documentOf, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { serve } from '../../support/recorded.ts';
import { PASSWORD, post, register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();

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
