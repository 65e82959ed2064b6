/**
 * @module What conditions, uploads, relations, schedules and errors reveal or change of documents that a caller may not see.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { createRegistryTables, serveRegistry } from '../../support/app.ts';
import { type Client, clientOf, documentOf, documentsOf, errorOf, totalOf, valuesOf } from '../../support/client.ts';
import { hiddenRegistry, hiddenSettings, id, registrationRegistry } from '../../support/hidden-world.ts';
import { bearer, createToken, sendJson } from '../../support/recorded.ts';
import { formOf, postForm, TEXT } from '../../support/uploads.ts';
import { register, type SignedIn } from '../../support/users.ts';
import { openWorld } from '../../support/world.ts';

const { client: full, send } = openWorld(hiddenRegistry, hiddenSettings);
let anna: SignedIn;
let asAnna: Client;
let editor: string;

beforeAll(async () => {
  anna = await register(send, 'anna');
  asAnna = clientOf(send, anna.jwt);
  const edith = await register(send, 'edith');
  const roles = (await (await send('/api/users-permissions/roles', bearer('full'))).json()) as {
    roles: { id: number; type: string }[];
  };
  const role = roles.roles.find(({ type }) => type === 'editor')?.id;
  await send(`/api/users/${edith.user.id}`, sendJson('PUT', 'full', { role }));
  editor = edith.jwt;
});

const create = (path: string, data: object) => documentOf(full.create(path, data));
const story = (data: object, status = 'published') => create(`/api/stories?status=${status}`, data);
const saveDraft = (documentId: string, data: object) => full.update(`/api/stories/${documentId}?status=draft`, data);
const act = (path: string, action: string, token: string, data?: object) =>
  send(`${path}/actions/${action}`, data ? sendJson('POST', token, { data }) : { method: 'POST', ...bearer(token) });
const LATER = '2100-01-01T00:00:00.000Z';

describe('a condition through a relation', () => {
  const texts = (query = '') => valuesOf(send(`/api/remarks?sort=text${query}`), 'text');
  let hidden: string;

  beforeEach(async () => {
    for (const table of ['remarks', 'replies', 'children', 'stories', 'remarks_story_lnk', 'children_story_lnk'])
      await env.DB.exec(`delete from "${table}"`);
    hidden = (await story({ title: 'Team', audience: 'team' })).documentId;
    const { documentId: open } = await story({ title: 'Open', audience: 'public' });
    const { documentId: remark } = await create('/api/remarks', { text: 'on hidden', story: hidden });
    await create('/api/remarks', { text: 'on open', story: open });
    await create('/api/remarks', { text: 'within', links: { story: hidden } });
    await create('/api/replies', { text: 'behind a hop', remark });
  });

  it('does not follow the draft of a published document', async () => {
    expect(await texts()).toEqual(['on open']);
    await saveDraft(hidden, { audience: 'public' });
    expect(await texts()).toEqual(['on open']);
    expect(await totalOf(send('/api/replies'))).toBe(0);
  });

  it('does not follow a document that was never published', async () => {
    const { documentId } = await story({ audience: 'public' }, 'draft');
    await create('/api/remarks', { text: 'on a draft', story: documentId });
    await create('/api/remarks', { text: 'within a draft', links: { story: documentId } });
    expect(await texts()).toEqual(['on open']);
  });

  it('follows what is published, whatever its draft has', async () => {
    const { documentId } = await story({ audience: 'public' });
    await create('/api/remarks', { text: 'shown', story: documentId });
    await saveDraft(documentId, { audience: 'team' });
    expect(await texts()).toEqual(['on open', 'shown']);
  });

  it('follows drafts for a caller who may read them, with a response of its own', async () => {
    const read = () => valuesOf(send('/api/remarks?sort=text', bearer(editor)), 'text');
    expect(await read()).toEqual(['on open']);
    await saveDraft(hidden, { audience: 'public' });
    expect(await read()).toEqual(['on hidden', 'on open']);
    expect(await texts()).toEqual(['on open']);
  });

  it('lets nobody delete or create by what a draft alone says', async () => {
    const { documentId } = await create('/api/children', { name: 'kept', story: hidden });
    await saveDraft(hidden, { audience: 'public', owner: anna.user.id });
    const path = `/api/children/${documentId}`;
    expect((await send(path, { method: 'DELETE' })).status).toBe(404);
    expect((await asAnna.remove(path)).status).toBe(404);
    expect((await asAnna.create('/api/children', { name: 'new', story: hidden })).status).toBe(400);
    await act(`/api/stories/${hidden}`, 'publish', 'full');
    expect((await asAnna.create('/api/children', { name: 'new', story: hidden })).status).toBe(200);
    expect((await asAnna.remove(path)).status).toBe(204);
  });

  it('follows the links of a draft to what is published, for a caller who reads drafts of one type', async () => {
    const from = serveRegistry(hiddenRegistry, {
      ...hiddenSettings,
      roles: {
        public: [
          { action: id('page', 'find'), where: { author: { audience: 'public' } } },
          ...id('page', 'readDrafts'),
        ],
      },
    });
    const titles = () => valuesOf(from('/api/pages?status=draft&sort=title'), 'title');
    const person = (audience: string, status: string) => create(`/api/people?status=${status}`, { audience });
    const [open, closed, draft] = [
      await person('public', 'published'),
      await person('team', 'published'),
      await person('public', 'draft'),
    ];
    await full.update(`/api/people/${closed.documentId}?status=draft`, { audience: 'public' });
    for (const [title, author] of Object.entries({ open, closed, draft }))
      await create('/api/pages?status=draft', { title, author: author.documentId });
    expect(await titles()).toEqual(['open']);
  });
});

describe('an upload with ref and refId', () => {
  const refer = async (refId: string | number, token: string) => {
    const form = formOf([TEXT], { ref: 'api::story.story', refId: String(refId), field: 'cover' });
    const response = await postForm(send, form, '', token);
    return { status: response.status, error: ((await response.json()) as { error?: { message: string } }).error };
  };
  const coverOf = async (path: string) => (await documentOf(full.get(`${path}?populate=cover&status=draft`))).cover;

  it('changes no document that the caller may not see, and answers as for a missing one', async () => {
    const { documentId } = await story({ audience: 'team' });
    const path = `/api/stories/${documentId}`;
    const hidden = await refer(documentId, anna.jwt);
    const missing = await refer('x'.repeat(24), anna.jwt);
    expect(hidden.status).toBe(400);
    expect(JSON.stringify(hidden).replaceAll(documentId, 'x'.repeat(24))).toBe(JSON.stringify(missing));
    const rows = env.DB.prepare('select id from stories where document_id = ?').bind(documentId);
    const ids = (await rows.all<{ id: number }>()).results.map((row) => row.id);
    expect(ids.length).toBe(2);
    for (const number of [...ids, 999_999]) expect((await refer(number, anna.jwt)).status).toBe(201);
    expect(await coverOf(path)).toBeNull();
    expect((await refer(documentId, 'full')).status).toBe(201);
    expect(await coverOf(path)).not.toBeNull();
  });

  it('changes a document that the caller may see', async () => {
    const { documentId } = await story({ audience: 'public' });
    expect((await refer(documentId, anna.jwt)).status).toBe(201);
    expect(await coverOf(`/api/stories/${documentId}`)).not.toBeNull();
  });
});

describe('registering with a relation', () => {
  const registering = (roles: NonNullable<SettingsInput['roles']>[string]) =>
    serveRegistry(registrationRegistry, {
      users: { register: { allowedFields: ['favorite'] } },
      roles: { public: roles },
    });

  it('links what the sender may find, and treats everything else as missing', async () => {
    await createRegistryTables(registrationRegistry);
    await createToken('owner', 'full-access');
    const from = registering([{ action: id('story', 'find'), where: { audience: 'public' } }]);
    const owner = clientOf(from, 'owner');
    const [open, hidden, draft] = [
      await documentOf(owner.create('/api/stories', { audience: 'public' })),
      await documentOf(owner.create('/api/stories', { audience: 'team' })),
      await documentOf(owner.create('/api/stories?status=draft', { audience: 'public' })),
    ];
    const attempt = async (username: string, favorite: unknown, by = from) => {
      const account = { username, email: `${username}@example.com`, password: 'Passw0rd', favorite };
      const response = await by('/api/auth/local/register', sendJson('POST', '', account));
      return [response.status, (await response.text()).replaceAll(String(favorite), '…')] as const;
    };
    expect((await attempt('opener', open.documentId))[0]).toBe(200);
    const missing = await attempt('misser', 'x'.repeat(24));
    expect(missing[0]).toBe(400);
    expect(await attempt('hider', hidden.documentId)).toEqual(missing);
    expect(await attempt('drafter', draft.documentId)).toEqual(missing);
    const none = registering([]);
    expect(await attempt('nobody', open.documentId, none)).toEqual(await attempt('nobody', 'x'.repeat(24), none));
  });
});

describe('a relation of a body', () => {
  it('keeps links of a polymorphic relation to hidden types, drafts and documents when it is set', async () => {
    const secret = await create('/api/secrets', { name: 'Secret' });
    const draft = await create('/api/people?status=draft', { audience: 'public' });
    const team = await create('/api/people', { audience: 'team' });
    const open = await create('/api/people', { audience: 'public' });
    const link = (type: string, { documentId }: { documentId: string }) => ({
      __type: `api::${type}.${type}`,
      documentId,
    });
    const items = [link('secret', secret), link('person', draft), link('person', team), link('person', open)];
    const { documentId } = await create('/api/shelves', { name: 'S', items });
    const path = `/api/shelves/${documentId}`;
    const other = await create('/api/people', { audience: 'public' });
    expect((await asAnna.update(path, { items: [link('person', other)] })).status).toBe(200);
    const rows = await env.DB.prepare('select distinct target_document_id from shelves_items_mph').all<
      Record<string, string>
    >();
    const linked = new Set(rows.results.flatMap((row) => Object.values(row)));
    expect(linked).toEqual(new Set([secret, draft, team, other].map((each) => each.documentId)));
  });

  it('treats a draft as missing for a caller who may not read it', async () => {
    const draft = await create('/api/people?status=draft', { audience: 'public' });
    const changed = await create('/api/people', { audience: 'team' });
    await full.update(`/api/people/${changed.documentId}?status=draft`, { audience: 'public' });
    const attempt = async (documentId: string) => {
      const { status, message } = await errorOf(
        asAnna.create('/api/pages?status=draft', { title: 'T', author: documentId }),
      );
      return [status, message.replace(documentId, '…')];
    };
    const missing = await attempt('x'.repeat(24));
    expect(missing[0]).toBe(400);
    expect(missing[1]).toContain('…');
    expect(await attempt(draft.documentId)).toEqual(missing);
    expect(await attempt(changed.documentId)).toEqual(missing);
  });
});

describe('a schedule', () => {
  const listed = async (token: string) =>
    (await documentsOf(send('/api/scheduled', bearer(token)))) as readonly {
      id: string;
      documentId: string;
      locale: string;
    }[];
  const cancel = (entry: string, token: string) =>
    send(`/api/scheduled/${entry}`, { method: 'DELETE', ...bearer(token) });

  it('is neither listed for nor cancelled by a caller who may not see the document or the locale', async () => {
    const hidden = await story({ audience: 'team', owner: anna.user.id });
    const page = await create('/api/pages?status=draft', { title: 'en', audience: 'public' });
    await full.update(`/api/pages/${page.documentId}?locale=fr&status=draft`, { title: 'fr', audience: 'team' });
    await act(`/api/stories/${hidden.documentId}`, 'unpublish', 'full', { at: LATER });
    for (const locale of ['en', 'fr'])
      await send(
        `/api/pages/${page.documentId}/actions/publish?locale=${locale}`,
        sendJson('POST', 'full', { data: { at: LATER } }),
      );
    await full.update(`/api/stories/${hidden.documentId}`, { owner: null });
    const all = await listed('full');
    expect(all).toHaveLength(3);
    const seen = await listed(anna.jwt);
    expect(seen.map(({ documentId, locale }) => [documentId, locale])).toEqual([[page.documentId, 'en']]);
    for (const { id: entry } of all.filter((each) => !seen.some((one) => one.id === each.id)))
      expect((await cancel(entry, anna.jwt)).status).toBe(404);
    expect(await listed('full')).toEqual(all);
    for (const { id: entry } of seen) expect((await cancel(entry, anna.jwt)).status).toBe(204);
    expect(await listed(anna.jwt)).toEqual([]);
  });

  it('treats a hidden locale as a missing one, also beside If-Match', async () => {
    const [two, one] = [
      await create('/api/pages?status=draft', { title: 'en', audience: 'public' }),
      await create('/api/pages?status=draft', { title: 'en', audience: 'public' }),
    ];
    await full.update(`/api/pages/${two.documentId}?locale=fr&status=draft`, { title: 'fr', audience: 'team' });
    for (const [tag, data, status] of [
      ['*', { at: LATER }, 412],
      ['*', {}, 404],
      [undefined, { at: LATER }, 404],
    ] as const)
      for (const { documentId } of [one, two]) {
        const init = sendJson('POST', anna.jwt, { data });
        const headers = { ...(init.headers as Record<string, string>), ...(tag && { 'if-match': tag }) };
        const path = `/api/pages/${documentId}/actions/unpublish?locale=fr`;
        expect((await send(path, { ...init, headers })).status).toBe(status);
      }
  });

  it('is rejected with 412 if If-Match does not match', async () => {
    const { documentId } = await story({ audience: 'public' });
    const at = (tag: string) => {
      const init = sendJson('POST', 'full', { data: { at: LATER } });
      const headers = { ...(init.headers as Record<string, string>), 'if-match': tag };
      return send(`/api/stories/${documentId}/actions/unpublish`, { ...init, headers });
    };
    const tag = (await full.get(`/api/stories/${documentId}`)).headers.get('etag') ?? '';
    expect((await at('"outdated"')).status).toBe(412);
    expect((await at(tag)).status).toBe(200);
  });
});

describe('an error', () => {
  const page = async (data: object) => create('/api/pages?status=draft', { audience: 'public', ...data });

  it('does not name a hidden document that a new locale inherits', async () => {
    const place = await create('/api/places', { name: 'Hidden', audience: 'team' });
    const { documentId } = await page({ title: 'en', links: [{ place: place.documentId }] });
    const response = await asAnna.update(`/api/pages/${documentId}?locale=fr&status=draft`, {
      title: 'fr',
      audience: 'public',
    });
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain(place.documentId);
  });

  it.each([
    ['a draft', 'draft', 'public'],
    ['hidden', 'published', 'team'],
  ])('does not tell by a publication whether a required target that is %s is there', async (_, status, audience) => {
    const { documentId } = await create(`/api/people?status=${status}`, { audience });
    const { documentId: author } = await create('/api/people', { audience: 'public' });
    const outcomesOf = async (data: object) => {
      const path = `/api/pages/${(await page({ title: 'T', ...data })).documentId}`;
      const batch = { requests: [{ method: 'PUT', path, body: { data: { title: 'batch' } } }] };
      const all = [
        await act(path, 'publish', anna.jwt),
        await asAnna.update(path, { title: 'put' }),
        await send('/api/batch', sendJson('POST', anna.jwt, batch)),
      ];
      return Promise.all(all.map(async (each) => [each.status, await each.text()]));
    };
    for (const [linked, empty] of [
      [{ author: documentId }, {}],
      [
        { author, pick: { person: documentId } },
        { author, pick: {} },
      ],
    ]) {
      const outcomes = await outcomesOf(linked as object);
      expect(outcomes.map(([code]) => code)).toEqual([400, 400, 400]);
      expect(outcomes).toEqual(await outcomesOf(empty as object));
    }
    expect((await outcomesOf({ author, pick: { person: author } })).map(([code]) => code)).toEqual([200, 200, 200]);
  });

  it('does not tell by a delete whether there is a hidden locale', async () => {
    const deleting = serveRegistry(hiddenRegistry, {
      ...hiddenSettings,
      roles: {
        authenticated: [
          { action: id('page', 'find'), where: { audience: 'public' } },
          { action: id('page', 'delete'), where: { title: { $ne: 'kept' } } },
          ...id('page', 'readDrafts'),
        ],
      },
    });
    for (const [title, status] of [
      ['en', 204],
      ['kept', 403],
    ] as const) {
      const { documentId: two } = await page({ title });
      const { documentId: one } = await page({ title });
      await full.update(`/api/pages/${two}?locale=fr&status=draft`, { title: 'fr', audience: 'team' });
      for (const documentId of [one, two]) {
        const path = `/api/pages/${documentId}?locale=fr`;
        const batch = { requests: [{ method: 'DELETE', path }] };
        expect((await deleting('/api/batch', sendJson('POST', anna.jwt, batch))).status).toBe(
          status === 204 ? 200 : 403,
        );
        expect((await clientOf(deleting, anna.jwt).remove(path)).status).toBe(status);
      }
      expect((await full.get(`/api/pages/${two}?locale=fr&status=draft`)).status).toBe(200);
    }
  });

  it('does not tell by a third locale whether there is a hidden second one', async () => {
    const { documentId: two } = await page({ title: 'en' });
    const { documentId: one } = await page({ title: 'en' });
    await full.update(`/api/pages/${two}?locale=fr&status=draft`, { title: 'fr', audience: 'team' });
    for (const documentId of [one, two]) {
      const path = `/api/pages/${documentId}?locale=de&status=draft`;
      expect((await asAnna.update(path, { title: 'de', audience: 'public' })).status).toBe(200);
    }
  });
});

describe('a repeat with an Idempotency-Key', () => {
  const post = (path: string, token: string, key = path) => {
    const init = sendJson('POST', token, { data: { audience: 'public', title: 'Repeated' } });
    return send(path, { ...init, headers: { ...(init.headers as Record<string, string>), 'idempotency-key': key } });
  };

  it('does not show a document that is hidden meanwhile, if its response was not stored', async () => {
    const { documentId } = await documentOf(post('/api/stories', anna.jwt));
    await env.DB.exec('update edgewise_requests set response = null');
    expect((await documentOf(post('/api/stories', anna.jwt))).documentId).toBe(documentId);
    await full.update(`/api/stories/${documentId}`, { audience: 'team', title: 'Hidden now' });
    const again = await post('/api/stories', anna.jwt);
    expect([again.status, await again.text()]).toEqual([404, expect.not.stringContaining('Hidden now')]);
  });

  it('does not show a draft to a caller who may not read drafts, if its response was not stored', async () => {
    const path = '/api/stories?status=draft';
    const { documentId } = await documentOf(post(path, anna.jwt));
    await env.DB.exec('update edgewise_requests set response = null');
    await saveDraft(documentId, { title: 'Changed by others' });
    const { status, message } = await errorOf(post(path, anna.jwt));
    expect([status, message]).toEqual([400, expect.stringContaining('was carried out')]);
  });
});
