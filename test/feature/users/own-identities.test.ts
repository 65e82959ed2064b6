/**
 * @module `/api/users/me/identities`: users link and unlink the providers that sign them in.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sha256Base64Url } from '../../../src/common/digest.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { describeApi } from '../../support/describe-api.ts';
import { conformity, seenOf } from '../../support/described.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { Browser, type Issuer, openIssuer, serveIssuers } from '../../support/issuer.ts';
import { limiterOf } from '../../support/limiter.ts';
import {
  ann,
  arrive,
  clear,
  enter,
  exchange,
  ISSUER,
  ORIGIN,
  openProviders,
  providers,
  rowsOf,
  run,
  servingProviders,
  signedIn,
} from '../../support/provider-world.ts';
import { bearer, createToken, recordedRegistry, sendJson } from '../../support/recorded.ts';
import { login, PASSWORD, post, refusalOf, register, type SignedIn } from '../../support/users.ts';

const PATH = '/api/users/me/identities';
const roles = { authenticated: ['plugin::users-permissions.identity.*', 'plugin::users-permissions.user.me'] };
const send = servingProviders({}, { roles });
const sessions = servingProviders({ jwtManagement: 'refresh' }, { roles });

let issuer: Issuer;
let other: Issuer;
beforeAll(async () => {
  issuer = await openProviders();
  other = await openIssuer('https://other.example.com');
  serveIssuers(issuer, other);
  await createToken('full', 'full-access');
});
beforeEach(async () => {
  await clear();
  issuer.person = ann;
  other.person = { ...ann, sub: 'other' };
});

const verifier = 'a text that only the page knows, of 43 characters';
const challenge = `?code_challenge=${sha256Base64Url(verifier)}`;

/** Signs in at a provider, and returns what the page of the account sends. */
async function proofOf(at: Issuer = issuer, query = challenge, by = send) {
  const browser = new Browser(by);
  const page =
    at === issuer
      ? await arrive(issuer, browser, query)
      : await browser.follow(at.agree((await browser.follow(`/api/connect/other${query}`)).href));
  return { access_token: page.searchParams.get('access_token') ?? '', code_verifier: verifier };
}

const link = ({ jwt }: Pick<SignedIn, 'jwt'>, body: object, by = send) =>
  post(by, PATH, { currentPassword: PASSWORD, ...body }, jwt);
const linked = async (user: SignedIn, at: Issuer = issuer) => link(user, await proofOf(at));
const unlink = ({ jwt }: SignedIn, provider: string, by = send) =>
  by(`${PATH}/${provider}`, { method: 'DELETE', ...bearer(jwt) });
const listed = async ({ jwt }: SignedIn) =>
  ((await (await send(PATH, bearer(jwt))).json()) as { data: { provider: string }[] }).data;
const identities = () => rowsOf('select issuer, subject, user from edgewise_identities order by issuer desc');

describe('a link', () => {
  it('is made with the sign-in of a provider, which then signs in, whatever its address', async () => {
    const user = await register(send, 'bob');
    const response = await linked(user);
    expect(response.status).toBe(201);
    const { data } = (await response.json()) as { data: object };
    expect(data).toEqual({ provider: 'keycloak', createdAt: expect.stringMatching(/^20.*Z$/) });
    expect(await listed(user)).toEqual([data]);
    expect(await identities()).toEqual([{ issuer: ISSUER, subject: '1', user: user.user.documentId }]);
    expect((await signedIn(enter(issuer, ann, send))).user.id).toBe(user.user.id);
    expect((await login(send, 'bob')).status).toBe(200);
  });

  it('takes the right verifier, of a sign-in that had a challenge', async () => {
    const user = await register(send, 'bob');
    const [proof, bare] = [await proofOf(), await proofOf(issuer, '')];
    const misfit = '400 ApplicationError: code_verifier does not fit the code_challenge of this sign-in';
    expect(await refusalOf(await link(user, { ...proof, code_verifier: 'another' }))).toBe(misfit);
    expect(await refusalOf(await link(user, bare))).toBe(misfit);
    expect(await refusalOf(await link(user, { ...proof, code_verifier: undefined }))).toBe(
      '400 ValidationError: code_verifier is a required field',
    );
    expect(await identities()).toEqual([]);
    expect((await link(user, proof)).status).toBe(201);
  });

  it.each([undefined, '', 'wrong'])('takes the password of a user who has one, which is not %j', async (password) => {
    const user = await register(send, 'bob');
    const refusal = await refusalOf(await link(user, { ...(await proofOf()), currentPassword: password }));
    expect(refusal).toBe('400 ValidationError: The provided current password is invalid');
    expect(await identities()).toEqual([]);
  });

  it('takes the password of the moment at which it is made', async () => {
    const user = await register(send, 'bob');
    const change = () => run("update up_users set password = 'a hash', updated_at = updated_at + 1");
    const late = servingProviders({}, { roles }, { DB: interleavedDatabase(env.DB, 2, change) });
    expect((await link(user, await proofOf(), late)).status).toBe(400);
    expect(await identities()).toEqual([]);
  });

  it('takes no password of a user who has none', async () => {
    const user = await signedIn(enter(issuer, ann, send));
    expect((await link(user, { ...(await proofOf(other)), currentPassword: undefined })).status).toBe(201);
    expect(await listed(user)).toMatchObject([{ provider: 'keycloak' }, { provider: 'other' }]);
  });

  it('is made once with a sign-in, and not with one that has signed in', async () => {
    const [bob, eve] = [await register(send, 'bob'), await register(send, 'eve')];
    const proof = await proofOf();
    const statuses = (await Promise.all([link(bob, proof), link(eve, proof)])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 400]);
    expect(await identities()).toHaveLength(1);
    await run('delete from edgewise_identities');
    const used = '400 ApplicationError: OAuth authentication requires a completed provider session';
    expect(await refusalOf(await link(bob, proof))).toBe(used);
    const browser = new Browser(send);
    const page = await arrive(issuer, browser, challenge);
    await exchange(browser, page, `&code_verifier=${encodeURIComponent(verifier)}`);
    const token = page.searchParams.get('access_token');
    expect(await refusalOf(await link(bob, { access_token: token, code_verifier: verifier }))).toBe(used);
  });

  it('takes a sign-in that was linked no longer for tokens', async () => {
    const user = await register(send, 'bob');
    const browser = new Browser(send);
    const page = await arrive(issuer, browser, challenge);
    const body = { access_token: page.searchParams.get('access_token'), code_verifier: verifier };
    expect((await link(user, body)).status).toBe(201);
    expect((await exchange(browser, page, `&code_verifier=${encodeURIComponent(verifier)}`)).status).toBe(400);
  });

  it('is not made with the identity of another user, who keeps it, nor by two users at once', async () => {
    const [user, eve] = [await register(send, 'bob'), await register(send, 'eve')];
    const proofs = [await proofOf(), await proofOf()] as const;
    const statuses = (await Promise.all([link(user, proofs[0]), link(eve, proofs[1])])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 400]);
    await run('delete from edgewise_identities');
    const owner = await signedIn(enter(issuer, ann, send));
    expect(await refusalOf(await linked(user))).toBe(
      '400 ApplicationError: This user of Keycloak signs in to another account',
    );
    expect(await identities()).toMatchObject([{ user: owner.user.documentId }]);
  });

  it('is not made beside another one of the issuer, nor by two requests at once', async () => {
    const user = await register(send, 'bob');
    const first = await proofOf();
    issuer.person = { ...ann, sub: '2' };
    const second = await proofOf();
    const statuses = (await Promise.all([link(user, first), link(user, second)])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 400]);
    expect(await identities()).toHaveLength(1);
    expect(await refusalOf(await linked(user))).toBe(
      '400 ApplicationError: A user of Keycloak signs in to your account already: unlink that one first',
    );
  });

  it('is not made with a provider that the settings no longer have', async () => {
    const user = await register(send, 'bob');
    const settings = { clientId: 'site', secret: 'KEYCLOAK_SECRET', issuer: other.url };
    const without = servingProviders({ providers: { other: settings } }, { roles });
    expect(await refusalOf(await link(user, await proofOf(), without))).toBe(
      '400 ApplicationError: This provider is disabled',
    );
  });
});

it('is described as it is answered', async () => {
  const settings = parseSettings({ server: { url: ORIGIN }, users: { providers } });
  const user = await register(send, 'bob');
  const answers: [string, string, Response][] = [
    ['POST', '', await linked(user)],
    ['GET', '', await send(PATH, bearer(user.jwt))],
    ['DELETE', '/keycloak', await unlink(user, 'keycloak')],
    ['DELETE', '/keycloak', await unlink(user, 'keycloak')],
  ];
  const seen = answers.map(([method, path, response]) => seenOf(`${ORIGIN}${PATH}${path}`, method, response));
  const description = describeApi(recordedRegistry, settings);
  const { complaints, succeeded } = await conformity(description, await Promise.all(seen));
  expect([complaints, succeeded.toSorted()]).toEqual([[], ['identityFind', 'identityLink', 'identityUnlink']]);
});

describe('an unlinked provider', () => {
  it('signs in no longer, but as somebody new', async () => {
    const user = await register(send, 'bob');
    await linked(user);
    const response = await unlink(user, 'keycloak');
    expect([response.status, await response.json()]).toEqual([200, { data: {} }]);
    expect(await listed(user)).toEqual([]);
    expect((await signedIn(enter(issuer, ann, send))).user.id).not.toBe(user.user.id);
  });

  it('leaves the others, of which the account is then', async () => {
    const user = await signedIn(enter(issuer, ann, send));
    await linked(user, other);
    expect((await unlink(user, 'keycloak')).status).toBe(200);
    expect(await identities()).toMatchObject([{ issuer: other.url }]);
    expect(await rowsOf('select provider from up_users')).toEqual([{ provider: 'other' }]);
    expect(await refusalOf(await enter(issuer, ann, send))).toBe('400 ApplicationError: Email is already taken.');
  });

  it('is not the only way to sign in', async () => {
    const last = '400 ApplicationError: Nothing else signs you in: link another provider or choose a password first';
    const user = await signedIn(enter(issuer, ann, send));
    expect(await refusalOf(await unlink(user, 'keycloak'))).toBe(last);
    // The password of an account of a provider signs nobody in.
    await run("update up_users set password = 'a hash'");
    expect(await refusalOf(await unlink(user, 'keycloak'))).toBe(last);
    // Nor does a provider that is gone.
    await run('insert into edgewise_identities values (?, ?, ?, ?, 0)', 'x', '1', user.user.documentId, 'gone');
    expect(await refusalOf(await unlink(user, 'keycloak'))).toBe(last);
    expect(await identities()).toHaveLength(2);
    await run("update up_users set provider = 'local', updated_at = updated_at + 1");
    expect((await unlink(user, 'keycloak')).status).toBe(200);
  });

  it('is not the only way to sign in, where the password goes meanwhile', async () => {
    const user = await register(send, 'bob');
    await linked(user);
    const change = () => run('update up_users set password = null, updated_at = updated_at + 1');
    const late = servingProviders({}, { roles }, { DB: interleavedDatabase(env.DB, 1, change) });
    expect((await unlink(user, 'keycloak', late)).status).toBe(400);
    expect(await identities()).toHaveLength(1);
  });

  it('may be the last one where Cloudflare Access signs in', async () => {
    const user = await signedIn(enter(issuer, ann, send));
    await run('insert into edgewise_identities values (?, ?, ?, ?, 0)', 'x', '1', user.user.documentId, 'access');
    expect((await unlink(user, 'keycloak')).status).toBe(400);
    const access = { team: 'https://example.cloudflareaccess.com', audience: 'a'.repeat(64) };
    expect((await unlink(user, 'keycloak', servingProviders({}, { roles, access }))).status).toBe(200);
    expect(await rowsOf('select provider from up_users')).toEqual([{ provider: 'access' }]);
  });

  it.each(['keycloak', 'google'])('is one of two, also if both are unlinked at once, by a user of %s', async (name) => {
    const user = await signedIn(enter(issuer, ann, send));
    await linked(user, other);
    await run('update up_users set provider = ?', name);
    const responses = await Promise.all([unlink(user, 'keycloak'), unlink(user, 'other')]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(await identities()).toHaveLength(1);
  });

  it('is one of the user', async () => {
    const owner = await signedIn(enter(issuer, ann, send));
    const user = await register(send, 'bob');
    for (const provider of ['keycloak', 'other', '__proto__', '%25'])
      expect(await refusalOf(await unlink(user, provider))).toBe('404 NotFoundError: Identity not found');
    expect(await identities()).toMatchObject([{ user: owner.user.documentId }]);
  });
});

describe('the identities of a user', () => {
  const requests: readonly (readonly [string, (jwt: string, by: typeof send) => Promise<Response>])[] = [
    ['are listed', (jwt, by) => by(PATH, bearer(jwt))],
    ['are linked', async (jwt, by) => link({ jwt }, await proofOf(issuer, challenge, by), by)],
    ['are unlinked', (jwt, by) => by(`${PATH}/keycloak`, { method: 'DELETE', ...bearer(jwt) })],
  ];

  it.each(requests)('%s by no API token, and by nobody who is not signed in', async (_, request) => {
    const open = servingProviders({}, { roles: { ...roles, public: ['plugin::users-permissions.identity.*'] } });
    expect(await refusalOf(await request('full', send))).toBe('401 UnauthorizedError: Unauthorized');
    expect(await refusalOf(await request('', send))).toBe('403 ForbiddenError: Forbidden');
    expect(await refusalOf(await request('', open))).toBe('401 UnauthorizedError: Unauthorized');
    expect(await identities()).toEqual([]);
  });

  it.each(requests)('%s by no role without the permission', async (_, request) => {
    const { jwt } = await register(send, 'bob');
    expect(await refusalOf(await request(jwt, servingProviders()))).toBe('403 ForbiddenError: Forbidden');
  });

  it.each(requests)(
    '%s by no user who was blocked or deleted, and in no session that has ended',
    async (_, request) => {
      const { jwt, user } = await signedIn(enter(issuer, ann, sessions));
      await sessions('/api/auth/logout', sendJson('POST', jwt, {}));
      expect((await request(jwt, sessions)).status).toBe(401);
      const next = await signedIn(enter(issuer, ann, sessions));
      await run('update up_users set blocked = 1');
      expect((await request(next.jwt, sessions)).status).toBe(401);
      await run('delete from up_users');
      expect((await request(next.jwt, sessions)).status).toBe(401);
      expect(await identities()).toEqual([{ issuer: ISSUER, subject: '1', user: user.documentId }]);
    },
  );

  it.each(requests)('%s only where there are providers', async (_, request) => {
    const { jwt } = await register(send, 'bob');
    const none = servingProviders({ providers: {} }, { roles });
    const by: typeof send = (path, init) => (path.startsWith(PATH) ? none : send)(path, init);
    expect((await request(jwt, by)).status).toBe(404);
  });
});

it.each([
  ['POST', PATH],
  ['DELETE', `${PATH}/keycloak`],
])('%s %s is counted by address', async (method, path) => {
  const limited = { AUTH_RATE_LIMIT: limiterOf(1) } as Partial<Env>;
  const counting = servingProviders({}, { roles, rateLimit: { auth: { enabled: true } } }, limited);
  const from = { method, headers: { 'cf-connecting-ip': '192.0.2.1' } };
  expect((await counting(path, from)).status).not.toBe(429);
  expect((await counting(path, from)).status).toBe(429);
});
