/**
 * @module Tools that a client uses in the name of a user: what they confirm, upload and link to, who is named, what it
 * costs, and what is left where oauth is off.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Claims } from '../../../src/content/credentials/jwt.ts';
import { addressedUpload } from '../../../src/features/mcp/uploading.ts';
import type { CallerInfo } from '../../../src/features/own-code/hooks.ts';
import { OF_TOOL } from '../../../src/http/context.ts';
import { serveRegistry } from '../../support/app.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import {
  ASKED,
  connect,
  grantsIn,
  ISSUER,
  rpc,
  SETTINGS,
  serveDocuments,
  serving,
  statusOf,
  use,
} from '../../support/oauth-world.ts';
import { bearer, recordedRegistry, sendJson } from '../../support/recorded.ts';
import { formOf, TEXT } from '../../support/uploads.ts';
import { JWT_SECRET, post } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const preview = {
  'api::article.article': { url: 'https://site.example/{documentId}?t={token}', populate: ['api::author.author'] },
};
const roles = { authenticated: [...(SETTINGS.roles?.authenticated ?? []), 'api::article.article.previewLink'] };
const send = serving({ preview, roles } as never);

openMagazine();
beforeAll(async () => {
  serveDocuments();
});

// biome-ignore lint/suspicious/noExplicitAny: JSON of any document
const made = async (name: string, data: object): Promise<any> =>
  ((await (await send(`/api/${name}`, sendJson('POST', 'full', { data }))).json()) as { data: object }).data;

describe('a client', () => {
  it('confirms what it has asked itself, also with its next token', async () => {
    const { tokens } = await connect(send, 'confirms');
    const { data } = await use(send, tokens.access_token, 'create', { type: 'articles', data: { title: 'Gone' } });
    const args = { type: 'articles', documentId: data.documentId };
    const { revision } = await use(send, tokens.access_token, 'delete', args);
    const { tokens: others } = await connect(send, 'confirms-other');
    expect((await use(send, others.access_token, 'delete', { ...args, dryRun: false, revision })).done).not.toBe(true);
    const refreshed = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    const next = (await (
      await send('/oauth/token', { method: 'POST', body: new URLSearchParams(refreshed) })
    ).json()) as { access_token: string };
    expect((await use(send, next.access_token, 'delete', { ...args, dryRun: false, revision })).done).toBe(true);
  });

  it('uploads files to an address that ends with the grant', async () => {
    const { jwt, tokens } = await connect(send, 'uploads');
    expect((await use(send, tokens.access_token, 'upload', { name: 'a.txt', base64: 'YQ==' })).data.name).toBe('a.txt');
    const addressOf = async () => (await use(send, tokens.access_token, 'upload', { name: 'b.txt' })).address as string;
    const [used, late] = [await addressOf(), await addressOf()];
    // The address has the claims of the client, and not its token.
    const sealed = await addressedUpload(used.slice(used.lastIndexOf('/') + 1), JWT_SECRET, Date.now());
    expect([sealed?.headers.authorization, sealed?.claims?.client?.host]).toEqual([undefined, 'client.example.com']);
    const file = { method: 'POST', body: formOf([TEXT]) };
    expect((await send(new URL(used).pathname, file)).status).toBe(201);
    const [grant] = ((await (await send('/api/auth/oauth/grants', bearer(jwt))).json()) as { data: { id: string }[] })
      .data;
    await send(`/api/auth/oauth/grants/${grant?.id}`, { method: 'DELETE', ...bearer(jwt) });
    const again = { method: 'POST', body: formOf([TEXT]) };
    expect((await send(new URL(late).pathname, again)).status).toBe(401);
  });

  it('makes links to drafts that show its types alone, and end with the grant', async () => {
    const author = await made('authors', { name: 'Author of a preview' });
    const { documentId } = await made('articles', { title: 'Previewed', author: author.documentId });
    const link = async (token: string) =>
      (await use(send, token, 'preview_link', { type: 'articles', documentId })).data.token as string;
    const shown = async (token: string) => {
      const response = await send(`/api/articles/${documentId}?status=draft&populate=author`, bearer(token));
      return `${response.status} ${await response.text()}`;
    };
    const { jwt, tokens } = await connect(send, 'linking', { types: ['api::article.article'] });
    const narrow = await link(tokens.access_token);
    expect(await shown(narrow)).toMatch(/^200 .*Previewed/);
    expect(await shown(narrow)).not.toContain('Author of a preview');
    // Whoever sees a link learns nothing of the client.
    expect(Buffer.from(narrow.slice('preview_'.length), 'base64url').toString('latin1')).not.toContain('client');
    expect(await shown(`${narrow}A`)).toMatch(/^401/);
    const [grant] = ((await (await send('/api/auth/oauth/grants', bearer(jwt))).json()) as { data: { id: string }[] })
      .data;
    await send(`/api/auth/oauth/grants/${grant?.id}`, { method: 'DELETE', ...bearer(jwt) });
    expect(await shown(narrow)).toMatch(/^401/);
  });
});

describe('a token of a client', () => {
  it('is one of no account, even if a tool could be made to ask', async () => {
    const { user, tokens } = await connect(send, 'tricked');
    expect(await statusOf(send, tokens.access_token)).toBe(200);
    const grant = (await grantsIn()).find((each) => each.user === user.documentId);
    const client = { grant: String(grant?.id), host: 'h', level: 'write' as const, types: null };
    const claims: Claims = { id: user.id, issuedAt: Date.now(), session: null, client };
    const tricked = serving({}, { [OF_TOOL]: { claims } } as never);
    expect((await tricked('/api/articles')).status).toBe(200);
    for (const [path, init] of [
      ['/api/users/me', {}],
      ['/api/auth/change-password', sendJson('POST', '', {})],
      ['/api/auth/oauth/request', sendJson('POST', '', ASKED)],
      ['/api/auth/oauth/consent', sendJson('POST', '', { ...ASKED, level: 'write', types: null })],
      ['/api/auth/oauth/grants', {}],
    ] as const)
      expect((await tricked(path, { ...init, headers: { 'content-type': 'application/json' } })).status, path).toBe(
        403,
      );
  });

  it('is refused with the way to another one', async () => {
    for (const token of ['ewa_x', 'ewr_x', 'x']) {
      const response = await rpc(send, token, 'tools/list');
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringMatching(new RegExp(`^Bearer error="invalid_token", resource_metadata="${ISSUER}/`)),
      ]);
    }
  });

  it('costs no round trip, and its use is noted once an hour', async () => {
    const { tokens } = await connect(send, 'counted');
    const { database, batches } = countedDatabase(env.DB);
    const counting = serving({}, { DB: database });
    await use(counting, tokens.access_token, 'find', { type: 'articles' });
    const reads = batches.filter((batch) => batch.some((sql) => sql.startsWith('select')));
    expect(reads).toHaveLength(1);
    expect(batches.filter((batch) => batch.some((sql) => sql.includes('update "edgewise_oauth_grants"')))).toHaveLength(
      1,
    );
    batches.length = 0;
    await use(counting, tokens.access_token, 'find', { type: 'articles' });
    expect(batches).toHaveLength(1);
  });

  it('keeps what the user has saved beside what their client saves', async () => {
    const { jwt, tokens } = await connect(send, 'bea');
    const token = tokens.access_token;
    const { data } = await use(send, token, 'create', { type: 'articles', data: { title: 'By the client' } });
    const path = `/api/articles/${data.documentId}?status=draft`;
    const byUser = async (title: string) => {
      expect((await send(path, sendJson('PUT', jwt, { data: { title } }))).status).toBe(200);
    };
    const byClient = async (title: string) => {
      const args = { type: 'articles', documentId: data.documentId };
      const { revision } = await use(send, token, 'get', { ...args, status: 'draft' });
      await use(send, token, 'update', { ...args, revision, data: { title } });
    };
    await byUser('By Bea');
    await byUser('By Bea, again');
    await byClient('By the client, later');
    await byClient('By the client, again');
    await byUser('By Bea, at last');
    const { data: versions } = await use(send, token, 'history', { type: 'articles', documentId: data.documentId });
    expect(versions.map(({ by }: { by: { name: string } }) => by.name)).toEqual([
      ...['bea', 'bea by client.example.com', 'bea', 'bea by client.example.com'],
    ]);
  });

  it('names both to the code of the project', async () => {
    const callers: CallerInfo[] = [];
    const beforeWrite = {
      'api::article.article': (data: object, { caller }: { readonly caller: CallerInfo }) => {
        callers.push(caller);
        return data;
      },
    };
    const hooked = serveRegistry(recordedRegistry, SETTINGS, {}, undefined, { beforeWrite } as never);
    const { jwt, user, tokens } = await connect(send, 'ann-of-hooks');
    await use(hooked, tokens.access_token, 'create', { type: 'articles', data: { title: 'By tool' } });
    await hooked('/api/articles', sendJson('POST', jwt, { data: { title: 'By hand' } }));
    expect(callers.map(({ kind, userId, client }) => ({ kind, userId, client }))).toEqual([
      { kind: 'user', userId: user.id, client: 'client.example.com' },
      { kind: 'user', userId: user.id, client: undefined },
    ]);
  });
});

describe('where oauth is off', () => {
  const off = serving({ oauth: false });
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  it('nothing of it is there, and tools of the public are', async () => {
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource/mcp',
      '/oauth/authorize',
      '/api/auth/oauth/grants',
    ])
      expect((await off(path)).status, path).toBe(404);
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/register', '/api/auth/oauth/consent'])
      expect((await post(off, path, {})).status, path).toBe(405);
    expect((await post(off, '/mcp', message)).status).toBe(200);
    const { tokens } = await connect(send, 'off');
    const refused = await rpc(off, tokens.access_token, 'tools/list');
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('nothing is paid for it', async () => {
    const costs = [];
    for (const oauth of [true, false]) {
      const { database, batches, rowsRead } = countedDatabase(env.DB);
      const counting = serving({ oauth }, { DB: database });
      for (const round of [1, 2])
        await use(counting, 'full', 'find', { type: 'articles', filters: { title: `${round}` } });
      costs.push({ batches: batches.length, rows: [...rowsRead.values()].reduce((sum, rows) => sum + rows, 0) });
      expect(batches.flat().join()).not.toContain('edgewise_oauth_grants');
    }
    expect(costs[0]).toEqual(costs[1]);
  });
});

it('tools of the public stay where anonymous callers may use them, and nothing is said of a sign-in', async () => {
  const anonymous = serving({ mcp: { anonymous: true } });
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect((await post(anonymous, '/mcp', message)).status).toBe(200);
  const refused = await rpc(anonymous, 'ewa_x', 'tools/list');
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  const { tokens } = await connect(anonymous, 'anonymous');
  expect(await statusOf(anonymous, tokens.access_token)).toBe(200);
});
