/**
 * @module Code of a project sees what it has written, however far a replica of the database lags behind.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnyExtensions, Extensions } from '../../../src/features/own-code/extension-types.ts';
import { runCron, type Send, serveRegistry } from '../../support/app.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { laggingDatabase } from '../../support/lagging-database.ts';
import { sendJson } from '../../support/recorded.ts';
import { kindsRegistry, openKinds } from '../../support/worlds/kinds.ts';
import type { CollectionType } from './generated-types.ts';

const STORY = 'api::story.story';
const NOTE = 'api::note.note';

interface Note {
  id: number;
  documentId: string;
  text: string | null;
}

/** As `generate` would write them. */
interface Types {
  notes: CollectionType<typeof NOTE, Note>;
  stories: CollectionType<typeof STORY, Note>;
}

type Documents = Parameters<NonNullable<Extensions<Types>['afterCommit']>>[1]['documents'];

const textsOf = async (documents: Documents) =>
  (await documents.asSystem(NOTE).find({ sort: 'text' })).data.map(({ text }) => text);

/** What `afterCommit` has seen, each time. */
const seen: unknown[] = [];

const extensions = {
  beforeWrite: {
    [STORY]: async (data, { documents }) => {
      await documents.asSystem(NOTE).create({ data: { text: 'of a hook' } });
      return { ...data, text: (await textsOf(documents)).join() };
    },
  },
  afterCommit: async ([change], { documents }) => {
    if (change?.uid !== NOTE || change.operation === 'delete') return;
    const { data } = await documents.asSystem(NOTE).findOne(change.documentId ?? '');
    seen.push(data.text);
  },
  routes: (app) =>
    app.post('/write', async (c) => {
      const notes = c.var.documents(NOTE);
      const found: unknown[] = [await textsOf(c.var.documents)];
      const { data } = await notes.create({ data: { text: 'a' } });
      found.push((await notes.findOne(data.documentId)).data.text, await textsOf(c.var.documents));
      await notes.update(data.documentId, { data: { text: 'b' } });
      found.push((await notes.findOne(data.documentId)).data.text, await textsOf(c.var.documents));
      await Promise.all(['c', 'd'].map((text) => notes.create({ data: { text } })));
      found.push(await textsOf(c.var.documents));
      await notes.delete(data.documentId);
      found.push(await textsOf(c.var.documents));
      return c.json(found);
    }),
} satisfies Extensions<Types> as unknown as AnyExtensions;

let database: D1Database;
let send: Send;

openKinds();
beforeAll(async () => {
  database = await laggingDatabase();
  send = serveRegistry(kindsRegistry, {}, { DB: database }, undefined, extensions);
});

beforeEach(() => {
  seen.length = 0;
});

describe('with a replica that lags behind', () => {
  it('a request without a bookmark does not see a write of another', async () => {
    const client = clientOf(serveRegistry(kindsRegistry, {}, { DB: database }), 'full');
    const { documentId } = await documentOf(client.create('/api/notes', { text: 'other' }));
    expect((await client.get(`/api/notes/${documentId}`)).status).toBe(404);
    expect((await client.remove(`/api/notes/${documentId}`)).status).toBe(204);
  });

  it('a route sees its own writes', async () => {
    const response = await send('/write', sendJson('POST', 'full', {}));
    expect(await response.json()).toEqual([[], 'a', ['a'], 'b', ['b'], ['b', 'c', 'd'], ['c', 'd']]);
  });

  it('afterCommit sees the write that it runs for', async () => {
    await documentOf(clientOf(send, 'full').create('/api/notes', { text: 'e' }));
    expect(seen).toEqual(['e']);
  });

  it('beforeWrite sees its own writes', async () => {
    const story = await documentOf(clientOf(send, 'full').create('/api/stories', { text: 'x' }));
    expect(story.text).toContain('of a hook');
  });

  it('afterCommit of a scheduled publication sees the publication', async () => {
    const { documentId } = await documentOf(clientOf(send, 'full').create('/api/stories?status=draft', {}));
    const at = new Date(Date.now() + 60_000).toISOString();
    await send(`/api/stories/${documentId}/actions/publish`, sendJson('POST', 'full', { data: { at } }));
    const session = database.withSession('first-primary');
    await session.batch([session.prepare('update edgewise_scheduled set "at" = ?').bind(1)]);
    const found: unknown[] = [];
    const afterCommit: Extensions<Types>['afterCommit'] = async (_, { documents }) => {
      found.push((await documents(STORY).findOne(documentId)).data.documentId);
    };
    await runCron(kindsRegistry, {}, { DB: database }, { afterCommit } as unknown as AnyExtensions);
    expect(found).toEqual([documentId]);
  });
});
