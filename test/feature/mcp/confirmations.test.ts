/**
 * @module A confirmation holds for one action on one document in one locale, for both versions as they were, and once: that
 * of a person who was asked, and the revision that a dry run returns.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf, documentOf } from '../../support/client.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { createTables, createToken, type Send, sendJson, serve } from '../../support/recorded.ts';

const send = serve({ mcp: true });
const client = clientOf(send, 'full');
const META = 'io.modelcontextprotocol/';
const VERSION = '2026-07-28';
const YES = { inputResponses: { confirm: { action: 'accept', content: { confirm: true } } } };

beforeAll(async () => {
  await createTables();
  for (const token of ['full', 'other']) await createToken(token, 'full-access');
});

interface Asking {
  readonly elicitation?: object;
  readonly token?: string;
  readonly via?: Send;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of any tool
async function call(name: string, args: object, more: object = {}, asking: Asking = {}): Promise<any> {
  const { elicitation, token = 'full', via = send } = asking;
  const _meta = {
    [`${META}protocolVersion`]: VERSION,
    [`${META}clientCapabilities`]: elicitation ? { elicitation } : {},
  };
  const response = await via('/mcp', {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...{ 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call', 'mcp-name': name },
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args, _meta, ...more },
    }),
  });
  return ((await response.json()) as { result: unknown }).result;
}

/** An action, without its confirmation. */
interface Action {
  readonly tool: 'delete' | 'change_publication';
  readonly args: object;
}
type Confirm = (action: Action, asking?: Asking) => Promise<unknown>;

/** The two ways to confirm: each asks, and returns how to act on the yes to another action, or the same. */
const WAYS: readonly (readonly [string, (asked: Action) => Promise<Confirm>])[] = [
  [
    'the yes of a person',
    async ({ tool, args }) => {
      const { requestState } = await call(tool, args, {}, { elicitation: {} });
      expect(requestState).toMatch(/./);
      return async (action, asking) => {
        const more = { requestState, ...YES };
        return (await call(action.tool, action.args, more, { elicitation: {}, ...asking })).structuredContent;
      };
    },
  ],
  [
    'the revision of a dry run',
    async ({ tool, args }) => {
      const { revision, done } = (await call(tool, args)).structuredContent;
      expect([done, revision]).toEqual([false, expect.stringMatching(/./)]);
      return async (action, asking) => {
        const confirmed = { ...action.args, dryRun: false, revision };
        return (await call(action.tool, confirmed, {}, asking)).structuredContent;
      };
    },
  ],
];

const DONE = { done: true };
const CHANGED = { error: { status: 412, path: 'revision' } };
const INVALID = {
  error: {
    path: expect.stringMatching(/^(requestState|revision)$/),
    message: expect.stringMatching(/^Invalid (requestState|revision): it /),
  },
};

async function draft(title = 'Draft'): Promise<string> {
  return (await documentOf(client.create('/api/articles?status=draft', { title }))).documentId;
}
const of = (documentId: string, more: object = {}) => ({ type: 'articles', documentId, ...more });
const deletion = (documentId: string, more: object = {}): Action => ({ tool: 'delete', args: of(documentId, more) });
const publication = (documentId: string, action: string, more: object = {}): Action => ({
  tool: 'change_publication',
  args: of(documentId, { action, ...more }),
});
const post = (path: string) => send(path, sendJson('POST', 'full', {}));
const act = async (documentId: string, action: string) => {
  expect((await post(`/api/articles/${documentId}/actions/${action}`)).status).toBe(200);
};
const isThere = async (documentId: string, status: string): Promise<boolean> =>
  (await client.get(`/api/articles/${documentId}?status=${status}`)).status === 200;

describe.each(WAYS)('%s', (_, ask) => {
  it('to unpublish removes no other published version than the one that was there', async () => {
    const id = await draft();
    await act(id, 'publish');
    const confirm = await ask(publication(id, 'unpublish'));
    await client.update(`/api/articles/${id}`, { title: 'Live' });
    expect(await confirm(publication(id, 'unpublish'))).toMatchObject(CHANGED);
    expect(await isThere(id, 'published')).toBe(true);
  });

  it('holds for no other action, document, locale, time or caller', async () => {
    const [id, other] = [await draft(), await draft()];
    await act(id, 'publish');
    await client.update(`/api/articles/${id}?status=draft`, { title: 'Changed' });
    await client.update(`/api/articles/${id}?status=draft&locale=de`, { title: 'German' });
    const discard = publication(id, 'discardDraft');
    const confirm = await ask(discard);
    const at = new Date(Date.now() + 3_600_000).toISOString();
    for (const action of [
      publication(id, 'unpublish'),
      publication(id, 'publish'),
      deletion(id),
      publication(other, 'discardDraft'),
      publication(id, 'discardDraft', { locale: 'de' }),
      publication(id, 'unpublish', { at }),
    ])
      expect([action, await confirm(action)]).toMatchObject([action, INVALID]);
    expect(await confirm(discard, { token: 'other' })).toMatchObject(INVALID);
    expect([await isThere(id, 'draft'), await isThere(id, 'published')]).toEqual([true, true]);
    expect(await confirm(publication(id, 'discardDraft', { locale: 'en' }))).toMatchObject(DONE);
  });

  it('is used up by an action that fails, and the error says so', async () => {
    const id = (await documentOf(client.create('/api/articles?status=draft', {}))).documentId;
    const confirm = await ask(publication(id, 'publish'));
    const failed = await confirm(publication(id, 'publish'));
    const next = expect.stringMatching(
      /^describe .*\. The confirmation is used up: call .*(again without it|"dryRun": true)/i,
    );
    expect(failed).toMatchObject({ error: { status: 400, path: 'data.title', next } });
    expect(await confirm(publication(id, 'publish'))).toMatchObject(INVALID);
  });

  it('schedules once: what was cancelled stays cancelled', async () => {
    const id = await draft();
    const later = publication(id, 'publish', { at: new Date(Date.now() + 3_600_000).toISOString() });
    const scheduled = async () => {
      const { data } = (await (await client.get('/api/scheduled')).json()) as {
        data: readonly { id: string; documentId: string }[];
      };
      return data.filter(({ documentId }) => documentId === id);
    };
    const confirm = await ask(later);
    const both = await Promise.all([confirm(later), confirm(later)]);
    expect(both.filter((result) => (result as { done?: boolean }).done)).toHaveLength(1);
    expect(both).toContainEqual(
      expect.objectContaining({ error: expect.objectContaining({ message: expect.stringMatching(/used before/) }) }),
    );
    const [entry, ...more] = await scheduled();
    expect(more).toEqual([]);
    expect((await client.remove(`/api/scheduled/${entry?.id}`)).status).toBe(204);
    expect(await confirm(later)).toMatchObject(INVALID);
    expect(await scheduled()).toEqual([]);
    expect(await (await ask(later))(later)).toMatchObject(DONE);
  });

  it('is checked by the batch that writes: what is published in between stays', async () => {
    const outcomes: boolean[] = [];
    for (let batch = 0; batch < 9; batch += 1) {
      const id = await draft(`Before batch ${batch}`);
      const confirm = await ask(deletion(id));
      let isPublished = false;
      const publish = async () => {
        isPublished = (await post(`/api/articles/${id}/actions/publish`)).status === 200;
      };
      const via = serve({ mcp: true }, { DB: interleavedDatabase(env.DB, batch, publish) });
      const { done = false } = (await confirm(deletion(id), { via })) as { done?: boolean };
      expect([batch, done, await isThere(id, 'published')]).toEqual([batch, !isPublished, isPublished]);
      outcomes.push(done);
    }
    expect(new Set(outcomes)).toEqual(new Set([true, false]));
  });
});

describe('a call that is to be confirmed', () => {
  it('is rejected with the revision of another state, before anybody is asked', async () => {
    const id = await draft();
    const { revision } = (await call('get', of(id, { status: 'draft' }))).structuredContent;
    await client.update(`/api/articles/${id}?status=draft`, { title: 'Later' });
    for (const elicitation of [undefined, {}]) {
      const { structuredContent } = await call('delete', of(id, { revision }), {}, elicitation ? { elicitation } : {});
      expect(structuredContent).toMatchObject(CHANGED);
    }
  });

  it('returns a revision with which the draft can be updated, too', async () => {
    const id = await draft();
    const { revision } = (await call('delete', of(id))).structuredContent;
    const written = await call('update', of(id, { revision, data: { title: 'Kept' } }));
    expect(written.structuredContent.data.title).toBe('Kept');
  });

  it('works without a secret of the deployment, for a dry run', async () => {
    const id = await draft();
    const via = serve({ mcp: true }, { JWT_SECRET: undefined } as never);
    const { revision } = (await call('delete', of(id), {}, { via, elicitation: {} })).structuredContent;
    const confirmed = of(id, { dryRun: false, revision });
    expect((await call('delete', confirmed, {}, { via, elicitation: {} })).structuredContent).toMatchObject(DONE);
  });
});
