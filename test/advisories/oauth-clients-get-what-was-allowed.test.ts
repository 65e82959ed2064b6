/**
 * @module A client of OAuth gets what a person has allowed to it, at `/mcp`, until that ends:
 * https://www.rfc-editor.org/rfc/rfc9700#section-4 (open redirection, code injection, PKCE left out, mix-up, tokens that are
 * used twice), https://www.rfc-editor.org/rfc/rfc8707 (another resource), and the advisories of OAuth servers for `/mcp`
 * (CVE-2025-4144, PKCE that a request could leave out; CVE-2025-4143, redirects that were not checked). Documents that point inside or grow
 * without end are in `test/feature/oauth/documents.test.ts`, and that no page frames consent in `test/studio/page.test.ts`.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sha256Base64Url } from '../../src/common/digest.ts';
import { documentOf } from '../support/client.ts';
import {
  allow,
  ask,
  CLIENT,
  codeOf,
  connect,
  DOCUMENT,
  form,
  grantsIn,
  ISSUER,
  locationOf,
  REDIRECT,
  redeem,
  refresh,
  rpc,
  SETTINGS,
  serveDocuments,
  serving,
  statusOf,
  tokensOf,
  use,
  VERIFIER,
} from '../support/oauth-world.ts';
import { bearer, sendJson } from '../support/recorded.ts';
import { post, refusalOf, register } from '../support/users.ts';
import { openMagazine } from '../support/world.ts';

/** Two isolates of one deployment, which share its database alone. */
const send = serving();
const elsewhere = serving();

const OTHER = 'https://other.example.org/client.json';
const OTHER_REDIRECT = 'https://other.example.org/callback';

openMagazine();
beforeAll(async () => {
  const other = {
    client_id: OTHER,
    client_name: 'Other',
    redirect_uris: [OTHER_REDIRECT, 'http://localhost/callback'],
  };
  serveDocuments({ [OTHER]: () => Response.json(other) });
});
beforeEach(() => env.DB.prepare('delete from edgewise_oauth_grants').run());

let people = 0;
async function person(): Promise<string> {
  people += 1;
  return (await register(send, `person${people}`)).jwt;
}
const connected = async (more: object = {}) => {
  people += 1;
  return connect(send, `person${people}`, more);
};

const errorIn = async (response: Response | Promise<Response>) =>
  ((await (await response).json()) as { error: string }).error;

describe('the browser is sent to no address but those of the client', () => {
  it.each([
    'https://client.example.com/callback/',
    'https://client.example.com/callback?next=https://evil.example',
    'https://client.example.com/callback#x',
    'https://client.example.com/callback/../evil',
    'https://client.example.com:444/callback',
    'https://client.example.com.evil.example/callback',
    'https://client.example.com@evil.example/callback',
    String.raw`https://evil.example\@client.example.com/callback`,
    'http://client.example.com/callback',
    '//client.example.com/callback',
    OTHER_REDIRECT,
    'http://127.0.0.1.evil.example/callback',
    'http://127.0.0.1/callback/../evil',
    'http://127.0.0.1@evil.example/callback',
    'http://localhost/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'com.example.client:/callback/evil',
    '',
  ])('such as %s', async (redirectUri) => {
    const jwt = await person();
    for (const response of [
      await ask(send, jwt, { redirectUri }),
      await allow(send, jwt, { redirectUri }),
      await allow(send, jwt, { redirectUri, isDenied: true }),
      await ask(send, jwt, { redirectUri, responseType: 'token' }),
    ]) {
      expect(response.status).toBe(400);
      expect(await response.text()).not.toContain('location');
    }
  });

  it('nor by the address that begins a request, which leads to the page of this server', async () => {
    const query = new URLSearchParams({ client_id: CLIENT, redirect_uri: 'https://evil.example/', response_type: 'x' });
    const response = await send(`https://evil.example/oauth/authorize?${query}`, { redirect: 'manual' });
    expect(response.headers.get('location')).toMatch(`${ISSUER}/studio/#/connect?`);
  });

  it('and an error says from where it comes, as a code does', async () => {
    const jwt = await person();
    for (const more of [{}, { isDenied: true }, { scope: 'x' }, { codeChallengeMethod: 'plain' }])
      expect((await locationOf(allow(send, jwt, more))).searchParams.get('iss')).toBe(ISSUER);
  });
});

describe('a code is worth something to the client, redirect and verifier that it was made for', () => {
  it('not to another client, which a person has been sent to in place of the right one', async () => {
    const code = await codeOf(allow(send, await person()));
    for (const stolen of [
      { client_id: OTHER, redirect_uri: OTHER_REDIRECT },
      { client_id: OTHER },
      { redirect_uri: OTHER_REDIRECT },
    ])
      expect(await errorIn(redeem(send, code, stolen))).toBe('invalid_grant');
    expect(await grantsIn()).toEqual([]);
    expect((await redeem(send, code)).status).toBe(200);
  });

  it('not in the request of an attacker who has another verifier', async () => {
    const victim = await codeOf(allow(send, await person()));
    const verifier = 'a-verifier-that-the-attacker-has-chosen-for-itself';
    const own = await codeOf(allow(send, await person(), { codeChallenge: sha256Base64Url(verifier) }));
    expect(await errorIn(redeem(send, victim, { code_verifier: verifier }))).toBe('invalid_grant');
    expect(await errorIn(redeem(send, own))).toBe('invalid_grant');
  });

  it.each([
    { codeChallenge: undefined, codeChallengeMethod: undefined },
    { codeChallengeMethod: undefined },
    { codeChallengeMethod: 'plain', codeChallenge: VERIFIER },
    { codeChallenge: '' },
    { codeChallenge: 'x' },
  ])('and there is none without PKCE: %j', async (more) => {
    const { searchParams } = await locationOf(allow(send, await person(), more));
    expect([searchParams.has('code'), searchParams.get('error')]).toEqual([false, 'invalid_request']);
  });

  it.each(['', ' ', VERIFIER.slice(0, 42), 'undefined', sha256Base64Url(VERIFIER)])(
    'and %j in place of the verifier redeems none',
    async (verifier) => {
      const code = await codeOf(allow(send, await person()));
      expect((await redeem(send, code, { code_verifier: verifier })).status).toBe(400);
      expect(await grantsIn()).toEqual([]);
    },
  );
});

describe('of two who use a token at once, in two isolates', () => {
  it('one redeems a code, and loses what it got, since the other knows the verifier, too', async () => {
    const code = await codeOf(allow(send, await person()));
    const responses = await Promise.all([redeem(send, code), redeem(elsewhere, code)]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const winner = await tokensOf(responses.find(({ ok }) => ok) as Response);
    for (const isolate of [send, elsewhere]) {
      expect(await statusOf(isolate, winner.access_token)).toBe(401);
      expect(await errorIn(refresh(isolate, winner.refresh_token))).toBe('invalid_grant');
    }
    expect(await grantsIn()).toEqual([]);
  });

  it('both refresh to one chain, and of two chains neither lasts', async () => {
    const { tokens } = await connected();
    const [one, two] = await Promise.all(
      [send, elsewhere].map((each) => tokensOf(refresh(each, tokens.refresh_token))),
    );
    for (const each of [one, two]) expect(await statusOf(send, each?.access_token ?? '')).toBe(200);
    // The one who goes on first is ahead: as soon as the other comes with an older token, both are out.
    const ahead = await tokensOf(refresh(send, one?.refresh_token ?? ''));
    const further = await tokensOf(refresh(send, ahead.refresh_token));
    expect(await errorIn(refresh(elsewhere, two?.refresh_token ?? ''))).toBe('invalid_grant');
    expect(await errorIn(refresh(send, further.refresh_token))).toBe('invalid_grant');
    for (const isolate of [send, elsewhere]) expect(await statusOf(isolate, further.access_token)).toBe(401);
  });

  it('a revocation ends a grant in both at once', async () => {
    const { tokens } = await connected();
    expect(await statusOf(elsewhere, tokens.access_token)).toBe(200);
    await form(send, '/oauth/revoke', { token: tokens.refresh_token, client_id: CLIENT });
    expect(await statusOf(elsewhere, tokens.access_token)).toBe(401);
  });
});

describe('a client has no more than was allowed', () => {
  const created = { type: 'articles', data: { title: 'x' } };

  it('by a level or a type that it has not asked for, or the person may not grant', async () => {
    const jwt = await person();
    for (const more of [
      { scope: 'content:read', level: 'write' },
      { scope: 'content:drafts', level: 'write' },
      { level: 'everything' },
      { types: ['api::comment.comment'] },
      { types: ['plugin::users-permissions.user'] },
      { types: ['*'] },
      { types: [] },
    ])
      expect([more, (await allow(send, jwt, more)).status]).toEqual([more, 400]);
  });

  it('by a scope at the token endpoint', async () => {
    const code = await codeOf(allow(send, await person(), { level: 'read' }));
    const tokens = await tokensOf(redeem(send, code, { scope: 'content:write' }));
    const next = await tokensOf(refresh(send, tokens.refresh_token, { scope: 'content:read content:write' }));
    for (const { scope, access_token: token } of [tokens, next]) {
      expect(scope).toBe('content:read');
      expect(await use(send, token, 'create', created)).toHaveProperty('error');
    }
    const { results } = await env.DB.prepare(`select 1 from articles where title = 'x'`).run();
    expect(results).toEqual([]);
  });

  it('by a resource of another server', async () => {
    const jwt = await person();
    for (const resource of [
      'https://evil.example/mcp',
      `${ISSUER}/mcp/../api`,
      `${ISSUER}/api`,
      ISSUER,
      `${ISSUER}.evil.example/mcp`,
      'mcp',
    ]) {
      const { searchParams } = await locationOf(allow(send, jwt, { resource }));
      expect([resource, searchParams.get('error'), searchParams.has('code')]).toEqual([
        resource,
        'invalid_target',
        false,
      ]);
      expect(await errorIn(redeem(send, await codeOf(allow(send, jwt)), { resource }))).toBe('invalid_target');
    }
  });

  it('once the role of the person has lost it, also in an isolate that knows the person', async () => {
    const { tokens, user } = await connected();
    expect(await use(elsewhere, tokens.access_token, 'create', created)).not.toHaveProperty('error');
    const { roles } = (await (await send('/api/users-permissions/roles', bearer('full'))).json()) as {
      roles: { id: number; type: string }[];
    };
    const [none] = roles.filter(({ type }) => type === 'public');
    await send(`/api/users/${user.id}`, sendJson('PUT', 'full', { role: none?.id }));
    expect(await use(elsewhere, tokens.access_token, 'create', created)).toHaveProperty('error');
  });
});

describe('a token of a client is none', () => {
  it.each([
    ['GET', '/api/articles'],
    ['POST', '/api/articles'],
    ['GET', '/api/users/me'],
    ['PUT', '/api/users/me'],
    ['GET', '/api/users'],
    ['GET', '/api/auth/sessions'],
    ['POST', '/api/auth/change-password'],
    ['POST', '/api/auth/logout'],
    ['GET', '/api/users/me/identities'],
    ['POST', '/api/auth/oauth/request'],
    ['POST', '/api/auth/oauth/consent'],
    ['GET', '/api/auth/oauth/grants'],
    ['DELETE', '/api/auth/oauth/grants/1'],
    ['POST', '/api/batch'],
    ['POST', '/api/upload'],
    ['GET', '/openapi.json'],
    ['GET', '/llms.txt'],
  ])('at %s %s, of either kind', async (method, path) => {
    const { tokens } = await connected();
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const init = sendJson(method, token, method === 'GET' ? undefined : {});
      expect((await send(path, init)).status).toBe(401);
    }
    expect(await statusOf(send, tokens.refresh_token)).toBe(401);
    expect(await statusOf(send, tokens.access_token)).toBe(200);
  });

  it('of another deployment, and where the setting is off', async () => {
    const { tokens } = await connected();
    const foreign = serving({}, { JWT_SECRET: 'another secret' } as Partial<Env>);
    expect(await statusOf(foreign, tokens.access_token)).toBe(401);
    expect(await errorIn(refresh(foreign, tokens.refresh_token))).toBe('invalid_grant');
    expect(await statusOf(serving({ ...SETTINGS, oauth: null }), tokens.access_token)).toBe(401);
  });

  it('and neither a code, a client id nor a token of a session is an access token', async () => {
    const jwt = await person();
    const code = await codeOf(allow(send, jwt));
    for (const forged of [code, `ewa_${code}`, `ewc_${code}`, `ewa_${jwt}`, 'ewa_', 'ewa_x'])
      expect(await statusOf(send, forged)).toBe(401);
    const { tokens } = await connected();
    for (const token of [tokens.access_token.replace('ewa_', 'ewr_'), tokens.refresh_token.replace('ewr_', '')])
      expect(await errorIn(refresh(send, token))).toBe('invalid_grant');
    expect(await errorIn(redeem(send, tokens.refresh_token))).toBe('invalid_grant');
  });
});

describe('what a person has allowed ends with the person', () => {
  it('also if another one gets the number of the row, as after a restore to an earlier point', async () => {
    const { tokens, user } = await connected();
    const { documentId, id } = user;
    const code = await codeOf(allow(send, await person()));
    const run = (sql: string, ...values: unknown[]) =>
      env.DB.prepare(sql)
        .bind(...values)
        .run();
    await run(`update up_users set document_id = 'another' where id = ?`, id);
    await run(`update up_users_role_lnk set source_document_id = 'another' where source_document_id = ?`, documentId);
    expect(await statusOf(send, tokens.access_token)).toBe(401);
    expect(await errorIn(refresh(send, tokens.refresh_token))).toBe('invalid_grant');
    await run('update up_users set created_at = ?', Date.now() + 60_000);
    expect(await errorIn(redeem(send, code))).toBe('invalid_grant');
  });

  it('for a call that is under way in another isolate, too', async () => {
    const { tokens, user } = await connected();
    expect(await statusOf(elsewhere, tokens.access_token)).toBe(200);
    await send(`/api/users/${user.id}`, sendJson('PUT', 'full', { blocked: true }));
    const response = await rpc(elsewhere, tokens.access_token, 'tools/call', {
      name: 'create',
      arguments: { type: 'articles', data: { title: 'by a blocked user' } },
    });
    expect(response.status).toBe(401);
    const { results } = await env.DB.prepare(`select 1 from articles where title = 'by a blocked user'`).run();
    expect(results).toEqual([]);
  });
});

it('nobody allows anything but a person who is signed in: no client, API token, link to a draft or cookie', async () => {
  const { tokens, jwt } = await connected();
  const url = 'https://site.example/?token={token}';
  const own = serving({ preview: { 'api::article.article': { url } } });
  const draft = await documentOf(own('/api/articles?status=draft', sendJson('POST', 'full', { data: { title: 'A' } })));
  const path = `/api/articles/${draft.documentId}`;
  const made = await own(`${path}/actions/preview-link`, sendJson('POST', 'full', {}));
  const link = ((await made.json()) as { data: { token: string } }).data.token;
  expect(await documentOf(own(`${path}?status=draft`, bearer(link)))).toMatchObject({ title: 'A' });
  for (const [token, status] of [
    [tokens.access_token, 401],
    ['full', 401],
    [link, 403],
    ['', 401],
  ] as const)
    for (const route of ['request', 'consent']) {
      const body = { clientId: CLIENT, redirectUri: REDIRECT };
      expect((await post(own, `/api/auth/oauth/${route}`, body, token)).status).toBe(status);
    }
  const cookie = { cookie: `jwt=${jwt}; strapi_jwt=${jwt}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ ...DOCUMENT, clientId: CLIENT, redirectUri: REDIRECT });
  const response = await send('/api/auth/oauth/consent', { method: 'POST', headers: cookie, body });
  expect(await refusalOf(response)).toBe('401 UnauthorizedError: Only a signed-in user may do this');
});
