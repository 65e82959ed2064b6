/**
 * @module `search=`: documents by their words, the best first.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { serveRegistry } from '../../support/app.ts';
import {
  type ApiDocument,
  type Client,
  clientOf,
  documentOf,
  documentsOf,
  errorOf,
  totalOf,
} from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer, sendJson } from '../../support/recorded.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { register } from '../../support/users.ts';
import { openWorld } from '../../support/world.ts';

const localized = { pluginOptions: { i18n: { localized: true } } };
const NOTE = contentType(
  'note',
  {
    title: { type: 'string', ...localized },
    body: { type: 'richtext', ...localized },
    year: { type: 'integer' },
    audience: { type: 'string', searchable: false },
    secret: { type: 'text', private: true },
    parent: relation('manyToOne', 'note'),
  },
  { drafts: true, localized: true },
);
const FILES = [NOTE, contentType('plain', { title: { type: 'string' } })];
const WEIGHTS = { 'api::note.note': { title: 4, body: 1 } };
const registry = registryOf(FILES, [], {}, { search: WEIGHTS });
const i18n = {
  locales: [
    { code: 'en', name: 'en', isDefault: true },
    { code: 'fr', name: 'fr', fallback: ['en'] },
  ],
};
const { send, client } = openWorld(registry, { i18n });

interface Highlight {
  readonly documentId: string;
  readonly locale?: string;
  readonly texts: Readonly<Record<string, readonly { text: string; ranges: readonly (readonly number[])[] }[]>>;
}

const note = async (title: string, body = '', more: object = {}, search = ''): Promise<string> =>
  (await documentOf(client.create(`/api/notes${search}`, { title, body, ...more }))).documentId;
const titles = async (search: string, from: Client = client): Promise<readonly unknown[]> =>
  (await documentsOf(from.get(`/api/notes?${search}`))).map(({ title }) => title);
const id = (...actions: string[]): string[] => actions.map((action) => `api::note.note.${action}`);

const total = async (search: string, from: Client = client): Promise<number> =>
  totalOf(from.get(`/api/notes?${search}`));
const asUser = (authenticated: NonNullable<SettingsInput['roles']>[string]): Client =>
  clientOf(serveRegistry(registry, { i18n, roles: { authenticated } }), user);

let user: string;

beforeAll(async () => {
  user = (await register(send, 'ann')).jwt;
  await note('The harbour', 'Ships at night. A kestrel.', { year: 2024 });
  await note('Ships', 'The harbour of the town, a harbour for ships.', { audience: 'staff' });
  await note('Harbourmaster', '“École” and\nthe lighthouse', { secret: 'quokka' });
  await note('Overnight', 'Midnight, at the harbours.');
  await note('夜の灯台', '港、船。');
  await note('Ships', 'harbours', {}, '?status=draft');
});

/** Pages that are read in other ways. */
const PAGES = [
  '',
  '&pagination[page]=2',
  '&pagination[withCount]=false',
  '&pagination[after]=',
  '&locale=fr&fallback=true',
  '&facets=year',
];

const rejected = async (path: string, from: Client = client): Promise<string> => {
  const { status, message } = await errorOf(from.get(path));
  expect(status).toBe(400);
  return message;
};

describe('a search is rejected', () => {
  it('of anything but a list', async () => {
    const one = await note('one');
    const message = 'Invalid key search';
    expect(await rejected(`/api/notes/${one}?search=one`)).toBe(message);
    for (const write of [client.update(`/api/notes/${one}?search=x`, {}), client.create('/api/notes?search=', {})])
      expect(await errorOf(write)).toMatchObject({ status: 400, message });
    await client.remove(`/api/notes/${one}`);
  });

  it('of a type without a search index, by the name of the setting', async () => {
    expect(await rejected('/api/plains?search=x')).toBe(
      "Invalid parameter at 'search'. Expected 'api::plain.plain' in the setting 'search'",
    );
  });

  it('for what is no text, and for more words than the limit', async () => {
    expect(await rejected('/api/notes?search[a]=x')).toBe("Invalid parameter at 'search'. Expected a string");
    const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join('+');
    expect(await rejected(`/api/notes?search=${words(11)}`)).toBe(
      "Invalid parameter at 'search'. Expected at most 10 words",
    );
    expect(await titles(`search=${words(10)}`)).toEqual([]);
  });

  it('of a type with more than 40 searched attributes, until weights name fewer', async () => {
    const attributes = Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`a${index}`, { type: 'string' }]));
    const files = [contentType('wide', attributes)];
    const wide = registryOf(files, [], {}, { search: ['api::wide.wide'] });
    expect(await rejected('/api/wides?search=x', clientOf(serveRegistry(wide, { i18n }), 'full'))).toBe(
      "Invalid parameter at 'search'. Expected weights of at most 40 attributes at 'api::wide.wide' in the setting 'search'",
    );
  });

  it('with a rank alone, and a rank in a populate', async () => {
    expect(await rejected('/api/notes?sort=_rank')).toBe(
      "Invalid parameter at 'sort'. Expected _rank only beside 'search'",
    );
    expect(await rejected('/api/notes?search=harbour&populate[parent][sort]=_rank')).toBe('Invalid key _rank');
    expect(await rejected('/api/notes?search=harbour&filters[_rank]=1')).toBe('Invalid key _rank');
    expect(await rejected('/api/notes?search=harbour&fields=_rank')).toBe('Invalid key _rank');
  });

  it('with extensions off, as any unknown parameter', async () => {
    const off = clientOf(serveRegistry(registry, { i18n, api: { rest: { extensions: false } } }), 'full');
    expect(await rejected('/api/notes?search=harbour', off)).toBe('Invalid key search');
    expect(await rejected('/api/notes?sort=_rank', off)).toBe('Invalid key _rank');
    const lenient = { i18n, api: { rest: { extensions: false, strictParams: false } } };
    expect(await total('search=kestrel', clientOf(serveRegistry(registry, lenient), 'full'))).toBe(5);
  });
});

describe('a search finds', () => {
  it('what begins with its words, in any attribute and any case', async () => {
    expect(await titles('search=HARB')).toEqual(['Harbourmaster', 'The harbour', 'Ships', 'Overnight']);
    expect(await titles('search=night')).toEqual(['The harbour']);
    expect(await titles('search=at')).toEqual(['The harbour', 'Overnight']);
    expect(await titles('search=ships harbour')).toEqual(['Ships', 'The harbour']);
    expect(await titles('search=ships kestrel overnight')).toEqual([]);
  });

  it('words behind marks and line breaks, and between them', async () => {
    for (const word of ['école', 'ÉCOLE', '"éc!', 'and the', 'and-lighthouse'])
      expect(await titles(`search=${encodeURIComponent(word)}`), word).toEqual(['Harbourmaster']);
  });

  it('any part of words in scripts without spaces', async () => {
    for (const word of ['灯台', '夜', '船、夜']) expect(await titles(`search=${word}`), word).toEqual(['夜の灯台']);
  });

  it('nothing for a text without words, and all for an empty one', async () => {
    for (const pages of PAGES) expect(await titles(`search=${encodeURIComponent('?!')}${pages}`), pages).toEqual([]);
    expect(await total('search=')).toBe(5);
  });

  it('nothing in attributes without a weight, which _q finds', async () => {
    for (const word of ['2024', 'staff', 'quokka']) expect(await titles(`search=${word}`), word).toEqual([]);
    expect(await titles('_q=2024')).toEqual(['The harbour']);
    expect(await titles('_q=midnight')).toEqual(['Overnight']);
  });

  it('all texts and numbers with a list of types', async () => {
    const listed = registryOf(FILES, [], {}, { search: ['api::note.note'] });
    const from = clientOf(serveRegistry(listed, { i18n }), 'full');
    expect(await titles('search=2024', from)).toEqual(['The harbour']);
    expect(await titles('search=quokka', from)).toEqual([]);
    expect(await titles('search=staff', from)).toEqual([]);
    expect(await titles('search=harbour', from)).toEqual(['Ships', 'The harbour', 'Harbourmaster', 'Overnight']);
  });

  it('a word of seven letters and more with another letter, if it finds none as it is', async () => {
    for (const word of ['lighthause', 'mighthouse', 'lighthousa', 'lightho', 'lagthou'])
      expect(await titles(`search=${word}`), word).toEqual(word === 'lagthou' ? [] : ['Harbourmaster']);
    expect(await titles('search=the kestrol')).toEqual(['The harbour']);
    expect(await titles('search=kestrol master')).toEqual([]);
    expect(await titles('search=shaps')).toEqual([]);
    const near = await note('Kestrol');
    expect(await titles('search=kestrol')).toEqual(['Kestrol']);
    expect(await total('search=kestrol')).toBe(1);
    await client.remove(`/api/notes/${near}`);
    expect(await total('search=kestrol')).toBe(1);
  });

  it('words with a capital that has no small form of one character', async () => {
    const documentId = await note('İstanbul');
    for (const word of ['İstanbul', 'İSTAN', 'i̇stanbul'])
      expect(await titles(`search=${encodeURIComponent(word)}`), word).toEqual(['İstanbul']);
    await client.remove(`/api/notes/${documentId}`);
  });

  it('words behind each kind of character, and in no other word', async () => {
    for (const before of ['-', '(', '"', '_', '@', '[', '\u00a0', '«', '—', '、', '→-', '東-'])
      await note(`wing${before}ingot`, 'a '.repeat(9), { year: 7 });
    const inside = await note('wing Flingot Évingot Щingot 7ingot 東ingot', '', { year: 7 });
    expect(await total('search=ingot')).toBe(12);
    expect(await total('search=ING')).toBe(12);
    for (const { documentId } of [
      ...(await documentsOf(client.get('/api/notes?filters[year]=7'))),
      { documentId: inside },
    ])
      await client.remove(`/api/notes/${documentId}`);
  });

  it('words that are longer than a pattern', async () => {
    const long = `donau${'dampfschifffahrt'.repeat(4)}`;
    const documentId = await note(`Die ${long}en`);
    expect(await titles(`search=${long}`)).toEqual([`Die ${long}en`]);
    expect(await titles(`search=${long.slice(1)}`)).toEqual([]);
    await client.remove(`/api/notes/${documentId}`);
  });
});

describe('a rank', () => {
  it('is the default sort, stands among others, and begins with the weakest if asc', async () => {
    const best = ['The harbour', 'Harbourmaster', 'Ships', 'Overnight'];
    for (const sort of ['', '&sort=_rank', '&sort=_rank:desc', '&sort[_rank]=desc', '&sort=_rank,title'])
      expect(await titles(`search=harbour${sort}`), sort).toEqual(best);
    expect(await titles('search=harbour&sort=_rank:asc')).toEqual(best.toReversed());
    expect(await titles('search=harbour&sort=title')).toEqual(best.toSorted());
    expect(await titles('search=harbour&sort=year:desc,_rank')).toEqual(best);
    expect(await titles('search=harbour&sort=parent.title,_rank:asc')).toEqual(best.toReversed());
  });

  it('is higher for words that are whole, begin a text, and come often', async () => {
    const made = await Promise.all([
      note('wren'),
      note('a wren'),
      note('wrens'),
      note('a wrens'),
      note('a wrens wrens'),
    ]);
    expect(await titles('search=wren')).toEqual(['wren', 'a wren', 'wrens', 'a wrens wrens', 'a wrens']);
    for (const documentId of made) await client.remove(`/api/notes/${documentId}`);
  });

  it('orders pages and cursors as one list, with its total', async () => {
    const pages = await Promise.all(
      [1, 2].map((page) => titles(`search=harbour&pagination[page]=${page}&pagination[pageSize]=2`)),
    );
    expect(pages.flat()).toEqual(['The harbour', 'Harbourmaster', 'Ships', 'Overnight']);
    expect(await total('search=harbour&pagination[pageSize]=2')).toBe(4);
    const seen: unknown[] = [];
    let after: string | null = '';
    while (after !== null) {
      const response = await client.get(`/api/notes?search=harbour&pagination[limit]=1&pagination[after]=${after}`);
      const body = await response.json<{ data: { title: string }[]; meta: { pagination: { next: string | null } } }>();
      seen.push(...body.data.map(({ title }) => title));
      after = body.meta.pagination.next;
    }
    expect(seen).toEqual(pages.flat());
  });

  it('gives cursors that fit no other search and no other order', async () => {
    const page = 'pagination[limit]=1&pagination[after]=';
    const { meta } = await (await client.get(`/api/notes?search=harbour&${page}`)).json<{
      meta: { pagination: { next: string } };
    }>();
    const { next } = meta.pagination;
    expect(await rejected(`/api/notes?search=harbours&${page}${next}`)).toContain('same filters');
    expect(await rejected(`/api/notes?search=harbour&sort=_rank:asc&${page}${next}`)).toContain('same sort');
    expect(await titles(`search=harbour&sort=_rank:desc&${page}${next}`)).toEqual(['Harbourmaster']);
  });

  it('depends on no other row', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, (_, index) => note(`harbour ${index}`, 'harbour')));
    const own = (await titles('search=harbour&pagination[limit]=50')).filter((title) => !/\d/.test(String(title)));
    expect(own).toEqual(['The harbour', 'Harbourmaster', 'Ships', 'Overnight']);
    for (const documentId of made) await client.remove(`/api/notes/${documentId}`);
  });
});

describe('a search passes', () => {
  it('filters, drafts, states of publication, facets and populates', async () => {
    expect(await titles('search=harbour&filters[title][$contains]=master')).toEqual(['Harbourmaster']);
    expect(await titles('search=harbour&filters[parent][title]=x')).toEqual([]);
    expect(await titles('search=harbour&_q=town')).toEqual(['Ships']);
    expect(await total('search=harbours&status=draft')).toBe(2);
    expect(await titles('search=harbours&status=draft&publicationFilter=never-published')).toEqual(['Ships']);
    const counted = await (await client.get('/api/notes?search=harbour&facets=year,audience')).json<{ meta: object }>();
    expect(counted.meta).toMatchObject({
      facets: { year: [{ value: 2024, count: 1 }], audience: [{ value: 'staff', count: 1 }] },
    });
    const [first] = await documentsOf(client.get('/api/notes?search=harbour&populate=parent'));
    expect(first).toMatchObject({ title: 'The harbour', parent: null });
    const [named] = await documentsOf(
      client.get('/api/notes?search=harbour&fields=year&filters[parent][id][$null]=true'),
    );
    expect(Object.keys(named ?? {}).toSorted()).toEqual(['documentId', 'id', 'year']);
  });

  it('locales and their chains, nearly found in each', async () => {
    const [{ documentId } = { documentId: '' }] = await documentsOf(client.get('/api/notes?search=overnight'));
    await client.update(`/api/notes/${documentId}?locale=fr`, { title: 'Nuitamment', body: 'au port' });
    expect(await titles('search=nuitamment')).toEqual([]);
    expect(await titles('search=nuitament&locale=fr')).toEqual([]);
    expect(await titles('search=nuitammant&locale=fr')).toEqual(['Nuitamment']);
    expect(await titles('search=overnight&locale=fr&fallback=true')).toEqual([]);
    expect(await titles('search=harbour&locale=fr&fallback=true')).toEqual(['The harbour', 'Harbourmaster', 'Ships']);
    expect(await titles('search=nuitamment&locale=*')).toEqual(['Nuitamment']);
    await client.remove(`/api/notes/${documentId}?locale=fr`);
  });

  it('writes: a response that was cached is computed again', async () => {
    expect(await titles('search=heron')).toEqual([]);
    const documentId = await note('A heron');
    expect(await titles('search=heron')).toEqual(['A heron']);
    await client.remove(`/api/notes/${documentId}`);
    expect(await titles('search=heron')).toEqual([]);
  });
});

describe('what a caller may not see', () => {
  it('is neither found nor ranked', async () => {
    const titled = asUser([{ action: id('find'), fields: ['title', 'year'] }]);
    expect(await titles('search=harbour', titled)).toEqual(['The harbour', 'Harbourmaster']);
    expect(await titles('search=kestrel', titled)).toEqual([]);
    const dated = asUser([{ action: id('find'), fields: ['year'] }]);
    for (const pages of PAGES) expect(await titles(`search=harbour${pages}`, dated), pages).toEqual([]);
  });

  it('changes neither order, nor totals, nor what is nearly found', async () => {
    const all = [
      await note('harbour harbour', 'harbour', { audience: 'none' }),
      await note('kestrol', '', { audience: 'none' }),
    ];
    const some = asUser([{ action: id('find'), where: { audience: { $null: true } } }]);
    expect(await titles('search=harbour', some)).toEqual(['The harbour', 'Harbourmaster', 'Overnight']);
    expect(await total('search=harbour&pagination[pageSize]=1', some)).toBe(3);
    expect(await titles('search=kestrol')).toEqual(['kestrol']);
    expect(await titles('search=kestrol', some)).toEqual(['The harbour']);
    for (const documentId of all) await client.remove(`/api/notes/${documentId}`);
  });
});

describe('highlights', () => {
  const highlightsOf = async (search: string, from: Client = client): Promise<readonly Highlight[]> => {
    const response = await from.get(`/api/notes?highlights=true&${search}`);
    const { meta } = await response.json<{ meta: { highlights: readonly Highlight[] } }>();
    return meta.highlights;
  };

  it('have the texts of each document with the places of the words, in the order of the documents', async () => {
    const response = await client.get('/api/notes?search=harbour ship&highlights=true');
    const { data, meta } = await response.json<{ data: ApiDocument[]; meta: { highlights: object } }>();
    expect(meta.highlights).toEqual([
      {
        documentId: data[0]?.documentId,
        locale: 'en',
        texts: {
          title: [{ text: 'The harbour', ranges: [[4, 11]] }],
          body: [{ text: 'Ships at night. A kestrel.', ranges: [[0, 4]] }],
        },
      },
      {
        documentId: data[1]?.documentId,
        locale: 'en',
        texts: {
          title: [{ text: 'Ships', ranges: [[0, 4]] }],
          body: [
            {
              text: 'The harbour of the town, a harbour for ships.',
              ranges: [
                [4, 11],
                [27, 34],
                [39, 43],
              ],
            },
          ],
        },
      },
    ]);
  });

  it('are cut with the documents of a tool', async () => {
    const send = serveRegistry(registry, { i18n, mcp: true });
    for (let count = 0; count < 8; count += 1) await note(`Gannet ${count}`, 'x'.repeat(15_000));
    const call = { name: 'find', arguments: { type: 'notes', search: 'gannet', highlights: true } };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
    const response = await send('/mcp', sendJson('POST', 'full', body));
    type Named = readonly { readonly documentId: string }[];
    type Found = { readonly data: Named; readonly meta: { readonly highlights: Named }; readonly cut: object };
    const { result } = await response.json<{ result: { structuredContent: Found } }>();
    const { data, meta, cut } = result.structuredContent;
    expect(cut).toMatchObject({ shown: 6, of: 8 });
    expect(meta.highlights.map(({ documentId }) => documentId)).toEqual(data.map(({ documentId }) => documentId));
  });

  it('are as they are whatever fields and format the documents have, which show nothing more', async () => {
    const search = '/api/notes?search=lighthouse&highlights=true';
    const bodyOf = async (more: string, headers = {}) =>
      (await send(search + more, { headers: { ...bearer('full').headers, ...headers } })).json<{
        data: ApiDocument[];
        meta: { highlights: object };
      }>();
    const { meta } = await bodyOf('');
    expect(meta.highlights).toMatchObject([{ locale: 'en', texts: { body: [{ ranges: [[16, 26]] }] } }]);
    const named = await bodyOf('&fields=title');
    expect(named.meta).toEqual(meta);
    expect(Object.keys(named.data[0] ?? {}).toSorted()).toEqual(['documentId', 'id', 'title']);
    const nested = await bodyOf('&fields=year&populate=parent', { 'strapi-response-format': 'v4' });
    expect(nested.meta).toEqual(meta);
    expect(Object.keys(nested.data[0]?.attributes ?? {}).toSorted()).toEqual(['parent', 'year']);
  });

  it('have a word with another letter where it was found so, and any part in scripts without spaces', async () => {
    const [near] = await highlightsOf('search=the lighthause');
    expect(near?.texts.body?.[0]?.ranges).toEqual([
      [12, 15],
      [16, 26],
    ]);
    const [part] = await highlightsOf('search=灯台');
    expect(part?.texts).toEqual({ title: [{ text: '夜の灯台', ranges: [[2, 4]] }] });
  });

  it('have nothing of attributes that the caller may not see, nor of rows', async () => {
    const titled = asUser([{ action: id('find'), fields: ['title'] }]);
    const [first] = await highlightsOf('search=harbour', titled);
    expect(first).toEqual({
      documentId: first?.documentId,
      texts: { title: [{ text: 'The harbour', ranges: [[4, 11]] }] },
    });
    const some = asUser([{ action: id('find'), where: { audience: { $null: true } } }]);
    expect((await highlightsOf('search=town', some)).length).toBe(0);
  });

  it('are of both locales of a document', async () => {
    const documentId = await note('A heron', 'x');
    await client.update(`/api/notes/${documentId}?locale=fr`, { title: 'Le heron', body: 'y' });
    const all = await highlightsOf('search=heron&locale=*&sort=locale');
    expect(all.map(({ locale, texts }) => [locale, texts.title?.[0]?.ranges])).toEqual([
      ['en', [[2, 7]]],
      ['fr', [[3, 8]]],
    ]);
    await client.remove(`/api/notes/${documentId}?locale=*`);
  });

  it('are rejected without a search and of anything but a list, and off without a value', async () => {
    expect(await rejected('/api/notes?highlights=true')).toBe(
      "Invalid parameter at 'highlights'. Expected 'search' beside it",
    );
    expect(await rejected('/api/notes?search=x&highlights=1')).toBe(
      "Invalid parameter at 'highlights'. Expected 'true' or 'false'",
    );
    const [first] = await documentsOf(client.get('/api/notes'));
    expect(await rejected(`/api/notes/${first?.documentId}?highlights=true`)).toBe('Invalid key highlights');
    const { meta } = await (await client.get('/api/notes?search=harbour&highlights=false')).json<{ meta: object }>();
    expect(meta).not.toHaveProperty('highlights');
    const off = clientOf(serveRegistry(registry, { i18n, api: { rest: { extensions: false } } }), 'full');
    expect(await rejected('/api/notes?highlights=true', off)).toBe('Invalid key highlights');
  });
});

describe('a search costs', () => {
  async function costOf(path: string): Promise<{ rows: number; batches: number }> {
    const { database, rowsRead, answering } = countedDatabase(env.DB);
    const response = await clientOf(serveRegistry(registry, { i18n }, { DB: database }), 'full').get(path);
    expect(response.status).toBe(200);
    return { rows: [...rowsRead.values()].reduce((sum, rows) => sum + rows, 0), batches: answering().length };
  }

  it('one round trip, and no more rows among many than among few', async () => {
    const search = '/api/notes?search=kestrel night&highlights=true&pagination[pageSize]=10';
    const few = await costOf(search);
    const rows = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000) insert into notes (document_id, locale, published_at, created_at, updated_at, title, body) select 'many' || i, 'en', 1, i, 1, 'title ' || i, 'a text at night of its own' from n`;
    await env.DB.prepare(rows).run();
    const many = await costOf(search);
    await env.DB.prepare("delete from notes where document_id like 'many%'").run();
    expect(few.batches).toBe(1);
    expect(many).toEqual(few);
  });

  it('little time in a text that has the letters within many words', async () => {
    const documentId = await note('rings', 'bring king wing thing '.repeat(16_000));
    const started = performance.now();
    expect(await titles('search=ing')).toEqual([]);
    expect(performance.now() - started).toBeLessThan(5_000);
    await client.remove(`/api/notes/${documentId}`);
  });

  it('one statement within the limits of D1, whatever its words and the rest of the request are', async () => {
    const words = Array.from(
      { length: 10 },
      (_, index) => `${'é'.repeat(index)}lighthouse${'x'.repeat(40 * index)}`,
    ).join('+');
    const filters = Array.from({ length: 100 }, (_, index) => `filters[$or][${index}][parent][title]=x${index}`);
    const sort = Array.from({ length: 5 }, (_, index) => (index === 0 ? '_rank' : 'parent.title')).join();
    for (const page of ['', '&pagination[after]='])
      expect(await titles(`search=${words}&${filters.join('&')}&sort=${sort}${page}`)).toEqual([]);
  });
});
