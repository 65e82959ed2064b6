/**
 * @module A tool that is called with a credential that has ended: the client has to learn of it, and gets another one.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { connect, form, ISSUER, rpc, serveDocuments, serving } from '../../support/oauth-world.ts';
import { createTables, createToken } from '../../support/recorded.ts';

const send = serving();

beforeAll(async () => {
  await createTables();
  serveDocuments();
});

const find = (token: string) => rpc(send, token, 'tools/call', { name: 'find', arguments: { type: 'articles' } });

it('is rejected with 401 and where to sign in, once the grant is revoked', async () => {
  const { tokens } = await connect(send, 'ended');
  expect((await find(tokens.access_token)).status).toBe(200);
  await form(send, '/oauth/revoke', { token: tokens.refresh_token });
  const response = await find(tokens.access_token);
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toContain(
    `resource_metadata="${ISSUER}/.well-known/oauth-protected-resource/mcp"`,
  );
});

it('is rejected with 401 once the API token is deleted', async () => {
  await createToken('soon-deleted', 'read-only');
  expect((await find('soon-deleted')).status).toBe(200);
  await env.DB.prepare(`delete from strapi_api_tokens where name = 'soon-deleted'`).run();
  expect((await find('soon-deleted')).status).toBe(401);
});
