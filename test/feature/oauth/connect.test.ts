/**
 * @module Connecting a client: what it learns of the server, what the user sees and allows, and what the client gets.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  allow,
  ask,
  CLIENT,
  codeOf,
  connect,
  grantsIn,
  ISSUER,
  locationOf,
  REDIRECT,
  redeem,
  serveDocuments,
  serving,
  statusOf,
  tokensOf,
  use,
} from '../../support/oauth-world.ts';
import { bearer, createTables } from '../../support/recorded.ts';
import { post, refusalOf, register } from '../../support/users.ts';

const send = serving();

beforeAll(async () => {
  await createTables();
  serveDocuments();
});

const json = async (path: string) => (await send(path)).json();

describe('a client', () => {
  it('learns from a 401 where it can sign somebody in', async () => {
    const response = await post(send, '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${ISSUER}/.well-known/oauth-protected-resource/mcp", scope="content:read content:drafts content:write"`,
    );
  });

  it('finds the server by its documents', async () => {
    const resource = await json('/.well-known/oauth-protected-resource/mcp');
    expect(resource).toEqual({
      ...{ resource: `${ISSUER}/mcp`, authorization_servers: [ISSUER], bearer_methods_supported: ['header'] },
      scopes_supported: ['content:read', 'content:drafts', 'content:write'],
    });
    expect(await json('/.well-known/oauth-protected-resource')).toEqual(resource);
    expect(await json('/.well-known/oauth-authorization-server')).toEqual({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/oauth/authorize`,
      token_endpoint: `${ISSUER}/oauth/token`,
      revocation_endpoint: `${ISSUER}/oauth/revoke`,
      scopes_supported: ['content:read', 'content:drafts', 'content:write'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
  });

  it('sends the browser to Studio, with what it asks for and nothing else', async () => {
    const query = 'client_id=https%3A%2F%2Fevil.example%2F%23x&state=a%26b&state=c&response_mode=form_post&next=%2F';
    const response = await send(`/oauth/authorize?${query}`, { redirect: 'manual' });
    expect([response.status, response.headers.get('cache-control')]).toEqual([302, 'no-store']);
    expect(response.headers.get('location')).toBe(
      `${ISSUER}/studio/#/connect?client_id=https%3A%2F%2Fevil.example%2F%23x&state=a%26b`,
    );
    const names = ['client_id', 'redirect_uri', 'response_type', 'code_challenge', 'code_challenge_method'];
    const all = [...names, 'scope', 'state', 'resource'].map((name) => `${name}=${name}`).join('&');
    const sent = await send(`/oauth/authorize?${all}`, { redirect: 'manual' });
    expect(sent.headers.get('location')).toBe(`${ISSUER}/studio/#/connect?${all}`);
  });

  it('gets tokens that call tools in the name of the user', async () => {
    const { tokens } = await connect(send, 'whole');
    expect(tokens).toMatchObject({
      ...{ token_type: 'Bearer', expires_in: 604_800, scope: 'content:read content:drafts content:write' },
      access_token: expect.stringMatching(/^ewa_[\w-]+$/),
      refresh_token: expect.stringMatching(/^ewr_[\w-]+$/),
    });
    const { data } = await use(send, tokens.access_token, 'create', { type: 'articles', data: { title: 'By tool' } });
    expect(data.title).toBe('By tool');
  });
});

describe('the user', () => {
  it('sees who asks, and what they can allow', async () => {
    const { jwt } = await register(send, 'seeing');
    const response = await ask(send, jwt);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { data } = (await response.json()) as { data: Record<string, unknown> };
    expect(data).toEqual({
      client: {
        ...{ id: CLIENT, host: 'client.example.com', name: 'Clever Client' },
        ...{ uri: 'https://client.example.com/about', isVerified: true, isLoopback: false },
      },
      redirect: { host: 'client.example.com', isLoopback: false, scheme: 'https' },
      levels: ['read', 'drafts', 'write'],
      types: [
        { uid: 'api::article.article', name: 'articles', displayName: 'Article', levels: ['read', 'drafts', 'write'] },
        { uid: 'api::author.author', name: 'authors', displayName: 'Author', levels: ['read', 'write'] },
        { uid: 'api::tag.tag', name: 'tags', displayName: 'Tag', levels: ['read'] },
      ],
    });
  });

  it.each([
    ['content:read', ['read']],
    ['content:drafts openid', ['read', 'drafts']],
    ['content:read content:write', ['read', 'drafts', 'write']],
    ['', ['read', 'drafts', 'write']],
  ])('can allow no more than the scope %j asks for', async (scope, levels) => {
    const { jwt } = await register(send, `scoped${levels.length}${scope.length}`);
    const { data } = (await (await ask(send, jwt, { scope })).json()) as { data: { levels: string[] } };
    expect(data.levels).toEqual(levels);
    const level = levels.length === 3 ? 'publish' : 'write';
    expect(await refusalOf(await allow(send, jwt, { scope, level }))).toMatch(/^400 ValidationError: Invalid level/);
  });

  it('is sent back with a code, the state and the name of the server', async () => {
    const { jwt } = await register(send, 'sentback');
    const location = await locationOf(allow(send, jwt));
    expect(location.href.split('?')[0]).toBe(REDIRECT);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      ...{ state: 'a state', iss: ISSUER, code: expect.stringMatching(/^[\w-]+$/) },
    });
  });

  it('may say no', async () => {
    const { jwt } = await register(send, 'saysno');
    const { searchParams } = await locationOf(allow(send, jwt, { isDenied: true, level: undefined, types: undefined }));
    expect(Object.fromEntries(searchParams)).toEqual({ error: 'access_denied', state: 'a state', iss: ISSUER });
  });

  it.each([
    [{ responseType: 'token' }, 'unsupported_response_type'],
    [{ scope: 'openid profile' }, 'invalid_scope'],
  ])('is sent back with an error for a request with %j, whatever they say', async (more, error) => {
    const { jwt } = await register(send, `wrong${Object.keys(more)}${Object.values(more)[0]?.length}`);
    for (const response of [ask(send, jwt, more), allow(send, jwt, more)]) {
      const { searchParams } = await locationOf(response);
      expect(searchParams.get('error')).toBe(error);
      expect(searchParams.get('iss')).toBe(ISSUER);
      expect(searchParams.has('code')).toBe(false);
    }
  });

  it('must choose what they allow, and only what they may', async () => {
    const { jwt } = await register(send, 'chooses');
    const refused = async (more: object) => refusalOf(await allow(send, jwt, more));
    expect(await refused({ level: undefined })).toMatch('Invalid level');
    expect(await refused({ types: undefined })).toMatch('Invalid types');
    expect(await refused({ types: [] })).toMatch('Invalid types');
    expect(await refused({ types: ['api::issue.issue'] })).toMatch('You have no right to api::issue.issue');
    expect(await refused({ types: ['plugin::users-permissions.user'] })).toMatch('You have no right to');
    expect(await refused({ isDenied: false })).toMatch('Invalid isDenied');
    expect(await refused({ userId: 1 })).toMatch('Invalid key userId');
    expect(await refused({ level: undefined })).toMatch('Expected read, drafts, write');
    const nobody = serving({ roles: { authenticated: [] } });
    expect(await refusalOf(await allow(nobody, jwt))).toMatch('Invalid level. Expected isDenied');
  });

  it('may name fifty types, each of which counts once', async () => {
    const { jwt } = await register(send, 'names');
    const naming = (count: number) => allow(send, jwt, { types: Array(count).fill('api::article.article') });
    expect(await refusalOf(await naming(51))).toMatch('Expected null for all, or 1 to 50 uids');
    expect((await redeem(send, await codeOf(naming(50)))).status).toBe(200);
    const { data } = (await (await send('/api/auth/oauth/grants', bearer(jwt))).json()) as { data: object[] };
    expect(data).toMatchObject([{ types: ['api::article.article'], lastUsedAt: null }]);
  });

  it('is none who is not signed in, or has another credential', async () => {
    const { tokens } = await connect(send, 'notuser');
    for (const token of ['', 'full', tokens.access_token, tokens.refresh_token])
      for (const response of [await ask(send, token), await allow(send, token)]) expect(response.status).toBe(401);
    for (const path of ['grants', 'grants/x'])
      for (const token of ['', 'full', tokens.access_token])
        expect(
          (await send(`/api/auth/oauth/${path}`, { method: path === 'grants' ? 'GET' : 'DELETE', ...bearer(token) }))
            .status,
        ).toBe(401);
  });

  it('lists the clients that they have connected, and ends one', async () => {
    const { jwt, tokens } = await connect(send, 'lists', { level: 'drafts', types: ['api::article.article'] });
    await use(send, tokens.access_token, 'describe');
    const list = async (by = jwt) => {
      const response = await send('/api/auth/oauth/grants', bearer(by));
      expect(response.headers.get('cache-control')).toBe('no-store');
      return ((await response.json()) as { data: { id: string }[] }).data;
    };
    const [grant] = await list();
    expect(await list()).toEqual([
      {
        ...{ id: expect.stringMatching(/^[\da-f]{32}$/), clientId: CLIENT, host: 'client.example.com' },
        ...{ name: 'Clever Client', level: 'drafts', types: ['api::article.article'] },
        ...{ createdAt: expect.stringMatching(/Z$/), lastUsedAt: expect.stringMatching(/Z$/) },
      },
    ]);
    const other = await register(send, 'listsother');
    expect(await list(other.jwt)).toEqual([]);
    const end = (by: string) => send(`/api/auth/oauth/grants/${grant?.id}`, { method: 'DELETE', ...bearer(by) });
    expect((await end(other.jwt)).status).toBe(404);
    expect(await statusOf(send, tokens.access_token)).toBe(200);
    expect(await (await end(jwt)).json()).toEqual({ data: {} });
    expect((await end(jwt)).status).toBe(404);
    expect(await list()).toEqual([]);
    expect(await statusOf(send, tokens.access_token)).toBe(401);
  });

  it('sees when a client was last used, to the hour', async () => {
    const { user, tokens } = await connect(send, 'lastused');
    const set = (at: number) =>
      env.DB.prepare('update edgewise_oauth_grants set last_used_at = ? where user = ?')
        .bind(at, user.documentId)
        .run();
    const noted = async () => (await grantsIn()).find((grant) => grant.user === user.documentId)?.last_used_at;
    const recent = Date.now() - 1_800_000;
    await set(recent);
    await use(send, tokens.access_token, 'describe');
    expect(await noted()).toBe(recent);
    await set(recent - 3_600_000);
    await use(send, tokens.access_token, 'describe');
    expect(await noted()).toBeGreaterThan(recent);
  });
});

describe('a code', () => {
  it('is redeemed once: who does it again ends what it gave', async () => {
    const { jwt } = await register(send, 'twice');
    const code = await codeOf(allow(send, jwt));
    const tokens = await tokensOf(redeem(send, code));
    expect(await statusOf(send, tokens.access_token)).toBe(200);
    expect(await (await redeem(send, code, { code_verifier: `${'x'.repeat(43)}` })).json()).toMatchObject({
      error: 'invalid_grant',
    });
    expect(await statusOf(send, tokens.access_token)).toBe(200);
    const again = await redeem(send, code);
    expect([again.status, ((await again.json()) as { error: string }).error]).toEqual([400, 'invalid_grant']);
    expect(await statusOf(send, tokens.access_token)).toBe(401);
  });

  it('is redeemed without the redirect, too, as in OAuth 2.1', async () => {
    const { jwt } = await register(send, 'withoutredirect');
    expect((await redeem(send, await codeOf(allow(send, jwt)), { redirect_uri: '' })).status).toBe(200);
  });

  it('ends what it gave when it is redeemed again, also once the user has signed out', async () => {
    const sessions = serving({ users: { jwtManagement: 'refresh' } });
    const { jwt } = await register(sessions, 'signsout');
    const code = await codeOf(allow(sessions, jwt));
    const tokens = await tokensOf(redeem(sessions, code));
    expect((await post(sessions, '/api/auth/logout', {}, jwt)).status).toBe(200);
    expect(await statusOf(sessions, tokens.access_token)).toBe(200);
    expect((await redeem(sessions, code)).status).toBe(400);
    expect(await statusOf(sessions, tokens.access_token)).toBe(401);
  });

  it.each([
    [{ code_verifier: '' }, 'invalid_request'],
    [{ client_id: '' }, 'invalid_request'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ grant_type: '' }, 'invalid_request'],
  ])('is neither redeemed nor spent with %j', async (more, error) => {
    const { jwt } = await register(send, `unspent${JSON.stringify(more).length}${error}`);
    const code = await codeOf(allow(send, jwt));
    const refused = await redeem(send, code, more as Record<string, string>);
    expect(refused.status).toBe(400);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(await refused.json()).toEqual({ error, error_description: expect.any(String) });
    expect((await redeem(send, code)).status).toBe(200);
  });
});
