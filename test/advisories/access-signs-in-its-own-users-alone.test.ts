/**
 * @module An assertion of Cloudflare Access signs in the person whom the team has checked for this application, at one route,
 * for a page of this server: https://www.rfc-editor.org/rfc/rfc8725 (algorithms, issuers, audiences),
 * https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/authorization-cookie/ (a cookie that
 * browsers send with requests of other sites).
 */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sign } from 'hono/jwt';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createDeployment } from '../../src/deployment.ts';
import { parseSettings, type SettingsInput } from '../../src/schema/settings/config.ts';
import {
  ASSERTION,
  ann,
  application,
  assertionOf,
  type Claims,
  ORIGIN,
  openTeam,
  roles,
  servingAccess,
  signIn,
  TEAM,
  type Team,
} from '../support/access-team.ts';
import { newSigningKey } from '../support/issuer.ts';
import { clear, rowsOf, run } from '../support/provider-world.ts';
import { createToken, recordedRegistry, serve } from '../support/recorded.ts';
import { refusalOf, register } from '../support/users.ts';

const send = servingAccess({ access: { ...application, role: 'editor' } });

let team: Team;
beforeAll(async () => {
  team = await openTeam();
  await createToken('full', 'full-access');
});
beforeEach(clear);

/** Nobody has come in. */
async function expectNobody(response: Response, refusal: string): Promise<void> {
  expect(await refusalOf(response)).toBe(refusal);
  expect(await rowsOf('select 1 from edgewise_identities')).toEqual([]);
}

const rejected = (why: string) => `401 UnauthorizedError: The assertion of Cloudflare Access ${why}`;

describe('an assertion is rejected', () => {
  const seconds = Math.floor(Date.now() / 1000);
  const OTHER = 'a'.repeat(64);

  it.each<[string, Claims, string]>([
    ['for another application', { aud: [OTHER] }, 'is for another application'],
    ['for an application whose tag begins alike', { aud: [`${application.audience}0`] }, 'is for another application'],
    ['for no application', { aud: undefined }, 'is for another application'],
    ['for a list within a list', { aud: [[application.audience]] }, 'is for another application'],
    ['of another team', { iss: 'https://evil.cloudflareaccess.com' }, 'is of another team'],
    ['of no team', { iss: undefined }, 'is of another team'],
    ['of a team that is spelt otherwise', { iss: `${TEAM}/` }, 'is of another team'],
    ['that has ended', { exp: seconds - 1 }, 'is not valid: JwtTokenExpired'],
    ['that never ends', { exp: undefined }, 'has no end'],
    ['whose end is no number', { exp: `${seconds + 60}` }, 'is not valid: JwtTokenExpired'],
    ['that begins later', { nbf: seconds + 600 }, 'is not valid: JwtTokenNotBefore'],
    [
      'of a service token',
      { common_name: 'x.access', sub: '', email: undefined },
      'is that of a service token, which is no user',
    ],
    ['of a service token with an address', { common_name: 'x.access' }, 'is that of a service token, which is no user'],
    ['without a subject', { sub: undefined }, 'is that of a service token, which is no user'],
    ['with an empty subject', { sub: '' }, 'is that of a service token, which is no user'],
    ['with a number as subject', { sub: 1 }, 'is that of a service token, which is no user'],
    ['without an address', { email: undefined }, 'names no e-mail address'],
    ['with an empty address', { email: '' }, 'names no e-mail address'],
    ['with several addresses', { email: ['ann@example.com', 'bo@example.com'] }, 'names no e-mail address'],
    ['with an address in a sentence', { email: 'ann@example.com, bo@example.com' }, 'names no e-mail address'],
  ])('%s', async (_, claims, why) => {
    await expectNobody(await signIn(send, await assertionOf(team, { ...ann, ...claims })), rejected(why));
  });

  it('if another key has signed it, with the kid of the right one or one of its own', async () => {
    for (const kid of ['first', 'other']) {
      const key = await newSigningKey(kid);
      const name = kid === 'first' ? 'JwtTokenSignatureMismatched' : 'no key of the team has signed it';
      await expectNobody(await signIn(send, await assertionOf({ key })), rejected(`is not valid: ${name}`));
    }
  });

  it('without a signature, and with a secret that the public key is', async () => {
    const [, claims] = (await assertionOf(team)).split('.');
    const unsigned = `${btoa(JSON.stringify({ alg: 'none', kid: 'first' }))}.${claims}.`;
    await expectNobody(await signIn(send, unsigned), rejected('is not valid: JwtHeaderInvalid'));
    const { n = '' } = (await crypto.subtle.exportKey('jwk', team.key.pair.publicKey)) as JsonWebKey;
    const forged = await sign(
      JSON.parse(atob(claims ?? '')),
      { kid: 'first', alg: 'HS256', kty: 'oct', k: n },
      'HS256',
    );
    await expectNobody(await signIn(send, forged), rejected('is not valid: JwtAlgorithmMismatch'));
  });

  it.each(['x', 'a.b.c', '', 'e30.e30.e30', '..'])('if it is %j', async (text) => {
    const why = text === '' ? 'is missing: this address is not within its application' : 'is not valid: ';
    expect(await refusalOf(await signIn(send, text))).toContain(rejected(why));
  });

  it('without its header, also with the cookie of Access', async () => {
    const headers = { origin: ORIGIN, cookie: `CF_Authorization=${await assertionOf(team)}` };
    const response = await send('/api/auth/access', { method: 'POST', headers });
    await expectNobody(response, rejected('is missing: this address is not within its application'));
  });
});

describe('a request that another site makes the browser of a visitor send is rejected', () => {
  it.each([
    undefined,
    'null',
    'https://evil.example',
    'http://edgewise.test.evil.example',
    'http://edgewise.test:8080',
    'https://edgewise.test',
    'http://EDGEWISE.test',
    'http://edgewise.test/',
  ])('from %s', async (origin) => {
    const listed = servingAccess({ cors: { origins: ['https://evil.example'] } });
    const headers = { [ASSERTION]: await assertionOf(team), ...(origin !== undefined && { origin }) };
    for (const by of [send, listed])
      await expectNobody(
        await by('/api/auth/access', { method: 'POST', headers }),
        '403 ForbiddenError: The header Origin must be that of server.url: http://edgewise.test',
      );
  });

  it('from everywhere where the server does not know its address', async () => {
    const lost = serve({ access: { ...application, role: 'editor' }, roles });
    for (const origin of ['', 'null', 'undefined', ORIGIN])
      await expectNobody(
        await signIn(lost, await assertionOf(team), { origin }),
        '403 ForbiddenError: The header Origin must be that of server.url',
      );
    const bare = { method: 'POST', headers: { [ASSERTION]: await assertionOf(team) } };
    await expectNobody(
      await lost('/api/auth/access', bare),
      '403 ForbiddenError: The header Origin must be that of server.url',
    );
  });
});

it('an account that an attacker has registered for the address of another is not bound, and stays as it is', async () => {
  await register(serve(), 'ann');
  const before = await rowsOf('select * from up_users');
  await expectNobody(
    await signIn(send, await assertionOf(team)),
    '400 ApplicationError: The account with the address ann@example.com has not proven it: choose a new password by e-mail first',
  );
  expect(await rowsOf('select * from up_users')).toEqual(before);
});

it('an account whose user has moved to the address of another is not bound before it is proven', async () => {
  await register(serve(), 'ann');
  await run('update up_users set email_proven = 1');
  const { id } = (await rowsOf('select id from up_users'))[0] as { id: number };
  const body = JSON.stringify({ email: 'bo@example.com' });
  const headers = { authorization: 'Bearer full', 'content-type': 'application/json' };
  expect((await send(`/api/users/${id}`, { method: 'PUT', headers, body })).status).toBe(200);
  const response = await signIn(send, await assertionOf(team, { sub: 'bo', email: 'bo@example.com' }));
  expect(await refusalOf(response)).toContain('has not proven it');
});

describe('an assertion elsewhere', () => {
  const everything: SettingsInput = {
    server: { url: ORIGIN },
    access: { ...application, role: 'editor' },
    roles,
    history: true,
    mcp: true,
    preview: {},
    upload: { folders: true, private: true, widths: true },
    users: {
      jwtManagement: 'refresh',
      providers: { keycloak: { clientId: 'site', secret: 'KEYCLOAK_SECRET', issuer: 'https://sso.example.com' } },
    },
    rateLimit: { auth: { enabled: false } },
  };
  const app = createApp(createDeployment({ registry: recordedRegistry, settings: parseSettings(everything) }));

  /** Every route, with names in the place of its parameters; reads, writes and deletes of content. */
  const routes = [
    ...app.routes.filter(({ method, path }) => method !== 'ALL' && !path.includes('*')),
    ...['GET', 'POST', 'PUT', 'DELETE'].flatMap((method) =>
      ['/api/tags', '/api/tags/a', '/api/homepage', '/api/tags/a/history', '/api/tags/a/actions/publish', '/own'].map(
        (path) => ({ method, path }),
      ),
    ),
    { method: 'GET', path: '/_health' },
  ].map(({ method, path }) => `${method} ${path.replaceAll(/:\w+(\{.*?\})?/g, '1')}`);

  /** Returns the response, and the names of headers that were read. */
  async function ask(route: string, headers: Record<string, string>) {
    const [method = '', path = ''] = route.split(' ');
    const read = vi.spyOn(Headers.prototype, 'get');
    const context = createExecutionContext();
    const body = method === 'GET' ? null : '{}';
    const request = new Request(`${ORIGIN}${path}`, { method, headers, body, redirect: 'manual' });
    const response = await app.fetch(request, { ...env, KEYCLOAK_SECRET: 'x' }, context);
    const text = await response.text();
    await waitOnExecutionContext(context);
    const names = read.mock.calls.map(([name]) => name.toLowerCase());
    read.mockRestore();
    return { status: response.status, text, names };
  }

  it('is read by no other route, and changes no response', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const others = [...new Set(routes)].filter((route) => route !== 'POST /api/auth/access');
    expect(others.length).toBeGreaterThan(80);
    const plain = { origin: ORIGIN, 'content-type': 'application/json' };
    const assertion = await assertionOf(team);
    for (const route of others) {
      const [without, withIt] = [await ask(route, plain), await ask(route, { ...plain, [ASSERTION]: assertion })];
      expect(withIt.names, route).not.toContain(ASSERTION.toLowerCase());
      expect([route, withIt.status]).toEqual([route, without.status]);
      if (without.status >= 400) expect(withIt.text).toBe(without.text);
    }
    expect(await rowsOf('select 1 from up_users')).toEqual([]);
    const here = await ask('POST /api/auth/access', { ...plain, [ASSERTION]: assertion });
    expect(here.names).toContain(ASSERTION.toLowerCase());
    expect(here.status).toBe(200);
  });
});
