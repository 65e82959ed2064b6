/**
 * @module Refresh tokens of clients: each works once, but for ten seconds in which a lost response can be had again.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import {
  allow,
  CLIENT,
  codeOf,
  connect,
  form,
  redeem,
  refresh,
  serveDocuments,
  serving,
  statusOf,
  tokensOf,
} from '../../support/oauth-world.ts';
import { createTables } from '../../support/recorded.ts';
import { register } from '../../support/users.ts';

const send = serving();
const UNAVAILABLE = { error: 'temporarily_unavailable', error_description: 'The server cannot do this now' };

beforeAll(async () => {
  await createTables();
  serveDocuments();
});

/** As if the last rotation was longer ago. */
const wait = (milliseconds: number) =>
  env.DB.prepare('update edgewise_oauth_grants set updated_at = updated_at - ?').bind(milliseconds).run();

describe('a refresh token', () => {
  it('gives successors that continue one chain within ten seconds, and ends the grant after', async () => {
    const { tokens } = await connect(send, 'grace');
    const [one, two] = await Promise.all([1, 2].map(() => tokensOf(refresh(send, tokens.refresh_token))));
    await wait(9_000);
    const three = await tokensOf(refresh(send, tokens.refresh_token));
    const ofBoth = await tokensOf(refresh(send, one?.refresh_token ?? ''));
    expect((await refresh(send, two?.refresh_token ?? '')).status).toBe(200);
    expect((await refresh(send, three.refresh_token)).status).toBe(200);
    expect(await statusOf(send, ofBoth.access_token)).toBe(200);
    await wait(11_000);
    expect(await (await refresh(send, three.refresh_token)).json()).toMatchObject({ error: 'invalid_grant' });
    expect(await statusOf(send, ofBoth.access_token)).toBe(401);
    expect((await refresh(send, ofBoth.refresh_token)).status).toBe(400);
  });

  it('is good for a year after the user has allowed it, and no longer', async () => {
    const { user, tokens } = await connect(send, 'year');
    const DAY = 86_400_000;
    const made = Date.now() - 365 * DAY + 60_000;
    await env.DB.prepare('update edgewise_oauth_grants set created_at = ? where user = ?')
      .bind(made, user.documentId)
      .run();
    expect((await refresh(send, tokens.refresh_token)).status).toBe(200);
    const end = env.DB.prepare('select expires_at from edgewise_oauth_grants where user = ?').bind(user.documentId);
    expect(await end.first('expires_at')).toBe(made + 365 * DAY);
  });

  it('is not that of another client, whose request ends nothing', async () => {
    const { tokens } = await connect(send, 'client');
    const other = { client_id: 'https://other.example/client.json' };
    expect((await refresh(send, tokens.refresh_token, other)).status).toBe(400);
    expect((await refresh(send, tokens.refresh_token, { client_id: '' })).status).toBe(200);
  });

  it('is of no use to a user without a confirmed address, where it has to be confirmed', async () => {
    const { user, tokens } = await connect(send, 'unconfirmed');
    await env.DB.prepare('update up_users set confirmed = 0 where document_id = ?').bind(user.documentId).run();
    const next = await refresh(send, tokens.refresh_token);
    expect(next.status).toBe(200);
    const strict = serving({ users: { emailConfirmation: true } });
    expect((await refresh(strict, (await tokensOf(next)).refresh_token)).status).toBe(400);
  });
});

describe('the token endpoint', () => {
  it('takes forms alone, and each parameter once', async () => {
    const json = await send('/oauth/token', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(await json.json()).toMatchObject({ error: 'invalid_request' });
    const twice = new URLSearchParams([
      ...['a', 'b'].map((code) => ['code', code]),
      ['grant_type', 'authorization_code'],
      ['client_id', CLIENT],
      ['redirect_uri', 'x'],
      ['code_verifier', 'y'],
    ]);
    expect(await (await send('/oauth/token', { method: 'POST', body: twice })).json()).toEqual({
      ...{ error: 'invalid_request', error_description: 'code is there twice' },
    });
  });

  it('is read by pages of every origin, without their cookies', async () => {
    const origin = { origin: 'https://inspector.example' };
    for (const path of [
      ...['/oauth/token', '/oauth/revoke', '/.well-known/oauth-authorization-server'],
      ...['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'],
    ]) {
      const preflight = { method: 'OPTIONS', headers: { ...origin, 'access-control-request-method': 'POST' } };
      const allowed = await send(path, preflight);
      expect(allowed.headers.get('access-control-allow-methods')).toBe('GET,POST,HEAD');
      for (const response of [allowed, await send(path, { headers: origin })]) {
        expect(response.headers.get('access-control-allow-origin')).toBe('*');
        expect(response.headers.get('access-control-allow-credentials')).toBeNull();
      }
    }
    const consent = await send('/api/auth/oauth/consent', { method: 'POST', headers: origin });
    expect(consent.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('reports what the server lacks as an error for clients', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const without = serving({}, { JWT_SECRET: undefined } as never);
    const response = await form(without, '/oauth/token', { grant_type: 'refresh_token', refresh_token: 'x' });
    expect([response.status, await response.json()]).toEqual([503, UNAVAILABLE]);
    expect(log).toHaveBeenCalledTimes(1);
    await form(without, '/oauth/token', {});
    expect(log).toHaveBeenCalledTimes(1);
    log.mockRestore();
  });

  it('says what it takes', async () => {
    const { error_description: types } = (await (
      await form(send, '/oauth/token', { grant_type: 'password' })
    ).json()) as { error_description: string };
    expect(types).toBe('Expected grant_type=authorization_code or refresh_token');
    const revoked = await form(send, '/oauth/revoke', {});
    expect([revoked.status, await revoked.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'token is missing' },
    ]);
  });

  it('rejects a header Authorization that the server cannot read: no client has a secret', async () => {
    const response = await send('/oauth/token', {
      method: 'POST',
      headers: { authorization: 'Bearer a.b.c' },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' }),
    });
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: 'invalid_client', error_description: 'Expected no header Authorization' },
    ]);
  });
});

describe('a request that the database fails', () => {
  /** An isolate whose batch of that number fails. */
  const failing = (batch: number) => {
    vi.spyOn(console, 'error').mockImplementationOnce(() => undefined);
    const fail = () => Promise.reject(new Error('D1_ERROR: disk I/O error'));
    return serving({}, { DB: interleavedDatabase(env.DB, batch, fail) });
  };
  const outcomeOf = async (response: Response) => [response.status, await response.json()];

  it('spends no code', async () => {
    const { jwt } = await register(send, 'unspent');
    const code = await codeOf(allow(send, jwt));
    expect(await outcomeOf(await redeem(failing(0), code))).toEqual([503, UNAVAILABLE]);
    expect((await redeem(send, code)).status).toBe(200);
  });

  it('is an error where a grant had to end: by a revocation, or a code that is redeemed again', async () => {
    const { jwt } = await register(send, 'unended');
    const code = await codeOf(allow(send, jwt));
    const tokens = await tokensOf(redeem(send, code));
    expect(await outcomeOf(await redeem(failing(1), code))).toEqual([503, UNAVAILABLE]);
    expect(await outcomeOf(await form(failing(0), '/oauth/revoke', { token: tokens.refresh_token }))).toEqual([
      503,
      UNAVAILABLE,
    ]);
    expect(await statusOf(send, tokens.access_token)).toBe(200);
    expect((await redeem(send, code)).status).toBe(400);
    expect(await statusOf(send, tokens.access_token)).toBe(401);
  });
});
