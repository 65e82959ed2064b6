/**
 * @module Drafts behind the conditions of grants: a condition follows those of a type only for a caller who may read that
 * type, and a preview widens no condition.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { documentOf, valuesOf } from '../../support/client.ts';
import { bearer, createToken, sendJson } from '../../support/recorded.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';
import type { Link } from '../../support/worlds/previews-model.ts';

const toPlan = relation('manyToOne', 'plan');
const registry = registryOf([
  contentType('plan', { name: { type: 'string' }, open: { type: 'boolean' } }, { drafts: true }),
  contentType('task', { title: { type: 'string' }, plan: toPlan }),
  contentType('story', { title: { type: 'string' }, plan: toPlan }, { drafts: true, plural: 'stories' }),
  contentType('diary', { title: { type: 'string' } }, { drafts: true, plural: 'diaries' }),
]);
const id = (name: string, action: string): string => `api::${name}.${name}.${action}`;
const OF_OPEN_PLAN = { plan: { open: true } };
const OPEN_TASKS = { action: id('task', 'find'), where: OF_OPEN_PLAN };

const roles = { public: [OPEN_TASKS, id('story', 'find')] };
const { client: full, send } = openWorld(registry, { mcp: true, roles });
let story = '';

const titlesFor = (token: string, server = send, path = '/api/tasks') => valuesOf(server(path, bearer(token)), 'title');

beforeAll(async () => {
  await createToken('tasks', 'custom', [OPEN_TASKS]);
  await createToken('both', 'custom', [OPEN_TASKS, id('plan', 'findOne')]);
  const plan = async (published: boolean, draft: boolean) => {
    const { documentId } = await documentOf(full.create('/api/plans', { name: 'Plan', open: published }));
    await full.update(`/api/plans/${documentId}?status=draft`, { open: draft });
    return documentId;
  };
  const opening = await plan(false, true);
  await full.create('/api/tasks', { title: 'of a plan that is open', plan: await plan(true, true) });
  await full.create('/api/tasks', { title: 'of a plan whose draft is open', plan: opening });
  story = (await documentOf(full.create('/api/stories', { title: 'Story', plan: opening }))).documentId;
});

describe('a custom token', () => {
  it('has conditions that follow drafts only of the types that it may read', async () => {
    // The second time its permissions are cached.
    for (const time of [1, 2]) {
      expect([time, await titlesFor('tasks')]).toEqual([time, ['of a plan that is open']]);
      expect([time, await titlesFor('both')]).toEqual([
        time,
        ['of a plan that is open', 'of a plan whose draft is open'],
      ]);
    }
  });

  it('reads the drafts of a type whose documents it may read, on its first request, too', async () => {
    await createToken('first', 'custom', [id('plan', 'find')]);
    for (const _ of [1, 2]) expect((await send('/api/plans?status=draft', bearer('first'))).status).toBe(200);
    await createToken('other', 'custom', [id('task', 'find'), id('story', 'readDrafts')]);
    for (const _ of [1, 2]) expect((await send('/api/stories?status=draft', bearer('other'))).status).toBe(403);
  });

  it('names only the types that it may use in descriptions and errors of tools', async () => {
    const use = async (args: object) => {
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'describe', arguments: args } };
      return (await send('/mcp', sendJson('POST', 'both', call))).text();
    };
    for (const text of [await use({}), await use({ type: 'diary' })]) {
      expect(text).toContain('tasks');
      expect(text).not.toMatch(/diaries|stories/);
    }
    const list = { jsonrpc: '2.0', id: 1, method: 'resources/list', params: {} };
    const listed = await (await send('/mcp', sendJson('POST', 'both', list))).text();
    expect(listed).toContain('tasks');
    expect(listed).not.toMatch(/diaries|stories/);
  });
});

describe('publicDrafts', () => {
  it('opens the drafts of types that a caller may read, and widens no condition by those of others', async () => {
    const open = { api: { rest: { publicDrafts: true } } };
    const closed = serveRegistry(registry, { ...open, roles });
    expect((await closed('/api/stories?status=draft')).status).toBe(200);
    expect(await valuesOf(closed('/api/tasks'), 'title')).toEqual(['of a plan that is open']);
    const wider = serveRegistry(registry, { ...open, roles: { public: [...roles.public, id('plan', 'find')] } });
    expect(await valuesOf(wider('/api/tasks'), 'title')).toHaveLength(2);
  });
});

describe('a preview', () => {
  const withPreviews = (makers: readonly (string | object)[]) =>
    serveRegistry(registry, {
      preview: { 'api::story.story': { url: 'https://site.example/?t={token}', populate: ['api::plan.plan'] } },
      roles: { public: [OPEN_TASKS, { action: id('story', 'find'), where: OF_OPEN_PLAN }, ...makers] },
    } as never);
  const server = withPreviews([]);
  const linkFrom = async (token: string) => {
    const made = server(`/api/stories/${story}/actions/preview-link`, sendJson('POST', token, {}));
    return ((await documentOf(made)) as unknown as Link).token;
  };

  it('shows the drafts of the types that it populates, and widens no condition to them', async () => {
    const token = await linkFrom('full');
    const found = await documentOf(server(`/api/stories/${story}?status=draft&populate=plan`, bearer(token)));
    expect(found.title).toBe('Story');
    for (const search of ['', '?filters[title][$contains]=plan', '?sort=title'])
      expect([search, await titlesFor(token, server, `/api/tasks${search}`)]).toEqual([
        search,
        ['of a plan that is open'],
      ]);
    const open = withPreviews([id('plan', 'find')]);
    const shown = await documentOf(open(`/api/stories/${story}?status=draft&populate=plan`, bearer(token)));
    expect(shown.plan).toMatchObject({ open: true });
    for (const search of ['', '?status=draft', '?populate=plan', '?status=draft&populate=plan'])
      expect([search, await titlesFor(token, open, `/api/tasks${search}`)]).toEqual([
        search,
        ['of a plan that is open'],
      ]);
  });

  it('finds its document by the conditions of its maker, which follow the drafts that the maker may read', async () => {
    const grants = ['find', 'previewLink'].map((action) => ({ action: id('story', action), where: OF_OPEN_PLAN }));
    await createToken('maker', 'custom', [...grants, id('plan', 'find')]);
    const token = await linkFrom('maker');
    expect((await documentOf(server(`/api/stories/${story}?status=draft`, bearer(token)))).title).toBe('Story');
  });
});
