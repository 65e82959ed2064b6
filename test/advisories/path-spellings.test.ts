/**
 * @module Spellings of a path: none leads around a grant, and a batch takes the same ones as a request.
 */
import { beforeAll, expect, it } from 'vitest';
import { sendJson } from '../support/recorded.ts';
import { expectNoChange } from './surfaces.ts';
import { createWorld, send, world } from './world.ts';

beforeAll(createWorld);

/** hono CVE-2026-47676 */
it('no spelling of a path leads around a grant', async () => {
  const spellings: readonly (readonly [string, number])[] = [
    ['/api/%63omments', 404],
    ['/api/%43OMMENTS', 404],
    ['/%61pi/comments', 404],
    ['/API/Comments/', 403],
    ['/api/./comments', 403],
    ['/api/articles/../comments', 403],
    [`/api/comments/${world.comment}`, 403],
    [`/api/%63omments/${world.comment}/`, 404],
    ['/api/%75sers', 404],
    ['/api/%75sers/1', 404],
    ['//api/comments', 400],
    ['/api//comments', 404],
    ['/api/comments%2f', 404],
    ['/api/comments%00', 400],
    ['/api/comments;a', 404],
    ['/api\\comments', 403],
  ];
  expect(await Promise.all(spellings.map(async ([path]) => [path, (await send(path)).status]))).toEqual(spellings);
});

it.each([
  '/api/../api/articles',
  '/api/./articles',
  '/api/articles/../comments',
  '/api/%2e%2e/api/articles',
  '//api/articles',
  '/api//articles',
  '/api\\articles',
  'http://evil.example/api/articles',
  '/api/articles#x',
  '/api/%61rticles',
  '/api/articles%00',
])('a batch rejects the path %s', async (path) => {
  await expectNoChange(async () => {
    const requests = [{ method: 'POST', path, body: { data: { title: 'Mine' } } }];
    expect((await send('/api/batch', sendJson('POST', 'full', { requests }))).status).toBe(400);
  });
});

it.each(['$ref:00', '$ref:0 ', '$ref:+0', '$ref:0.0', '$ref:-0', '$ref:', '$REF:0', '$ref:1', '$ref:１'])(
  'a batch takes no other spelling of a reference: %s',
  async (author) => {
    await expectNoChange(async () => {
      const create = (path: string, data: object) => ({ method: 'POST', path, body: { data } });
      const requests = [create('/api/authors', { name: 'Zed' }), create('/api/articles', { title: 'Mine', author })];
      expect((await send('/api/batch', sendJson('POST', 'full', { requests }))).status).toBe(400);
    });
  },
);
