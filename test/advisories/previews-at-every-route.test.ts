/**
 * @module A token of a preview at every route: beside the draft of its document it reads what the public role reads, and it
 * changes nothing.
 */
import { expect, it } from 'vitest';
import { documentOf } from '../support/client.ts';
import type { Link } from '../support/preview-world.ts';
import { sendJson } from '../support/recorded.ts';
import { ask, expectNoChange, READS, SURFACES, serveAll } from './surfaces.ts';
import { createWorld, world } from './world.ts';

/** Routes of accounts take no token of a preview. */
const isOfAccounts = (path: string): boolean => path.startsWith('/api/users');

it('reads what the public role reads at every route, and changes nothing', async () => {
  await createWorld();
  const uid = 'api::article.article';
  const server = serveAll({ preview: { [uid]: { url: 'https://site.example/?t={token}' } } });
  const path = `/api/articles/${world.article}/actions/preview-link`;
  const { token } = (await documentOf(server(path, sendJson('POST', 'full', {})))) as unknown as Link;
  const authorization = `Bearer ${token}`;
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
