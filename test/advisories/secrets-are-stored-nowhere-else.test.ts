/**
 * @module Class 5 of the advisories of 2026: a password, a token, a code and a private value are stored in their own column
 * alone, hashed where they can be: not in the outbox of webhooks, not for an `Idempotency-Key`, not with a schedule, not in
 * a log, a message or a call of own code. Directus CVE-2026-39943 (secrets in the revision history) and CVE-2024-47822
 * (access tokens in logs). A history
 * keeps private values, which it shows to callers who may see them, and never a password.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../src/common/digest.ts';
import { createRegistryTables, serveRegistry } from '../support/app.ts';
import { clientOf, documentOf } from '../support/client.ts';
import { receivers } from '../support/receivers.ts';
import { bearer, createToken, sendJson } from '../support/recorded.ts';
import { component, contentType, registryOf } from '../support/schema-files.ts';
import { outbox, post } from '../support/users.ts';
import { tables } from './surfaces.ts';

const registry = registryOf(
  [
    contentType(
      'safe',
      {
        title: { type: 'string', minLength: 3 },
        note: { type: 'text', private: true },
        pin: { type: 'password' },
        box: { type: 'component', component: 'parts.box' },
        spilled: { type: 'string' },
        spilledNote: { type: 'text', private: true },
        spilledPin: { type: 'password' },
      },
      { drafts: true },
    ),
  ],
  [component('parts.box', { label: { type: 'string' }, code: { type: 'text', private: true } })],
  { 'api::safe.safe': ['spilled', 'spilledNote', 'spilledPin'] },
);

const SAFE = {
  title: 'Safe',
  note: 'private-note',
  pin: 'document-password',
  box: { label: 'Box', code: 'private-code' },
  spilled: 'shown',
  spilledNote: 'private-spilled-note',
  spilledPin: 'spilled-password',
};
const PRIVATE = ['private-note', 'private-code', 'private-spilled-note'];
const PASSWORDS = ['document-password', 'spilled-password', 'user-password', 'new-password'];
const TOKEN = 'full-access-token';

const network = receivers();
const mail = outbox();
const logged: unknown[] = [];
const committed: unknown[] = [];
const settings = {
  history: true as const,
  webhooks: [{ url: 'https://hooks.example.com/', events: ['entry.*'] }],
  users: { emailConfirmation: true },
};
const send = serveRegistry(registry, settings, {}, mail, {
  afterCommit: (changes, { caller }) => void committed.push(changes, caller.kind),
});
const owner = clientOf(send, TOKEN);

/** Secrets of accounts, filled by the requests below. */
const issued: string[] = [];
let safe = '';

const codeIn = (text = '') => /(?:code|confirmation)=([0-9a-f]+)/.exec(text)?.[1] ?? '';

async function useAccounts(): Promise<void> {
  const account = { username: 'somebody', email: 'somebody@example.com', password: 'user-password' };
  await post(send, '/api/auth/local/register', account);
  const confirmation = codeIn(mail.messages.at(-1)?.text);
  await send(`/api/auth/email-confirmation?confirmation=${confirmation}`, { redirect: 'manual' });
  await post(send, '/api/auth/forgot-password', { email: account.email });
  const code = codeIn(mail.messages.at(-1)?.text);
  await post(send, '/api/auth/forgot-password', { email: account.email });
  const refused = { code, password: 'new-password', passwordConfirmation: 'user-password' };
  await post(send, '/api/auth/reset-password', refused);
  const body = {
    code: codeIn(mail.messages.at(-1)?.text),
    password: 'new-password',
    passwordConfirmation: 'new-password',
  };
  const { jwt } = (await (await post(send, '/api/auth/reset-password', body)).json()) as { jwt: string };
  expect(jwt).toMatch(/\./);
  issued.push(confirmation, code, body.code, jwt);
}

const keyed = (key: string, body: unknown): RequestInit => {
  const init = sendJson('POST', TOKEN, body);
  return { ...init, headers: { ...init.headers, 'idempotency-key': key } };
};

async function useDocuments(): Promise<void> {
  safe = (await documentOf(send('/api/safes', keyed('create', { data: SAFE })))).documentId;
  const path = `/api/safes/${safe}`;
  const requests = [{ method: 'PUT', path, body: { data: SAFE } }];
  expect((await send('/api/batch', keyed('batch', { requests }))).status).toBe(200);
  for (const action of ['unpublish', 'publish', 'discard-draft'])
    expect((await post(send, `${path}/actions/${action}`, {}, TOKEN)).status).toBe(200);
  await owner.update(`${path}?status=draft`, { title: 'x', spilledPin: 'spilled-password' });
  const at = { data: { at: '2999-01-01T00:00:00Z' } };
  expect((await post(send, `${path}/actions/publish`, at, TOKEN)).status).toBe(200);
  // Each of these is an error.
  await owner.create('/api/safes', { ...SAFE, pin: { toString: 'document-password' } });
  await owner.update(path, { ...SAFE, title: 'x' });
  await send(path, { ...sendJson('PUT', TOKEN, {}), body: '{"data":{"pin":"document-password"' });
}

beforeAll(async () => {
  for (const name of ['log', 'warn', 'error'] as const)
    vi.spyOn(console, name).mockImplementation((...said) => void logged.push(said));
  network.respond = () => new Response('no', { status: 500 });
  await createRegistryTables(registry);
  await createToken(TOKEN, 'full-access');
  await useAccounts();
  await useDocuments();
});

afterAll(() => {
  vi.restoreAllMocks();
});

/** The columns in which a text is stored, as `table.column`. */
async function columnsWith(text: string): Promise<readonly string[]> {
  const found = (await tables()).flatMap(([table, rows]) =>
    rows
      .flatMap((row) => Object.entries(row))
      .filter(([, value]) => String(value).includes(text))
      .map(([column]) => `${table}.${column}`),
  );
  return [...new Set(found)].sort();
}

describe('before a deletion', () => {
  it.each([
    ['private-note', ['edgewise_history.entry', 'safes.note']],
    ['private-code', ['edgewise_history.entry', 'safes.box']],
    ['private-spilled-note', ['edgewise_history.entry', 'safes.overflow_attributes']],
    ['scrypt$', ['safes.overflow_attributes', 'safes.pin', 'up_users.password']],
  ])('%s is stored in its own column alone', async (secret, columns) => {
    expect(await columnsWith(secret)).toEqual(columns);
  });

  it.each(PASSWORDS)('the password %s is not stored', async (password) => {
    expect(await columnsWith(password)).toEqual([]);
  });

  it('no code by e-mail, JWT and hash of a token beside its own is stored', async () => {
    expect(issued).toHaveLength(4);
    for (const secret of issued) expect([secret, await columnsWith(secret)]).toEqual([secret, []]);
    expect(await columnsWith(sha256(TOKEN))).toEqual(['strapi_api_tokens.access_key']);
  });

  it('no fast hash of a body with a password is stored for an Idempotency-Key', async () => {
    const digest = (...before: string[]) => sha256(JSON.stringify([...before, 'v5', '/api/safes', '', SAFE]));
    expect(await columnsWith(digest())).toEqual([]);
    // The same digest, made slow to guess by the header.
    expect(await columnsWith(digest('create'))).toEqual(['edgewise_requests.digest']);
  });
});

describe('outside of the database', () => {
  it('no secret is in a log, a message to a webhook or a call of own code', () => {
    const told = JSON.stringify([logged, network.received.map(({ text }) => text), committed]);
    expect(network.received.length).toBeGreaterThan(0);
    expect(committed.length).toBeGreaterThan(0);
    for (const secret of [...PRIVATE, ...PASSWORDS, ...issued, TOKEN, 'scrypt$']) expect(told).not.toContain(secret);
  });

  it('no secret is in the response to a read, a write that fails, a schedule or the description', async () => {
    const path = `/api/safes/${safe}`;
    const responses = await Promise.all([
      owner.get(`${path}?populate=*`),
      owner.get(`${path}?populate=*&status=draft`),
      owner.update(path, {}),
      send('/api/scheduled', bearer(TOKEN)),
      send('/openapi.json', bearer(TOKEN)),
      send('/api/users', bearer(TOKEN)),
    ]);
    const listed = (await (await owner.get(`${path}/history`)).json()) as {
      data: readonly { revision: string; hasValues: boolean }[];
    };
    expect(listed.data.length).toBeGreaterThan(1);
    for (const { revision } of listed.data.filter(({ hasValues }) => hasValues)) {
      const shown = await owner.get(`${path}/history/${revision}?populate=*`);
      expect(shown.status).toBe(200);
      responses.push(shown);
    }
    expect(responses.slice(0, 6).map(({ status }) => status)).toEqual([200, 200, 400, 200, 200, 200]);
    for (const response of responses) {
      const text = await response.text();
      for (const secret of [...PRIVATE, ...PASSWORDS, ...issued, 'scrypt$']) expect(text).not.toContain(secret);
    }
  });

  it('neither SQL, a stack, a bound value nor a token is in the response to an unexpected error, or in its log', async () => {
    const broken = {
      withSession: () => ({
        prepare: () => {
          throw new Error('malformed row of up_users private-note');
        },
        getBookmark: () => null,
      }),
    };
    logged.length = 0;
    const failing = serveRegistry(registry, settings, { DB: broken as never });
    const response = await failing('/api/safes?filters[title]=asked', bearer('kingfisher'));
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      data: null,
      error: { status: 500, name: 'InternalServerError', message: 'Internal Server Error' },
    });
    expect(logged).toHaveLength(1);
    expect(JSON.stringify(logged)).not.toMatch(/Bearer|kingfisher|asked/);
  });
});

describe('after a deletion', () => {
  beforeAll(async () => {
    expect((await owner.remove(`/api/safes/${safe}`)).status).toBe(204);
  });

  it('the outbox has the messages that wait', async () => {
    expect(await columnsWith('entry.delete')).toEqual(['edgewise_outbox.event']);
  });

  it.each(PRIVATE)('no column but the history has %s', async (secret) => {
    expect(await columnsWith(secret)).toEqual(['edgewise_history.entry']);
  });

  it('no hash of a password is left but those of users', async () => {
    expect(await columnsWith('scrypt$')).toEqual(['up_users.password']);
  });
});
