/**
 * @module A token of a preview at every route: beside the draft of its document it reads what the public role reads, and it
 * changes nothing.
 */
import { beforeAll, expect, it } from 'vitest';
import { documentOf } from '../support/client.ts';
import { bearer, sendJson } from '../support/recorded.ts';
import type { Link } from '../support/worlds/previews-model.ts';
import { ask, expectNoChange, READS, SURFACES, serveAll } from './surfaces.ts';
import { createWorld, world } from './world.ts';

/** Routes of accounts take no token of a preview. */
const isOfAccounts = (path: string): boolean => /^\/api\/(users|auth)/.test(path);

const server = serveAll({ preview: { 'api::article.article': { url: 'https://site.example/?t={token}' } } });
let authorization: string;

beforeAll(async () => {
  await createWorld();
  const path = `/api/articles/${world.article}/actions/preview-link`;
  const { token } = (await documentOf(server(path, sendJson('POST', 'full', {})))) as unknown as Link;
  authorization = `Bearer ${token}`;
});

it('reads what the public role reads at every route, and changes nothing', async () => {
  await expectNoChange(async () => {
    for (const surface of SURFACES) {
      const [own, open] = await Promise.all([ask(server, surface, { authorization }), ask(server, surface)]);
      const isDraft = surface.name === 'a draft';
      const isRejected = surface.method !== 'GET' || isOfAccounts(surface.path);
      const expected = isRejected ? 403 : isDraft ? 200 : open.status;
      expect([surface.name, own.status]).toEqual([surface.name, expected]);
      if (!isDraft && !isRejected && READS.includes(surface))
        expect([surface.name, await own.text()]).toEqual([surface.name, await open.text()]);
    }
  });
});

it('is rejected, or treated as public, in every operation that full access has', async () => {
  const { paths } = await (await server('/openapi.json', bearer('full'))).json<{ paths: Record<string, object> }>();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    ['get', 'post', 'put', 'delete'].filter((method) => method in methods).map((method) => [method, path] as const),
  );
  expect(operations.length).toBeGreaterThan(80);
  await expectNoChange(async () => {
    for (const [method, path] of operations) {
      const isOwn = /^\/api\/articles(\/\{documentId\})?$/.test(path);
      const at = path.replace('{documentId}', world.article).replaceAll(/\{\w+\}/g, '1');
      const body = method === 'get' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
      const ask = (headers: object) =>
        server(at, { method: method.toUpperCase(), ...body, headers: { ...body.headers, ...headers } });
      const [own, open] = [await ask({ authorization }), await ask({})];
      const isRejected = method !== 'get' || isOfAccounts(path);
      expect([method, path, own.status]).toEqual([method, path, isRejected ? 403 : isOwn ? 200 : open.status]);
      if (!isRejected && !isOwn) expect([path, await own.text()]).toEqual([path, await open.text()]);
    }
  });
});
