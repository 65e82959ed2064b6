/**
 * @module Tokens of previews: forged, expired, of another document, and of a maker who lost the right, was blocked or deleted.
 * A link outlives its page, so it must not outlive the rights behind it.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PreviewClaims, signPreview } from '../../src/features/preview/preview-token.ts';
import type { Send } from '../support/app.ts';
import { documentOf, documentsOf } from '../support/client.ts';
import { bearer, createToken, sendJson } from '../support/recorded.ts';
import { JWT_SECRET, register, type SignedIn } from '../support/users.ts';
import { openPreviews } from '../support/worlds/previews.ts';
import { id, type Link, PREVIEWS } from '../support/worlds/previews-model.ts';

const STORY = 'api::story.story';
const { client: full, send, serve } = openPreviews();
let anna: SignedIn;
let story = '';

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

async function linkOf(token: string, server: Send = send): Promise<string> {
  const path = `/api/stories/${story}/actions/preview-link`;
  return ((await documentOf(server(path, sendJson('POST', token, {})))) as unknown as Link).token;
}

/** Returns the status of a read of the draft, which must not be shown unless it is 200. */
async function statusOf(token: string, server: Send = send): Promise<number> {
  const response = await server('/api/stories?status=draft', bearer(token));
  const text = await response.text();
  expect(text.includes('Hidden draft')).toBe(response.status === 200);
  return response.status;
}

const now = Math.floor(Date.now() / 1000) * 1000;
const claims = (more: Partial<PreviewClaims> = {}): PreviewClaims => ({
  ...{ maker: 'full', uid: STORY, documentId: story, locale: 'en', drafts: true },
  ...{ issuedAt: now, expiresAt: now + 60_000 },
  ...more,
});

beforeAll(async () => {
  anna = await register(send, 'anna');
});

beforeEach(async () => {
  const data = { title: 'Hidden draft', slug: 'hidden', owner: anna.user.id };
  story = (await documentOf(full.create('/api/stories?status=draft', data))).documentId;
});

describe('a forged or expired token', () => {
  it('is an invalid credential if it was signed with another secret, or changed in any character', async () => {
    expect(await statusOf(signPreview(claims(), JWT_SECRET))).toBe(200);
    expect(await statusOf(signPreview(claims(), 'another secret'))).toBe(401);
    const token = signPreview(claims(), JWT_SECRET);
    for (const at of [8, 20, 50, 60, token.length - 3]) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect([at, await statusOf(changed)]).toEqual([at, 401]);
    }
    for (const text of [
      'preview_',
      'preview_x',
      token.slice(0, 40),
      `${token}xxxxxx`,
      `${token}x`,
      `${token}=`,
      token.slice('preview_'.length),
      `${token}x`.toUpperCase(),
    ])
      expect([text, await statusOf(text)]).toEqual([text, 401]);
  });

  it('is an invalid credential once it has expired, and for a type without previews', async () => {
    expect(await statusOf(signPreview(claims({ expiresAt: Date.now() - 1 }), JWT_SECRET))).toBe(401);
    for (const uid of ['api::person.person', 'api::nothing.nothing', '__proto__', 'constructor'])
      expect([uid, await statusOf(signPreview(claims({ uid }), JWT_SECRET))]).toEqual([uid, 401]);
  });

  it('is an invalid credential if its maker is nobody', async () => {
    for (const maker of ['nobody', '', 999_999, 0])
      expect([maker, await statusOf(signPreview(claims({ maker }), JWT_SECRET))]).toEqual([maker, 401]);
  });

  it('ends when the secret is rotated', async () => {
    const token = await linkOf('full');
    expect(await statusOf(token, serve({}, { JWT_SECRET: 'rotated' } as never))).toBe(401);
    expect(await statusOf(token)).toBe(200);
  });

  it('is no JWT, and a JWT is none', async () => {
    const token = await linkOf('full');
    expect(token).not.toContain('.');
    expect((await send('/api/users/me', bearer(token))).status).toBe(403);
    expect(await statusOf(`preview_${anna.jwt.replaceAll('.', '')}`)).toBe(401);
  });
});

describe('a token whose maker', () => {
  const tokenRow = async (name: string, type: string, permissions: readonly unknown[] | null = null) => {
    await createToken(name, type, permissions);
    return linkOf(name);
  };
  const links = id('story', 'find', 'previewLink');
  let names = 0;
  const nextName = () => `maker${++names}`;

  it.each([
    ['is deleted', 'delete from strapi_api_tokens where document_id = ?'],
    ['has expired', 'update strapi_api_tokens set expires_at = 1 where document_id = ?'],
    ['became a token that reads', `update strapi_api_tokens set type = 'read-only' where document_id = ?`],
    ['lost the right to links', `update strapi_api_tokens set permissions = '["${links[0]}"]' where document_id = ?`],
    ['lost the right to read', `update strapi_api_tokens set permissions = '["${links[1]}"]' where document_id = ?`],
  ])('is an API token that %s ends at the next request', async (_, sql) => {
    const name = nextName();
    const token = await tokenRow(name, 'custom', links);
    expect(await statusOf(token)).toBe(200);
    expect(await statusOf(token)).toBe(200);
    await run(sql, name);
    expect(await statusOf(token)).toBe(401);
  });

  it.each([
    ['is deleted', 'delete from up_users where id = ?'],
    ['is blocked', 'update up_users set blocked = 1 where id = ?'],
    [
      'has no role',
      `delete from up_users_role_lnk where source_document_id = (select document_id from up_users where id = ?)`,
    ],
    ['changed the password', `update up_users set password_changed_at = ${Date.now() + 60_000} where id = ?`],
  ])('is a user who %s ends at the next request', async (_, sql) => {
    const user = await register(send, nextName());
    await full.update(`/api/stories/${story}?status=draft`, { owner: user.user.id });
    const token = await linkOf(user.jwt);
    expect(await statusOf(token)).toBe(200);
    await run(sql, user.user.id);
    expect(await statusOf(token)).toBe(401);
  });

  it('has a role that lost the right to links, to drafts or to reads ends', async () => {
    const token = await linkOf(anna.jwt);
    const grants = id('story', 'find', 'findOne', 'readDrafts', 'previewLink');
    const withGrants = (authenticated: readonly string[]) =>
      serve({ roles: { ...PREVIEWS.roles, authenticated: [...authenticated] } });
    expect(await statusOf(token, withGrants(grants))).toBe(200);
    expect(await statusOf(token, withGrants(grants.slice(0, 3)))).toBe(401);
    expect(await statusOf(token, withGrants(grants.filter((each) => !each.endsWith('readDrafts'))))).toBe(401);
    expect(await statusOf(token, withGrants(grants.slice(2)))).toBe(401);
  });

  it('no longer matches the conditions of its grants shows nothing', async () => {
    const token = await linkOf(anna.jwt);
    expect(await documentsOf(send('/api/stories?status=draft', bearer(token)))).toHaveLength(1);
    await full.update(`/api/stories/${story}?status=draft`, { owner: null });
    expect(await documentsOf(send('/api/stories?status=draft', bearer(token)))).toEqual([]);
    expect((await send(`/api/stories/${story}?status=draft`, bearer(token))).status).toBe(404);
  });

  it('has a cached role is confirmed in the one round trip of each read', async () => {
    const token = await linkOf(anna.jwt);
    await statusOf(token);
    const response = await send('http://localhost/api/stories?status=draft', bearer(token));
    expect(response.headers.get('server-timing')).toContain('1 round trip');
  });
});

describe('a token of another document', () => {
  it('shows neither the document nor whether it is there, whatever the filter, the sort and the search', async () => {
    const other = await documentOf(full.create('/api/stories?status=draft', { title: 'Hidden draft of another' }));
    const token = await linkOf('full');
    expect(await documentsOf(send('/api/stories?status=draft', bearer(token)))).toMatchObject([{ documentId: story }]);
    for (const path of [
      `/api/stories/${other.documentId}?status=draft`,
      '/api/stories/madeupmadeupmadeupmadeup?status=draft',
    ])
      expect((await send(path, bearer(token))).status).toBe(404);
    for (const search of [
      `filters[documentId]=${other.documentId}`,
      `filters[$or][0][documentId]=${other.documentId}&filters[$or][1][title][$contains]=another`,
      `filters[$not][documentId]=${story}`,
      '_q=another',
      'pagination[start]=1',
      'locale=*&filters[title][$endsWith]=another',
      'publicationFilter=never-published-document&filters[title][$endsWith]=another',
      'pagination[after]=&filters[title][$endsWith]=another',
    ])
      expect([search, await documentsOf(send(`/api/stories?status=draft&${search}`, bearer(token)))]).toEqual([
        search,
        [],
      ]);
  });
});
