/**
 * @module Former versions and previews: the token of a preview has no history of its own, and former versions have source
 * maps only for those who may read drafts.
 */
import { beforeAll, expect, it } from 'vitest';
import { documentOf } from '../../support/client.ts';
import { historyOf } from '../../support/former-versions.ts';
import { bearer, sendJson } from '../../support/recorded.ts';
import { register, type SignedIn } from '../../support/users.ts';
import { openPreviews } from '../../support/worlds/previews.ts';
import { id, type Link, PREVIEWS } from '../../support/worlds/previews-model.ts';

const STORY = id('story', 'find', 'findOne');
const { client: full, serve } = openPreviews({ history: true, users: { register: { allowedFields: [] } } });
const serveFor = (open: readonly (string | object)[]) =>
  serve({ roles: { ...PREVIEWS.roles, public: [...open] } } as never);
const send = serveFor([...STORY, ...id('story', 'history')]);
const MAPPED = { 'strapi-encode-source-maps': 'true' };
/** The invisible characters of a source map. */
const INVISIBLE = /[\u200b-\u200f\u2060-\u2064\ufeff]{20}/;
let anna: SignedIn;
let path = '';
let revisions: readonly string[] = [];

beforeAll(async () => {
  anna = await register(send, 'anna');
  const story = await documentOf(
    full.create('/api/stories?status=published', { title: 'Closed', slug: 'one', rating: 1, owner: anna.user.id }),
  );
  path = `/api/stories/${story.documentId}`;
  revisions = (await historyOf(full, path)).map(({ revision }) => revision);
  expect(revisions).not.toEqual([]);
});

it('a token of a preview reads no history that the public role does not', async () => {
  const { token } = (await documentOf(
    send(`${path}/actions/preview-link`, sendJson('POST', anna.jwt, {})),
  )) as unknown as Link;
  expect((await send(`${path}/history`, bearer(anna.jwt))).status).toBe(403);
  const hidden = serveFor([...id('story', 'history'), { action: STORY, where: { rating: 5 } }]);
  const noReads = serveFor(id('story', 'history'));
  for (const [server, status] of [
    [hidden, 404],
    [noReads, 403],
  ] as const) {
    expect((await server(`${path}?status=draft`, bearer(token))).status).toBe(200);
    for (const each of [`${path}/history`, ...revisions.map((revision) => `${path}/history/${revision}`)])
      expect([each, (await server(each, bearer(token))).status]).toEqual([each, status]);
  }
});

it('a former version has source maps for callers who may read drafts, and for no others', async () => {
  const [published = ''] = await Promise.all(
    revisions.map(async (revision) => ((await send(`${path}/history/${revision}`)).ok ? revision : '')),
  ).then((found) => found.filter(Boolean));
  const shown = async (more: Readonly<Record<string, string>> = {}) =>
    (await send(`${path}/history/${published}`, { headers: { ...MAPPED, ...more } })).text();
  const open = await shown();
  expect(open).toContain('Closed');
  expect(open).not.toMatch(INVISIBLE);
  expect(await shown({ authorization: 'Bearer full' })).toMatch(INVISIBLE);
});
