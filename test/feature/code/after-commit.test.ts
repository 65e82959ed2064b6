/**
 * @module `afterCommit`: the project's own code after a change.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApplicationError } from '../../../src/common/errors.ts';
import type { AnyExtensions, Extensions } from '../../../src/features/own-code/extension-types.ts';
import type { Change, CommitContext } from '../../../src/features/own-code/hooks.ts';
import { runCron, type Send, serveRegistry } from '../../support/app.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { emptyCaches } from '../../support/emptied-caches.ts';
import { failingDatabase } from '../../support/failing-database.ts';
import { createToken, sendJson } from '../../support/recorded.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { login, PASSWORD, type SignedIn } from '../../support/users.ts';
import { openWorld } from '../../support/world.ts';
import type { CollectionType } from './generated-types.ts';

const registry = registryOf([
  contentType(
    'story',
    { title: { type: 'string', required: true } },
    { drafts: true, localized: true, plural: 'stories' },
  ),
  contentType('note', { text: { type: 'string', unique: true } }),
]);

interface Note {
  id: number;
  documentId: string;
  text: string | null;
}

/** As `generate` would write them. */
interface Types {
  notes: CollectionType<'api::note.note', Note, { text: string }>;
}

/** The default role may delete. */
const ROLES = {
  author: ['api::note.note.create', 'api::note.note.find'],
  authenticated: ['create', 'find', 'delete'].map((action) => `api::note.note.${action}`),
};

type Hook = NonNullable<Extensions<Types>['afterCommit']>;

const seen: (readonly Change<Types>[])[] = [];
let hook: Hook | undefined;

const extensions = {
  afterCommit(changes, context) {
    seen.push(changes);
    return hook?.(changes, context);
  },
} satisfies Extensions<Types> as unknown as AnyExtensions;

const counted = countedDatabase(env.DB);
const { client: full, send } = openWorld(registry, {}, { DB: counted.database }, { extensions });
const batch = (requests: readonly object[]) => send('/api/batch', sendJson('POST', 'full', { requests }));
const post = (path: string) => send(path, sendJson('POST', 'full', {}));
const operations = () =>
  seen.map((changes) => changes.map(({ operation, uid, version }) => `${operation} ${uid.split('.')[1]} ${version}`));

beforeAll(async () => {
  await createToken('author', 'custom', ['api::note.note.create', 'api::note.note.find']);
  await createToken('writer', 'custom', ['api::note.note.create']);
});

beforeEach(async () => {
  await env.DB.exec('delete from notes');
  hook = undefined;
  seen.length = 0;
  counted.batches.length = 0;
});

describe('afterCommit', () => {
  it('gets what a commit has changed', async () => {
    const { documentId } = await documentOf(full.create('/api/stories?status=draft', { title: 'A' }));
    const story = `/api/stories/${documentId}`;
    expect(seen).toEqual([
      [{ operation: 'create', uid: 'api::story.story', documentId, locale: 'en', version: 'draft' }],
    ]);
    for (const action of ['publish', 'discard-draft', 'unpublish']) await post(`${story}/actions/${action}`);
    await send(story, { method: 'DELETE', headers: { authorization: 'Bearer full' } });
    const note = await documentOf(full.create('/api/notes', { text: 'a' }));
    await documentOf(full.update(`/api/notes/${note.documentId}`, { text: 'b' }));
    expect(operations()).toEqual([
      ['create story draft'],
      ['publish story published'],
      ['discardDraft story draft'],
      ['unpublish story published'],
      ['delete story draft'],
      ['create note published'],
      ['update note published'],
    ]);
    expect(seen.at(-1)).toEqual([
      { operation: 'update', uid: 'api::note.note', documentId: note.documentId, locale: null, version: 'published' },
    ]);
  });

  it('runs once for a batch, with all of its changes', async () => {
    await batch(['a', 'b'].map((text) => ({ method: 'POST', path: '/api/notes', body: { data: { text } } })));
    expect(operations()).toEqual([['create note published', 'create note published']]);
  });

  it('runs for a scheduled publication', async () => {
    const { documentId } = await documentOf(full.create('/api/stories?status=draft', { title: 'A' }));
    const at = new Date(Date.now() + 60_000).toISOString();
    await send(`/api/stories/${documentId}/actions/publish`, sendJson('POST', 'full', { data: { at } }));
    expect(seen.length).toBe(1);
    await env.DB.exec('update edgewise_scheduled set "at" = 1');
    hook = async (_, { caller, documents, env: bindings }) => {
      expect(bindings.DB).toBeDefined();
      await documents('api::note.note').create({ data: { text: `published by ${caller.kind}` } });
    };
    await runCron(registry, {}, {}, extensions);
    expect(operations().slice(1)).toEqual([['publish story published'], ['create note published']]);
  });

  it('does not run for what is not committed', async () => {
    const requests = ['a', 'a'].map((text) => ({ method: 'POST', path: '/api/notes', body: { data: { text } } }));
    expect((await batch(requests)).status).toBe(400);
    expect((await full.create('/api/notes', { texts: 'a' })).status).toBe(400);
    await full.create('/api/notes', { text: 'a' });
    seen.length = 0;
    expect((await full.create('/api/notes', { text: 'a' })).status).toBe(400);
    const { database } = failingDatabase(env.DB, ['D1_ERROR: Network connection lost.']);
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const failing = serveRegistry(registry, {}, { DB: database }, undefined, extensions);
    expect((await clientOf(failing, 'full').create('/api/notes', { text: 'b' })).status).toBe(500);
    logged.mockRestore();
    expect(seen).toEqual([]);
  });

  it('is reported when it fails, and the write succeeds', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    for (const failing of [
      () => {
        throw new Error('no search service');
      },
      async () => {
        throw 'no search service';
      },
      (_: unknown, { waitUntil }: CommitContext<Types>) =>
        waitUntil(Promise.reject(new ApplicationError('no search service'))),
    ]) {
      hook = failing;
      logged.mockClear();
      expect((await full.create('/api/notes', { text: String(failing) })).status).toBe(200);
      expect(logged.mock.calls.join()).toContain('no search service');
    }
    logged.mockRestore();
  });

  it('has the documents of the caller, and ends when it writes without end', async () => {
    const forbidden = vi.fn();
    hook = async ([change], { documents }) => {
      await documents('api::note.note')
        .update(change?.documentId ?? '', { data: { text: 'x' } })
        .catch(forbidden);
    };
    await clientOf(send, 'writer').create('/api/notes', { text: 'a' });
    expect(forbidden.mock.calls[0]?.[0]).toMatchObject({ problem: { kind: 'forbidden' } });
    expect(seen.length).toBe(1);
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    hook = async (changes, { documents }) => {
      await documents.asSystem('api::note.note').create({ data: { text: `${changes[0]?.documentId}` } });
    };
    await clientOf(send, 'writer').create('/api/notes', { text: 'b' });
    expect(logged.mock.calls.join()).toContain('hooks write documents whose hooks write, 8 levels deep');
    logged.mockRestore();
    expect(seen.length).toBe(1 + 8);
  });

  it.each(['token', 'user'])('has the rights of a %s that the isolate has not seen before', async (kind) => {
    const own = serveRegistry(registry, { roles: ROLES }, {}, undefined, extensions);
    const account = { username: kind, email: `${kind}@example.com`, password: PASSWORD, role: 'author' };
    await own('/api/users', sendJson('POST', 'full', account));
    const { jwt } = (await (await login(own, kind)).json()) as SignedIn;
    emptyCaches();
    const rights: unknown[] = [];
    hook = (_, { caller }) => {
      const actions = ['create', 'delete', 'readPrivate'].map((action) => `api::note.note.${action}`);
      rights.push(caller.kind, ...actions.map((id) => caller.allows(id)));
    };
    await own('/api/notes', sendJson('POST', kind === 'user' ? jwt : 'author', { data: { text: 'a' } }));
    expect(rights).toEqual([kind, true, false, false]);
  });

  it('writes documents apart from that of the request', async () => {
    const { documentId } = await documentOf(full.create('/api/notes', { text: 'a' }));
    hook = async ([change], { documents }) => {
      if (change?.operation === 'update') await documents('api::note.note').create({ data: { text: 'of the hook' } });
    };
    await documentOf(full.update(`/api/notes/${documentId}`, { text: 'b' }));
    expect(seen.flat().map((change) => [change.operation, change.documentId === documentId])).toEqual([
      ['create', true],
      ['update', true],
      ['create', false],
    ]);
  });

  it('costs a create no statement', async () => {
    const sqlOf = async (path: Send, text: string) => {
      counted.batches.length = 0;
      await documentOf(clientOf(path, 'full').create('/api/notes', { text }));
      return counted.answering();
    };
    const plain = serveRegistry(registry, {}, { DB: counted.database });
    expect(await sqlOf(send, 'a')).toEqual(await sqlOf(plain, 'b'));
    expect(await sqlOf(plain, 'c')).toHaveLength(1);
  });
});
