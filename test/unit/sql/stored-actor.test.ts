/**
 * @module Who makes a write: the maker that a schedule keeps, and the kind, id and name that an entry of the history keeps.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { toStatement } from '../../../src/content/sql/render.ts';
import { type Actor, makerOf, storedActor } from '../../../src/content/sql/write/stored-actor.ts';

const sqlite = new DatabaseSync(':memory:');
sqlite.exec(`
  create table up_users (id integer primary key, username text);
  create table strapi_api_tokens (document_id text, access_key text, name text, published_at integer);
  insert into up_users values (7, 'Ann');
  insert into strapi_api_tokens values ('robot', 'key', 'Draft', null), ('robot2', 'key2', 'Robot', 1);
`);

function storedAs(actor: Actor) {
  const { kind, id, name } = storedActor(actor);
  const { sql: text, params } = toStatement(sql`select ${id} as "id", ${name} as "name", ${makerOf(actor)} as "maker"`);
  const row = sqlite.prepare(text).get(...(params as SQLInputValue[])) ?? {};
  return [kind, row.id, row.name, row.maker];
}

it.each<[string, Actor, readonly unknown[]]>([
  ['a user', { kind: 'user', id: 7 }, ['user', '7', 'Ann', 'user 7']],
  [
    'a client of a user',
    { kind: 'user', id: 7, client: { host: 'claude.ai' } },
    ['user', '7', 'Ann by claude.ai', 'user 7 claude.ai'],
  ],
  ['a user who is gone', { kind: 'user', id: 8 }, ['user', '8', null, 'user 8']],
  ['an API token', { kind: 'token', key: 'key2' }, ['token', 'robot2', 'Robot', 'token robot2']],
  ['an API token that is gone', { kind: 'token', key: 'key3' }, ['token', null, null, null]],
  ['the public', { kind: 'public' }, ['public', null, null, null]],
  ['code of the project', { kind: 'code' }, ['code', null, null, null]],
  ['a schedule of nobody', { kind: 'schedule', madeBy: null }, ['schedule', null, null, null]],
  ['a schedule of a maker without an id', { kind: 'schedule', madeBy: 'user' }, ['schedule', null, null, null]],
  ['a schedule of a user', { kind: 'schedule', madeBy: 'user 7' }, ['schedule of user', '7', 'Ann', null]],
  [
    'a schedule of a client',
    { kind: 'schedule', madeBy: 'user 7 claude.ai' },
    ['schedule of user', '7', 'Ann by claude.ai', null],
  ],
  [
    'a schedule of a token',
    { kind: 'schedule', madeBy: 'token robot2' },
    ['schedule of token', 'robot2', 'Robot', null],
  ],
  ['a schedule of a draft', { kind: 'schedule', madeBy: 'token robot' }, ['schedule of token', 'robot', null, null]],
])('%s is stored by kind, id and name', (_, actor, expected) => {
  expect(storedAs(actor)).toEqual(expected);
});
