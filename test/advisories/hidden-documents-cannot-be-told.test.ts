/**
 * @module Class 2 of the advisories of 2026, for documents that the condition of a grant hides: no surface tells whether one
 * exists, what it has or what it is linked to. Payload 105852 (a relation filter reveals documents hidden by `where`);
 * Directus CVE-2026-35442 (aggregates). Each read is compared with the same read once the document is gone, each write with
 * the same write of a document that does not exist.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { createRegistryTables, type Send, serveRegistry } from '../support/app.ts';
import { type ApiDocument, clientOf, documentOf, documentsOf } from '../support/client.ts';
import { bearer, sendJson } from '../support/recorded.ts';
import { component, contentType, registryOf, relation } from '../support/schema-files.ts';
import { formOf, postForm, TEXT, uploadOne } from '../support/uploads.ts';
import { register, type SignedIn } from '../support/users.ts';
import { openRights } from '../support/worlds/rights.ts';
import { id } from '../support/worlds/rights-model.ts';

const OWN = { author: '$user' };
const VISIBLE = { $or: [OWN, { text: 'open' }] };
const LIMITS: object = { api: { rest: { limits: { answerBytes: 2_000, answerRows: 12 } } } };
const settings: SettingsInput = {
  roles: {
    public: [
      { action: [id('note', 'find'), id('note', 'findOne')], where: { text: 'open' }, fields: ['text'] },
      id('folder', 'find'),
      id('folder', 'findOne'),
    ],
    authenticated: [
      {
        action: [id('note', 'find'), id('note', 'findOne')],
        where: VISIBLE,
        fields: ['text', 'number', 'code', 'folder', 'cover'],
      },
      { action: [id('note', 'update'), id('note', 'delete')], where: OWN },
      ...['find', 'findOne', 'create', 'update', 'delete'].map((action) => id('folder', action)),
      {
        action: ['find', 'findOne', 'update', 'delete', 'publish', 'unpublish'].map((action) => id('story', action)),
        where: OWN,
      },
      id('story', 'readDrafts'),
      ...['find', 'findOne', 'upload'].map((action) => `plugin::upload.content-api.${action}`),
    ],
  },
};

interface OwnDocuments {
  find(params: object): Promise<object>;
  findOne(documentId: string): Promise<object>;
  update(documentId: string, params: object): Promise<object>;
}

const {
  client: full,
  send,
  serve,
} = openRights(
  settings,
  {},
  {
    extensions: {
      routes: (app) => {
        const documentsOf = (c: { readonly var: { readonly documents: unknown } }, uid: string) =>
          (c.var.documents as (uid: string) => OwnDocuments)(uid);
        app.get('/own', async (c) =>
          c.json(await documentsOf(c, 'api::folder.folder').find({ filters: { notes: { number: 7 } }, populate: '*' })),
        );
        app.get('/own/:id', async (c) => c.json(await documentsOf(c, 'api::note.note').findOne(c.req.param('id'))));
        app.put('/own/:id', async (c) =>
          c.json(await documentsOf(c, 'api::note.note').update(c.req.param('id'), { data: {} })),
        );
      },
    },
  },
);
let anna: SignedIn;
let bert: SignedIn;
let mine: ApiDocument;
let folder = '';
let fileNumber = 0;

const note = async (data: object): Promise<ApiDocument> => {
  const { documentId } = await documentOf(full.create('/api/notes', data));
  return documentOf(full.get(`/api/notes/${documentId}`));
};

/** Everything that may lead to a document. */
const linksTo = (notes: readonly ApiDocument[]) => ({
  notes: notes.map(({ documentId }) => documentId),
  first: notes.at(-1)?.documentId,
  any: notes.map(({ documentId }) => ({ __type: 'api::note.note', documentId })),
});

const READS = [
  'notes',
  'notes?pagination[pageSize]=1',
  'notes?pagination[withCount]=false&sort=number:desc',
  'notes?sort=number&pagination[after]=&pagination[limit]=1',
  'notes?_q=7',
  'notes?filters[number]=7',
  'notes?filters[$not][number]=7',
  'notes?filters[folder][notes][number]=7',
  'notes?populate=folder.notes',
  'notes?facets=number,folder,text&pagination[pageSize]=1',
  'notes?search=his&highlights=true',
  'notes?search=mine&sort=_rank,number',
  'notes?search=concealed&highlights=true',
  'notes/{hidden}',
  'folders?populate=*',
  'folders?facets=notes,first',
  'folders?facets=name&filters[notes][number]=7',
  'folders?populate[notes][count]=true&populate[any][count]=true',
  'folders?populate[notes][filters][number]=7',
  'folders?populate[notes][sort]=number:desc',
  'folders?populate[any][on][api::note.note][filters][number][$gt]=0',
  'folders?populate[links][populate]=note',
  'folders?filters[notes][number]=7',
  'folders?filters[notes][id][$notNull]=true&filters[first][id][$null]=true',
  'folders?filters[$not][first][number]=7',
  'folders?filters[links][note][number]=7',
  'folders?sort=first.number:desc',
  'folders?sort=first.number&pagination[after]=&pagination[limit]=1',
  'folders?sort=links.note.number',
  'folders/{folder}?populate=*',
  'stories?status=draft',
  'stories?publicationFilter=modified',
  'stories?locale=*',
  'scheduled',
  'upload/files?populate=related',
  'upload/files/{file}?populate=*',
];

async function read(path: string, through: Send, token: string, hidden: string): Promise<string> {
  const filled = path.replace('{hidden}', hidden).replace('{folder}', folder).replace('{file}', String(fileNumber));
  const response = await through(filled, token ? bearer(token) : {});
  return `${response.status} ${response.headers.get('etag')} ${await response.text()}`;
}

/** Responses by caller and path. */
async function readAll(hidden: string): Promise<ReadonlyMap<string, string>> {
  const all = new Map<string, string>();
  for (const [caller, token] of [
    ['a user', anna.jwt],
    ['the public', ''],
  ] as const)
    for (const path of [...READS.map((each) => `/api/${each}`), '/openapi.json', '/own'])
      all.set(`${caller} ${path}`, (await read(path, send, token, hidden)).replaceAll(hidden, 'HIDDEN'));
  const small = serve(LIMITS);
  for (const path of [
    '/api/notes',
    '/api/folders?populate=*',
    '/api/folders?populate[notes][populate][folder][populate]=notes',
  ])
    all.set(`within small limits ${path}`, (await read(path, small, anna.jwt, hidden)).slice(0, 3));
  return all;
}

let before: ReadonlyMap<string, string>;
let after: ReadonlyMap<string, string>;
const probes = new Map<string, readonly [hidden: string, missing: string]>();

const NOTE = '/api/notes/NOTE';
const FOLDER = '/api/folders/FOLDER';

/** Requests that name a note: NOTE is its documentId, 0 its id. MINE and 1 name a note that the caller sees. */
const WRITES: readonly (readonly [name: string, method: string, path: string, data?: string])[] = [
  ['an update', 'PUT', NOTE, '{"text":"x"}'],
  ['a delete', 'DELETE', NOTE],
  ['a delete with a filter', 'DELETE', `${NOTE}?filters[number]=7`],
  ['HEAD', 'HEAD', NOTE],
  ['a read by own code', 'GET', '/own/NOTE'],
  ['an update by own code', 'PUT', '/own/NOTE', '{}'],
  ['a target', 'PUT', FOLDER, '{"first":"NOTE"}'],
  ['a target by its id', 'PUT', FOLDER, '{"first":0}'],
  ['a set target', 'PUT', FOLDER, '{"notes":{"set":["NOTE"]}}'],
  ['a connected target', 'PUT', FOLDER, '{"notes":{"connect":["NOTE"]}}'],
  ['a disconnected target', 'PUT', FOLDER, '{"notes":{"disconnect":["NOTE"]}}'],
  ['a target disconnected by its id', 'PUT', FOLDER, '{"notes":{"disconnect":[{"id":0}]}}'],
  ['an anchor', 'PUT', FOLDER, '{"notes":{"connect":[{"documentId":"MINE","position":{"before":"NOTE"}}]}}'],
  ['an anchor by its id', 'PUT', FOLDER, '{"notes":{"connect":[{"id":1,"position":{"after":0}}]}}'],
  ['a polymorphic target', 'PUT', FOLDER, '{"any":{"connect":[{"__type":"api::note.note","documentId":"NOTE"}]}}'],
  ['a target of a component', 'POST', '/api/folders', '{"links":[{"note":"NOTE"}]}'],
];

const isBatched = ([, method, path]: (typeof WRITES)[number]): boolean =>
  path.startsWith('/api/') && method !== 'HEAD' && method !== 'GET';

/** Answers to the same request about a note that is hidden and about one that does not exist. */
async function probe(hidden: ApiDocument): Promise<void> {
  const missing = { documentId: 'x'.repeat(24), id: 987_654 };
  for (const write of WRITES)
    for (const through of isBatched(write) ? [send, batched] : [send]) {
      const [name, method, path, data] = write;
      const answers = [hidden, missing].map(async ({ documentId, id: number }) => {
        const filled = data
          ?.replaceAll('NOTE', documentId)
          .replace('MINE', mine.documentId)
          .replace(/:0\b/, `:${number}`)
          .replace(/"id":1\b/, `"id":${mine.id}`);
        const at = path.replace('NOTE', documentId).replace('FOLDER', folder);
        const init = sendJson(method, anna.jwt, filled && { data: JSON.parse(filled) });
        const response = await through(at, { ...init, ...(!filled && { body: null }) });
        const text = (await response.text()).replaceAll(documentId, 'ID').replaceAll(String(number), 'NUMBER');
        return `${response.status} ${text.replaceAll(/[a-z0-9]{24}/g, 'NEW').replaceAll(/"\d{4}-[^"]*Z"/g, 'TIME')}`;
      });
      const [first = '', second = ''] = [await answers[0], await answers[1]];
      probes.set(through === send ? name : `in a batch: ${name}`, [first, second]);
    }
}

const batched: Send = (path, init) => {
  const body = init?.body ? JSON.parse(String(init.body)) : undefined;
  const request = { method: init?.method, path, ...(body && { body }) };
  return send('/api/batch', sendJson('POST', anna.jwt, { requests: [request] }));
};

beforeAll(async () => {
  [anna, bert] = [await register(send, 'anna'), await register(send, 'bert')];
  const file = await uploadOne(send, TEXT);
  fileNumber = file.id;
  mine = await note({ text: 'mine concealex', number: 1, author: anna.user.id, cover: file.id });
  const open = await note({ text: 'open', number: 2 });
  const hidden = await note({
    text: 'his concealed',
    number: 7,
    code: 'his',
    secret: 'x',
    author: bert.user.id,
    cover: file.id,
  });
  await full.create('/api/folders', { name: 'Other', ...linksTo([open]) });
  const links = [{ label: 'x', note: mine.documentId }];
  folder = (await documentOf(full.create('/api/folders', { name: 'Folder', ...linksTo([mine, hidden]), links })))
    .documentId;
  const story = await documentOf(full.create('/api/stories', { title: 'his', author: bert.user.id }));
  await full.update(`/api/stories/${story.documentId}?status=draft`, { title: 'newer' });
  const at = { data: { at: '2999-01-01T00:00:00Z' } };
  await send(`/api/stories/${story.documentId}/actions/unpublish`, sendJson('POST', 'full', at));
  // An id that no other row has, and no text contains by chance.
  await env.DB.prepare('update notes set id = 555555 where document_id = ?').bind(hidden.documentId).run();
  // The search index follows texts.
  for (const text of ['', 'his concealed'])
    await env.DB.prepare('update notes set text = ? where id = 555555').bind(text).run();
  await probe({ ...hidden, id: 555_555 });
  const isThere = async () => (await documentsOf(full.get('/api/notes?filters[number]=7'))).length;
  expect(await isThere()).toBe(1);
  before = await readAll(hidden.documentId);
  await full.remove(`/api/notes/${hidden.documentId}`);
  expect(await isThere()).toBe(0);
  await full.remove(`/api/stories/${story.documentId}?locale=*`);
  await env.DB.prepare('delete from edgewise_scheduled').run();
  after = await readAll(hidden.documentId);
});

const CALLERS = ['a user', 'the public'].flatMap((caller) => [
  ...READS.map((path) => `${caller} /api/${path}`),
  `${caller} /openapi.json`,
  `${caller} /own`,
]);

/** Reads that certainly reach documents beside the hidden one. */
const SHOWN: ReadonlySet<string> = new Set(
  [
    'notes',
    'notes?filters[number]=7',
    'folders?populate=*',
    'folders?filters[notes][number]=7',
    'folders?sort=first.number:desc',
    'folders/{folder}?populate=*',
  ].map((path) => `a user /api/${path}`),
);

describe('a read', () => {
  it.each(CALLERS)('has the same status, tag and body without the hidden document: %s', (request) => {
    expect(after.get(request)).toBe(before.get(request));
    if (SHOWN.has(request)) expect(before.get(request)).toMatch(/^200 /);
  });

  it('meets the limits of a response with and without the hidden document', () => {
    const limited = (all: ReadonlyMap<string, string>) =>
      [...all].filter(([name]) => name.startsWith('within small limits'));
    expect(limited(after)).toEqual(limited(before));
    expect(limited(after)).toHaveLength(3);
  });
});

describe('a write', () => {
  const names = WRITES.flatMap((each) => (isBatched(each) ? [each[0], `in a batch: ${each[0]}`] : [each[0]]));

  it.each(names)('of a hidden document has the response for a missing one: %s', (name) => {
    const [hidden, missing] = probes.get(name) ?? [];
    expect(hidden).toBe(missing);
    expect(hidden).toMatch(/^(200|400|404) /);
  });
});

describe('an attribute that `fields` leaves out', () => {
  it('changes neither the tag nor the body of a document for a caller who may write none of its type', async () => {
    const { documentId } = await note({ text: 'open', number: 3, author: bert.user.id });
    const seen = () => read(`/api/notes/${documentId}`, send, '', '');
    const first = await seen();
    expect(first).toMatch(/^200 /);
    await documentOf(full.update(`/api/notes/${documentId}`, { secret: 'changed', key: 'changed' }));
    expect(await seen()).toBe(first);
  });

  it('has no name in the description of the API', async () => {
    const text = await (await send('/openapi.json')).text();
    expect(text).toContain('"text"');
    expect(text).not.toMatch(/"(secret|editors|due|team)":/);
  });
});

it('the limit of bytes does not weigh private attributes of an overflow column', async () => {
  const model = registryOf(
    [contentType('chest', { spilled: { type: 'string' }, spilledNote: { type: 'text', private: true } })],
    [],
    { 'api::chest.chest': ['spilled', 'spilledNote'] },
  );
  await createRegistryTables(model);
  const owner = clientOf(serveRegistry(model), 'full');
  const statusesOf = async (spilledNote: string) => {
    const { documentId } = await documentOf(owner.create('/api/chests', { spilled: 'x', spilledNote }));
    const statuses: number[] = [];
    for (let answerBytes = 50; answerBytes < 800; answerBytes += 50) {
      const limited = serveRegistry(model, { ...settings, api: { rest: { limits: { answerBytes } } } });
      statuses.push((await limited(`/api/chests/${documentId}`, bearer('full'))).status);
    }
    return statuses;
  };
  const short = await statusesOf('short');
  expect(new Set(short)).toEqual(new Set([400, 200]));
  expect(await statusesOf('long '.repeat(200))).toEqual(short);
});

it('an upload onto a hidden document has the response for a missing one', async () => {
  const hidden = await documentOf(full.create('/api/notes', { text: 'his', author: bert.user.id }));
  const visible = { action: [id('note', 'find'), id('note', 'findOne')], where: VISIBLE };
  const uploads = 'plugin::upload.content-api.upload';
  const updating = serve({ roles: { authenticated: [visible, id('note', 'update'), uploads] } });
  const attach = async (refId: string, through: Send) => {
    const form = formOf([TEXT], { ref: 'api::note.note', refId, field: 'cover' });
    const response = await postForm(through, form, '', anna.jwt);
    return `${response.status} ${(await response.text()).replaceAll(refId, 'ID')}`;
  };
  // A grant with conditions attaches nothing.
  for (const [through, status] of [
    [send, /^403 /],
    [updating, /^400 .*refId/],
  ] as const) {
    const missing = await attach('x'.repeat(24), through);
    expect(missing).toMatch(status);
    expect(await attach(hidden.documentId, through)).toBe(missing);
  }
  expect(await attach(mine.documentId, updating)).toMatch(/^201 /);
});

describe('a relation to many in a component', () => {
  const registry = registryOf(
    [
      contentType('tale', { title: { type: 'string' } }),
      contentType(
        'leaf',
        { blocks: { type: 'component', component: 'part.tales', repeatable: true } },
        { plural: 'leaves' },
      ),
    ],
    [
      component('part.tales', {
        tales: relation('oneToMany', 'tale'),
        any: { type: 'relation', relation: 'morphToMany' },
      }),
    ],
  );
  const visible = { action: id('tale', 'find'), where: { title: 'open' } };
  const through = serveRegistry(registry, { roles: { authenticated: [visible, id('leaf', 'update')] } });

  it('keeps its links to hidden documents when the others are set', async () => {
    await createRegistryTables(registry);
    const owner = clientOf(through, 'full');
    const [open, hidden] = await Promise.all(
      ['open', 'hidden'].map(async (title) => (await documentOf(owner.create('/api/tales', { title }))).documentId),
    );
    const targets = (...tales: unknown[]) => ({
      tales,
      any: tales.map((documentId) => ({ __type: 'api::tale.tale', documentId })),
    });
    const created = await documentOf(owner.create('/api/leaves', { blocks: [targets(open, hidden)] }));
    const path = `/api/leaves/${created.documentId}`;
    const blocksOf = async () =>
      (await documentOf(owner.get(`${path}?populate[blocks][populate]=*`))).blocks as ApiDocument[];
    const [block] = await blocksOf();
    const update = clientOf(through, anna.jwt).update(path, { blocks: [{ id: block?.id, ...targets(open) }] });
    expect((await update).status).toBe(200);
    const links = (await blocksOf()).map(({ tales, any }) => [tales, any].map((list) => (list as unknown[]).length));
    expect(links).toEqual([[2, 2]]);
  });
});
