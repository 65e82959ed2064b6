/**
 * @module A drafts-only token changes nothing that is public: what it sends to each operation of the Worker, and in
 * sequences by chance, leaves published rows and links, types without drafts, users and files as they were.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { createDeployment } from '../../../src/deployment.ts';
import { DOCUMENT_ACTIONS, pathOfAction } from '../../../src/schema/publication.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { bodyOf } from '../../fuzz/interference/bodies.ts';
import { shareChance } from '../../fuzz/interference/chance.ts';
import { plant } from '../../fuzz/interference/content.ts';
import { registry, uidOf } from '../../fuzz/interference/model.ts';
import { documentIdOf, nameOf, PATHS, TYPE_NAMES } from '../../fuzz/interference/names.ts';
import { SETTINGS } from '../../fuzz/interference/settings.ts';
import { begin, openSide, respond, type Side, take } from '../../fuzz/interference/side.ts';
import { described, type Step } from '../../fuzz/interference/step.ts';
import { FINAL_READS, surfacesFor } from '../../fuzz/interference/surfaces.ts';
import { createWorld } from '../../fuzz/interference/world.ts';
import { parameters, timeout } from '../../fuzz/options.ts';
import { asTool } from '../../generators/features/tools.ts';
import { type Planned, requested } from '../../generators/step.ts';
import { describeApi } from '../../support/describe-api.ts';
import { isLongTier, samplesOf } from '../../support/tier.ts';
import { PASSWORD } from '../../support/users.ts';

const CALLER = 'agent';
/** Bodies and requests are those of a caller who may do most. */
const MAKER = 'edda';
/** The public may find everything, and no drafts. */
const FINDS = [
  ...['api::*.find', 'api::*.findOne', 'plugin::users-permissions.user.find'],
  ...['find', 'findOne'].map((action) => `plugin::upload.content-api.${action}`),
];
const SETTINGS_HERE = { ...SETTINGS, oauth: null, roles: { ...SETTINGS.roles, public: FINDS } };
const settings = parseSettings(SETTINGS_HERE);

let side: Side;

beforeAll(async () => {
  shareChance();
  const world = await createWorld(SETTINGS_HERE);
  side = openSide(world, await plant(world));
}, timeout);

afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const READS: readonly string[] = [
  ...Object.values(PATHS).map((plural) => `/api/${plural}?populate=*&locale=*&pagination[pageSize]=100`),
  ...FINAL_READS.map(({ path }) => path).filter((path) => !/scheduled|files/.test(path)),
  '/api/upload/files?filters[name][$startsWith]=file&populate=*',
];

/** Tables of content, of links, and of what belongs to accounts. */
const isSeen = (table: string): boolean => !/^(edgewise_|sqlite_|strapi_)|_(search|fts)/.test(table);
const draftTables = new Set(
  [...registry.contentTypes.values()].filter((type) => type.draftAndPublish).map(({ table }) => table),
);

/** Reads rows and links of published versions, and all rows of other tables. New files are no change. */
function publicRows(): Readonly<Record<string, unknown>> {
  const { all } = side.world.database;
  const names = all(`select name from sqlite_master where type = 'table'`).map(({ name }) => String(name));
  const rowsOf = (table: string) => {
    const columns = all(`select name from pragma_table_info('${table}')`).map(({ name }) => name);
    const conditions = [
      ...(draftTables.has(table) ? ['published_at is not null'] : []),
      ...(columns.includes('status') ? [`status = 'published'`] : []),
      ...(table === 'files' ? [`name like 'file%'`] : []),
    ];
    return all(`select * from "${table}" where ${['true', ...conditions].join(' and ')} order by rowid`);
  };
  return Object.fromEntries(names.filter(isSeen).map((table) => [table, rowsOf(table)]));
}

async function publicResponses(): Promise<readonly string[]> {
  const bodies: string[] = [];
  for (const path of READS) {
    const response = await side.world.send({ method: 'GET', path }, '');
    expect([path, response.status]).toEqual([path, 200]);
    // Signed addresses change with the time.
    bodies.push(`${path} ${(await response.text()).replaceAll(/expires=\d+&signature=[\w-]+/g, '')}`);
  }
  return bodies;
}

const snapshot = async () => ({ rows: publicRows(), responses: await publicResponses() });

const sampled = <T>(arbitrary: fc.Arbitrary<T>): readonly T[] =>
  fc.sample(arbitrary, { seed: inject('seed'), numRuns: samplesOf(6, 0.2) });

/** The type at a path, and documents of it, of which some are only drafts and some belong to several locales. */
interface Target {
  readonly name: string;
  /** Of the type, and of its documents. */
  readonly path: string;
  readonly documents: readonly string[];
}

const SINGLES = ['home', 'notice'];
const TARGETS: readonly Target[] = [
  ...TYPE_NAMES.map((name) => {
    const path = `/api/${PATHS[name]}`;
    const ids = [...new Set([`${name}1`, `${name}4`, ...sampled(nameOf(name))])].map(documentIdOf);
    return { name, path, documents: ids.map((id) => `${path}/${id}`) };
  }),
  ...SINGLES.map((name) => ({ name, path: `/api/${name}`, documents: [`/api/${name}`] })),
];

const QUERIES = ['', 'status=published', 'status=draft', 'status=draft&locale=fr', 'locale=de'];
const bodiesFor = ({ name }: Target, operation: 'create' | 'update') => sampled(bodyOf(name, MAKER, operation));
const written = (method: string, path: string, data: unknown): readonly Planned[] =>
  QUERIES.map((query) => ({ method, path: `${path}?${query}`, json: { data } }));

const updates = (target: Target): readonly Planned[] =>
  target.documents.flatMap((path) => bodiesFor(target, 'update').flatMap((data) => written('PUT', path, data)));
const creates = (target: Target): readonly Planned[] =>
  bodiesFor(target, 'create').flatMap((data) => written('POST', target.path, data));
const removals = ({ documents }: Target): readonly Planned[] =>
  documents.flatMap((path) =>
    ['', '?locale=fr', '?locale=*', '?filters[publishedAt][$null]=true'].map((query) => ({
      method: 'DELETE',
      path: `${path}${query}`,
    })),
  );
const acting =
  (action: string, bodies: readonly object[]) =>
  ({ documents }: Target): readonly Planned[] =>
    documents.flatMap((path) =>
      bodies.flatMap((json) => [
        { method: 'GET', path: `${path}/history` },
        { method: 'POST', path: `${path}/actions/${action}`, json },
        { method: 'POST', path: `${path}/actions/${action}?locale=fr`, json },
      ]),
    );

const LATER = { data: { at: '2026-06-01T12:30:00.000Z' } };
const ACTION_BODIES: Readonly<Record<string, readonly object[]>> = {
  publish: [{}, LATER],
  unpublish: [{}, LATER],
  restore: [{ data: { revision: '{revision}' } }],
};

const file = (fields: object = {}) => [
  { name: 'files', value: 'new bytes', file: 'new.txt' },
  ...Object.entries(fields).map(([name, value]) => ({ name, value })),
];
const uploads = (method: string): readonly Planned[] => [
  { method, path: '/api/upload', form: file() },
  { method, path: '/api/upload?id={file1}', form: file() },
  { method, path: '/api/upload?id={file1}', json: { fileInfo: { caption: 'new' } } },
  ...['story', 'leaflet'].flatMap((name) =>
    ['{story1/en/published}', documentIdOf(`${name}1`), '1'].map((refId) => ({
      method,
      path: '/api/upload',
      form: file({ ref: uidOf(name), refId, field: 'cover' }),
    })),
  ),
];
const batched = (): readonly Planned[] =>
  [...TARGETS.flatMap((target) => [...creates(target), ...updates(target), ...removals(target)])]
    .filter((_, index) => index % 3 === 0)
    .map(({ method, path, json }) => ({
      method: 'POST',
      path: '/api/batch',
      json: { requests: [{ method, path, ...(json !== undefined && { body: json }) }] },
    }));

/** What is sent to documents, as calls of tools. */
const toolCalls = (target: Target): readonly Planned[] =>
  [
    ...[...creates(target), ...updates(target), ...removals(target)],
    ...DOCUMENT_ACTIONS.map(pathOfAction).flatMap((name) => acting(name, ACTION_BODIES[name] ?? [{}])(target)),
  ]
    .filter((_, index) => index % 2 === 0)
    .map((planned) => asTool(planned, registry));

const once =
  (json?: object) =>
  (method: string, path: string): readonly Planned[] => [{ method, path, ...(json && { json }) }];
const forTargets = (requests: (target: Target) => readonly Planned[]) => (): readonly Planned[] =>
  TARGETS.flatMap(requests);

const account = { username: 'newcomer', email: 'new@example.com', password: PASSWORD };
const password = { password: PASSWORD, passwordConfirmation: PASSWORD };

/** Requests to each operation that is no `GET`. A new one needs an entry. */
const WRITES: Readonly<Record<string, (method: string, path: string) => readonly Planned[]>> = {
  'POST /api/{type}': forTargets(creates),
  'PUT /api/{type}': forTargets(updates),
  'DELETE /api/{type}': forTargets(removals),
  ...Object.fromEntries(
    DOCUMENT_ACTIONS.map((action) => {
      const name = pathOfAction(action);
      return [`POST /api/{type}/actions/${name}`, forTargets(acting(name, ACTION_BODIES[name] ?? [{}]))];
    }),
  ),
  'POST /api/batch': batched,
  'POST /mcp': forTargets(toolCalls),
  'POST /mcp/uploads/{address}': once(),
  'DELETE /api/scheduled/{id}': once(),
  'POST /api/upload': uploads,
  'PUT /api/upload': uploads,
  'DELETE /api/upload/files/{id}': () => [{ method: 'DELETE', path: '/api/upload/files/{file1}' }],
  'POST /api/upload/files/{id}/actions/sign': () => [
    { method: 'POST', path: '/api/upload/files/{fileh1}/actions/sign', json: { expiresIn: 60 } },
  ],
  'POST /api/auth/local': once({ identifier: 'anna', password: 'wrong' }),
  'POST /api/auth/local/register': once({ ...account, favorites: [documentIdOf('story1')] }),
  'POST /api/auth/change-password': once({ ...password, currentPassword: PASSWORD }),
  'POST /api/auth/forgot-password': once({ email: 'anna@example.com' }),
  'POST /api/auth/reset-password': once({ ...password, code: 'x' }),
  'POST /api/auth/send-email-confirmation': once({ email: 'anna@example.com' }),
  'POST /api/auth/refresh': once({ refreshToken: 'x' }),
  'POST /api/auth/logout': once({}),
  'DELETE /api/auth/sessions/{id}': once(),
  'POST /api/users/invite': once({ email: 'new@example.com', role: 1 }),
  'PUT /api/users/me': once({ username: 'newname' }),
  'DELETE /api/users/{id}/sessions/{session}': () => [{ method: 'DELETE', path: '/api/users/{anna}/sessions/1' }],
  'POST /api/users': once({ ...account, role: 1 }),
  'PUT /api/users/{id}': () => [{ method: 'PUT', path: '/api/users/{anna}', json: { nickname: 'x', favorites: [] } }],
  'POST /api/users/me/identities': once({ access_token: 'x', code_verifier: 'x' }),
  'DELETE /api/users/me/identities/{provider}': once(),
  'DELETE /api/users/{id}': () => [{ method: 'DELETE', path: '/api/users/{anna}' }],
  'POST /api/users-permissions/roles': once({ name: 'x' }),
  'PUT /api/users-permissions/roles/{id}': once({ name: 'x' }),
  'DELETE /api/users-permissions/roles/{id}': once(),
};

/** What such a caller is there for. */
const SUCCEED: readonly string[] = [
  ...['POST /api/{type}', 'PUT /api/{type}', 'DELETE /api/{type}', 'POST /api/batch', 'POST /api/upload', 'POST /mcp'],
  'POST /api/upload/files/{id}/actions/sign',
  ...['discard-draft', 'restore', 'preview-link'].map((name) => `POST /api/{type}/actions/${name}`),
];

const segments = new Set(registry.routes.keys());
const normalized = (path: string): string =>
  path
    .replace(/:(\w+)/g, '{$1}')
    .replace(/^\/api\/([\w-]+)(\/\{documentId\})?/, (whole, name) => (segments.has(name) ? '/api/{type}' : whole));

/** Returns the operations of the Worker: its routes, and those of content types, which are described. */
function operations(): readonly (readonly [method: string, path: string])[] {
  const { routes } = createApp(createDeployment({ registry, settings }));
  const { paths } = describeApi(registry, settings);
  const own = routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => [method, path] as const);
  const content = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item as object).map((method) => [method.toUpperCase(), path] as const),
  );
  const all = [...own, ...content.filter(([method]) => method !== 'PARAMETERS')];
  return [
    ...new Map(all.map(([method, path]) => [`${method} ${normalized(path)}`, [method, path] as const])).entries(),
  ].map(([name, [method]]) => [method, name.slice(method.length + 1)]);
}

const filled = (path: string): string =>
  path
    .replace('{type}', 'stories')
    .replace('{documentId}', documentIdOf('story1'))
    .replaceAll(/\{\w+\}/g, '1');

it('has requests for every operation of the Worker', () => {
  const names = operations()
    .filter(([method]) => method !== 'GET')
    .map((operation) => operation.join(' '));
  expect(names.toSorted()).toEqual(Object.keys(WRITES).toSorted());
});

it('changes nothing that is public at any operation, and writes drafts', { timeout }, async () => {
  const succeeded = new Set<string>();
  let before: Awaited<ReturnType<typeof snapshot>> | undefined;
  for (const [method, path] of operations()) {
    const name = `${method} ${path}`;
    const requests = method === 'GET' ? once() : WRITES[name];
    // Each operation finds all documents: none is taken away by one before.
    await begin(side, []);
    try {
      before ??= await snapshot();
      for (const request of requests?.(method, filled(path)) ?? []) {
        const response = await respond(side, request, CALLER);
        const line = described(requested(request));
        expect([line, response.slice(0, 1)]).not.toEqual([line, '5']);
        if (!response.startsWith('2') || request.method === 'GET') continue;
        succeeded.add(name);
        expect([line, publicRows()]).toEqual([line, before.rows]);
      }
      expect([name, await snapshot()]).toEqual([name, before]);
    } finally {
      side.world.end();
    }
  }
  expect([...succeeded].toSorted()).toEqual(SUCCEED.toSorted());
});

/** Requests alone: others may publish, and the public may register. */
const isOwn = (step: Step): boolean => step.kind === 'request' && !step.request.asPublic;
const sequence = fc
  .array(fc.oneof(...surfacesFor(MAKER)), {
    minLength: 3,
    maxLength: 12,
    size: 'max',
  })
  .map((all) => all.flat().filter(isOwn));

it('changes nothing that is public in any sequence of requests', { timeout: 2 * timeout }, async () => {
  let written = 0;
  const property = fc.asyncProperty(sequence, async (steps) => {
    await begin(side, []);
    try {
      const before = await snapshot();
      for (const [index, step] of steps.entries()) {
        const status = (await take(side, step, index, CALLER, 0))?.slice(0, 3) ?? '';
        expect([described(step), status]).not.toEqual([described(step), expect.stringMatching(/^5/)]);
        if (status.startsWith('2') && /^(POST|PUT|DELETE) \/api/.test(described(step))) written += 1;
      }
      expect([steps.map(described), await snapshot()]).toEqual([steps.map(described), before]);
    } finally {
      side.world.end();
    }
  });
  await fc.assert(property, parameters('drafts only', { sample: samplesOf(4_000, 0.08), length: 10 }));
  // Most requests of a sample are rejected, and a short one may have no other.
  if (isLongTier) expect(written).toBeGreaterThan(0);
});
