/**
 * @module `search=`: documents by their words, the best first.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { type ApiDocument, type Client, clientOf, documentOf, documentsOf, totalOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer } from '../../support/recorded.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { register } from '../../support/users.ts';
import { openWorld } from '../../support/world.ts';

const localized = { pluginOptions: { i18n: { localized: true } } };
const attributes = {
  title: { type: 'string', ...localized },
  body: { type: 'richtext', ...localized },
  year: { type: 'integer' },
  parent: relation('manyToOne', 'note'),
};
const WEIGHTS = { 'api::note.note': { title: 4, body: 1 } };
const registry = registryOf(
  [contentType('note', attributes, { drafts: true, localized: true })],
  [],
  {},
  { search: WEIGHTS },
);
const i18n = {
  locales: [
    { code: 'en', name: 'en', isDefault: true },
    { code: 'fr', name: 'fr', fallback: ['en'] },
  ],
};
const { send, client } = openWorld(registry, { i18n });

const note = async (title: string, body = '', more: object = {}, search = ''): Promise<string> =>
  (await documentOf(client.create(`/api/notes${search}`, { title, body, ...more }))).documentId;
const titles = async (search: string, from: Client = client): Promise<readonly unknown[]> =>
  (await documentsOf(from.get(`/api/notes?${search}`))).map(({ title }) => title);
const total = async (search: string): Promise<number> => totalOf(client.get(`/api/notes?${search}`));
const seeing = (...fields: string[]): Client => {
  const authenticated = [{ action: ['api::note.note.find'], fields }];
  return clientOf(serveRegistry(registry, { i18n, roles: { authenticated } }), user);
};

let user: string;

beforeAll(async () => {
  user = (await register(send, 'ann')).jwt;
  await note('The harbour', 'Ships at night. A kestrel.', { year: 2024 });
  await note('Ships', 'The harbour of the town, a harbour for ships.');
  await note('Harbourmaster', '“École” and\nthe lighthouse');
  await note('Overnight', 'Midnight, at the harbours.');
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

  it('nothing for a text without words, and all for an empty one', async () => {
    for (const pages of PAGES) expect(await titles(`search=${encodeURIComponent('?!')}${pages}`), pages).toEqual([]);
    expect(await total('search=')).toBe(4);
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
});

describe('a search passes', () => {
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
});

describe('what a caller may not see', () => {
  it('is neither found nor ranked', async () => {
    const titled = seeing('title', 'year');
    expect(await titles('search=harbour', titled)).toEqual(['The harbour', 'Harbourmaster']);
    expect(await titles('search=kestrel', titled)).toEqual([]);
    const dated = seeing('year');
    for (const pages of PAGES) expect(await titles(`search=harbour${pages}`, dated), pages).toEqual([]);
  });
});

describe('highlights', () => {
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

  it('no more in a text that has the letters within many words, unless they may begin one', async () => {
    const search = '/api/notes?search=ing';
    const letters = 'bring king wing thing ';
    const documentId = await note('rings', letters);
    const few = await costOf(search);
    await client.update(`/api/notes/${documentId}`, { body: letters.repeat(100) });
    expect(await costOf(search)).toEqual(few);
    await client.update(`/api/notes/${documentId}`, { body: `${letters.repeat(100)}→ing` });
    expect((await costOf(search)).rows).toBeGreaterThan(few.rows + 300);
    await client.remove(`/api/notes/${documentId}`);
  });
});
