/**
 * @module Non-interference of conditional grants: documents outside of a caller's conditions change no response. Each
 * request is sent twice, before and after the hidden documents have other values, other links, or are gone.
 */
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { RENEW_STAMPS } from '../../cli/core/sql/database.ts';
import { createRegistryTables, serveRegistry } from '../support/app.ts';
import { type ApiDocument, clientOf, documentOf } from '../support/client.ts';
import { guardedRegistry, id } from '../support/guarded-world.ts';
import { createToken } from '../support/recorded.ts';
import { register } from '../support/users.ts';
import { parameters, progress, timeout } from './options.ts';

const OPEN = { $or: [{ text: { $startsWith: 'open' } }, { author: '$user' }, { team: '$user.team' }] };
const SEEN = ['text', 'number', 'code', 'due', 'author', 'team', 'folder', 'cover', 'createdAt'];

const readable = [
  { action: [id('note', 'find'), id('note', 'findOne')], where: OPEN, fields: SEEN },
  { action: [id('story', 'find'), id('story', 'findOne')], where: { author: '$user' } },
  id('story', 'readDrafts'),
  ...['folder', 'team'].flatMap((name) => [id(name, 'find'), id(name, 'findOne')]),
  'plugin::users-permissions.user.find',
];

const send = serveRegistry(guardedRegistry, {
  i18n: { locales: ['en', 'fr'].map((code) => ({ code, name: code, isDefault: code === 'en' })) },
  roles: {
    public: [
      { action: [id('note', 'find'), id('note', 'findOne')], where: { text: { $startsWith: 'open' } }, fields: SEEN },
      id('folder', 'find'),
      id('folder', 'findOne'),
    ],
    authenticated: [...readable, { action: [id('note', 'update'), id('note', 'delete')], where: { author: '$user' } }],
  },
});

const full = clientOf(send, 'full');
/** The tables that a swap changes. */
const TABLES = ['notes', 'stories', 'notes_author_lnk', 'notes_folder_lnk', 'folders_first_lnk'];
const hidden: string[] = [];
const shown: string[] = [];
const folders: string[] = [];
let anna = '';

async function plant(): Promise<void> {
  const make = async (path: string, data: object): Promise<ApiDocument> => documentOf(full.create(path, data));
  const [{ jwt, user }, bert] = [await register(send, 'anna'), await register(send, 'bert')];
  anna = jwt;
  const team = await make('/api/teams', { name: 'red' });
  const joined = await send(`/api/users/${user.id}`, {
    method: 'PUT',
    headers: { authorization: 'Bearer full', 'content-type': 'application/json' },
    body: JSON.stringify({ team: team.documentId }),
  });
  if (!joined.ok) throw new Error(await joined.text());
  for (let number = 0; number < 3; number += 1)
    folders.push((await make('/api/folders', { name: `f${number}` })).documentId);
  for (let number = 0; number < 18; number += 1) {
    const kind = ['open', 'mine', 'theirs', 'secret', 'team', 'other'][number % 6];
    const note = await make('/api/notes', {
      text: `${kind} ${number}`,
      secret: `s${number}`,
      number: (number * 7) % 18,
      code: `c${number}`,
      author: kind === 'mine' ? user.id : kind === 'other' ? null : bert.user.id,
      ...(kind === 'team' && { team: team.documentId }),
      folder: folders[number % 3],
    });
    (kind === 'theirs' || kind === 'secret' || kind === 'other' ? hidden : shown).push(note.documentId);
  }
  for (const [index, documentId] of folders.entries())
    await full.update(`/api/folders/${documentId}`, {
      first: index === 0 ? hidden[0] : shown[index],
      any: [hidden[index], shown[index]].map((each) => ({ __type: 'api::note.note', documentId: each })),
      links: [hidden[index + 1], shown[index + 1], hidden[index]].map((note) => ({ label: 'l', note })),
    });
  for (const author of [user.id, bert.user.id]) {
    const story = await make('/api/stories', { title: `of ${author}`, author });
    await full.update(`/api/stories/${story.documentId}?locale=fr`, { title: `de ${author}`, author });
    if (author !== user.id) hidden.push(story.documentId);
  }
  for (const table of TABLES)
    await env.DB.exec(`create table "copy_${table}" as select * from "${table}" order by rowid`);
}

const isHidden = `in (select value from json_each(?))`;

/** The first two hidden documents are deleted, the others change all of their values, and links. */
async function swap(): Promise<void> {
  const run = (sql: string, ids: readonly string[]) => env.DB.prepare(sql).bind(JSON.stringify(ids));
  await env.DB.batch([
    run(
      `update "notes" set "text" = 'zebra' || "id", "number" = 100 - "number", "code" = 'z' || "id" where "document_id" ${isHidden}`,
      hidden,
    ),
    run(`update "notes" set "secret" = 'zzz' where ? <> ''`, hidden),
    run(`update "stories" set "title" = 'zebra' where "document_id" ${isHidden}`, hidden),
    run(`delete from "notes_folder_lnk" where "source_document_id" ${isHidden}`, hidden),
    run(`delete from "folders_first_lnk" where "target_document_id" ${isHidden}`, hidden),
    run(`delete from "notes" where "document_id" ${isHidden}`, hidden.slice(0, 2)),
    env.DB.prepare(RENEW_STAMPS),
  ]);
}

async function back(): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(RENEW_STAMPS),
    ...TABLES.flatMap((table) => [
      env.DB.prepare(`delete from "${table}"`),
      env.DB.prepare(`insert into "${table}" select * from "copy_${table}" order by rowid`),
    ]),
  ]);
}

/** Attributes, and the paths to them, by the content type of a list. */
interface Names {
  readonly paths: Readonly<Record<string, readonly string[]>>;
  readonly populates: readonly string[];
}

const NOTE = ['text', 'number', 'code', 'due', 'id', 'createdAt'];

const NAMES: Readonly<Record<'notes' | 'folders' | 'stories', Names>> = {
  notes: {
    paths: {
      '': NOTE,
      folder: ['name'],
      'folder.notes': NOTE,
      'folder.first': NOTE,
      author: ['username', 'id'],
      team: ['name'],
    },
    populates: [
      'populate=*',
      'populate[folder][populate][notes][populate][author]=true',
      'populate[folder][populate][first]=true',
      'populate[folder][populate][notes][count]=true',
      'populate[folder][populate][first][filters][text][$contains]=e',
      'populate[folder][populate]=*',
    ],
  },
  folders: {
    paths: { '': ['name', 'id'], notes: NOTE, first: NOTE, 'links.note': NOTE, 'first.folder.notes': NOTE },
    populates: [
      'populate=*',
      'populate=notes',
      'populate[notes][count]=true',
      'populate[first]=true',
      'populate[first][populate][folder][populate]=notes',
      'populate[any][on][api::note.note]=true',
      'populate[any][on][api::note.note][populate]=*',
      'populate[links][populate]=note',
      'populate[links][populate][note][populate][folder][populate]=notes',
      'populate[notes][sort]=number:desc',
      'populate[notes][sort]=folder.first.number:desc',
      'populate[notes][filters][number][$gt]=5',
      'populate[notes][filters][folder][notes][text][$contains]=e',
    ],
  },
  stories: {
    paths: { '': ['title', 'id'], author: ['username'], localizations: ['title'] },
    populates: ['populate=*', 'populate=localizations', 'populate=author', 'status=draft', 'locale=fr', 'locale=*'],
  },
};

/** What no caller may name, and what is not there. */
const REFUSED = ['filters[secret]=s3', 'sort=secret', 'fields=secret', 'filters[key][$null]=true', 'populate=editors'];

const operator = fc.constantFrom('$eq', '$ne', '$lt', '$gte', '$in', '$contains', '$startsWith', '$null', '$notNull');
const value = fc.oneof(
  fc.constantFrom('open 0', 'zebra1', 'theirs 2', 's3', 'c3', 'true', '100', 'z', 'o', 'e'),
  fc.integer({ min: -2, max: 101 }).map(String),
);
const page = fc.constantFrom(
  '',
  'pagination[pageSize]=2',
  'pagination[pageSize]=3&pagination[page]=2',
  'pagination[after]=',
  'pagination[withCount]=false',
);
const search = fc.constantFrom('', '', '_q=zebra', '_q=open', '_q=s3', '_q=e');

function queryOf({ paths, populates }: Names): fc.Arbitrary<readonly string[]> {
  const named = fc
    .constantFrom(...Object.entries(paths))
    .chain(([path, attributes]) => fc.tuple(fc.constant(path), fc.constantFrom(...attributes)));
  const filter = fc
    .tuple(fc.constantFrom('', '', '[$not]'), named, operator, value)
    .map(([not, [path, name], compare, operand]) => {
      const keys = [...path.split('.').filter(Boolean), name].map((key) => `[${key}]`).join('');
      const typed = name === 'due' || name === 'createdAt' ? '2026-01-01T00:00:00.000Z' : operand;
      return `filters${not}${keys}[${compare}]=${encodeURIComponent(name === 'number' ? String(Number.parseInt(typed, 10) || 3) : typed)}`;
    });
  const sort = fc
    .tuple(named, fc.constantFrom('asc', 'desc'))
    .map(([[path, name], way]) => `sort=${path}${path && '.'}${name}:${way}`);
  const parts = fc.tuple(
    fc.array(filter, { maxLength: 2 }),
    fc.option(sort, { nil: '' }),
    fc.option(fc.constantFrom(...populates), { nil: '' }),
    page,
    search,
    fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constantFrom(...REFUSED) }),
  );
  return parts.map((all) => all.flat().filter(Boolean));
}

const { notes, folders: folderNames, stories } = NAMES;

const request = fc.record({
  caller: fc.constantFrom('anna', 'anna', 'public'),
  target: fc.oneof(
    fc.tuple(fc.constant('/api/notes'), queryOf(notes)),
    fc.tuple(fc.constant('/api/folders'), queryOf(folderNames)),
    fc.tuple(fc.constant('/api/stories'), queryOf(stories)),
    fc.tuple(
      fc.nat(40).map((index) => `/api/notes/{note ${index}}`),
      fc.constantFrom(...notes.populates, '').map((each) => [each]),
    ),
    fc.tuple(
      fc.nat(2).map((index) => `/api/folders/{folder ${index}}`),
      fc.constantFrom(...folderNames.populates).map((each) => [each]),
    ),
  ),
});

const named = (text: string): string =>
  text
    .replace(
      /\{note (\d+)\}/,
      (_, index) => [...hidden, ...shown][Number(index) % (hidden.length + shown.length)] ?? '',
    )
    .replace(/\{folder (\d+)\}/, (_, index) => folders[Number(index)] ?? '');

beforeAll(async () => {
  await createRegistryTables(guardedRegistry);
  await createToken('full', 'full-access');
  await plant();
}, timeout);

const headersOf = (caller: string): RequestInit =>
  caller === 'anna' ? { headers: { authorization: `Bearer ${anna}` } } : {};

it('what is hidden is swapped there and back', async () => {
  const state = async () =>
    JSON.stringify(
      (await env.DB.batch(TABLES.map((table) => env.DB.prepare(`select * from "${table}" order by rowid`)))).map(
        ({ results }) => results,
      ),
    );
  const before = await state();
  await swap();
  expect(await state()).not.toBe(before);
  await back();
  expect(await state()).toBe(before);
});

it('responses are the same whatever is hidden', { timeout }, async () => {
  const tick = progress('conditions');
  let successes = 0;
  const property = fc.asyncProperty(request, async ({ target: [target, query], caller }) => {
    const url = `${named(target)}?${query.join('&')}`;
    const responseTo = async () => {
      const response = await send(url, headersOf(caller));
      if (response.ok) successes += 1;
      expect(response.status).toBeLessThan(500);
      return `${response.status} ${response.headers.get('etag')} ${await response.text()}`;
    };
    const first = await responseTo();
    await swap();
    try {
      expect(await responseTo()).toBe(first);
    } finally {
      await back();
    }
    tick();
  });
  await fc.assert(property, parameters('conditions'));
  console.log(`fuzz: successes ${successes}`);
  expect(successes).toBeGreaterThan(0);
});

it('a write of a hidden document is refused as that of none', { timeout }, async () => {
  const bodies = [{ text: 'x' }, { number: 'no' }, { folder: 'nowhere' }, { author: [] }, {}];
  for (const documentId of hidden.slice(0, -1))
    for (const data of bodies)
      for (const method of ['PUT', 'DELETE']) {
        const refusal = async (target: string) => {
          const response = await send(`/api/notes/${target}`, {
            method,
            headers: { authorization: `Bearer ${anna}`, 'content-type': 'application/json' },
            ...(method === 'PUT' && { body: JSON.stringify({ data }) }),
          });
          return `${response.status} ${await response.text()}`;
        };
        expect(await refusal(documentId)).toBe(await refusal('nowhere00000000000000000'));
      }
});
