import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Attributes, component, contentType } from '../../support/schema-files.ts';
import { openTestDatabase, type TestDatabase } from './content-model.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.reset());
afterAll(() => database.close());

const STRING = { type: 'string' };
const single = (uid: string) => ({ type: 'component', component: uid, repeatable: false });
const list = (uid: string) => ({ type: 'component', component: uid, repeatable: true });

/** `shared.link` in a list in `shared.card`, which stands alone, in a list, and in a zone beside `shared.note`. */
const model = (link: Attributes, card: Attributes = {}) => ({
  types: [
    contentType('article', {
      title: STRING,
      card: single('shared.card'),
      cards: list('shared.card'),
      zone: { type: 'dynamiczone', components: ['shared.card', 'shared.note'] },
      empty: single('shared.card'),
    }),
  ],
  components: [
    component('shared.link', link),
    component('shared.card', { label: STRING, links: list('shared.link'), main: single('shared.link'), ...card }),
    component('shared.note', { text: STRING }),
  ],
});

async function insert(columns: Readonly<Record<string, unknown>>): Promise<void> {
  const names = Object.keys(columns);
  const values = Object.values(columns).map((value) => `'${JSON.stringify(value).replaceAll("'", "''")}'`);
  await database.run(`INSERT INTO articles (document_id, ${names.join(', ')}) VALUES ('a', ${values.join(', ')})`);
}

async function stored(): Promise<Record<string, unknown>> {
  const [row] = await database.run('SELECT card, cards, zone, empty FROM articles');
  return Object.fromEntries(
    Object.entries(row ?? {}).map(([name, json]) => [name, json === null ? null : JSON.parse(String(json))]),
  );
}

/** Cards with one kind of link inside, everywhere. */
function cards(link: (id: number) => unknown) {
  const card = (id: number) => ({
    id,
    label: `It's ${id}`,
    links: [link(10 * id), link(10 * id + 1)],
    main: link(10 * id + 2),
  });
  return {
    card: card(1),
    cards: [card(2), { id: 3, label: 'bare', links: [], main: null }],
    zone: [
      { __component: 'shared.note', id: 4, text: 'url' },
      { ...card(5), __component: 'shared.card' },
    ],
  };
}

describe('a change of a component', () => {
  it('is refused as a rename that the files do not bear out', async () => {
    await database.evolve(model({ url: STRING }));
    const rename = database.evolve(model({ url: STRING, href: STRING }), { rename: ['shared.link.url=href'] });
    await expect(rename).rejects.toThrow('shared.link still has an attribute url');
  });

  it('renames the attribute in every instance, at every depth', async () => {
    await database.evolve(model({ url: STRING }));
    await insert(cards((id) => ({ id, url: `/${id}?a="b"` })));
    const { losses } = await database.evolve(model({ href: STRING }), { rename: ['shared.link.url=href'] });
    expect(losses).toEqual([]);
    expect(await stored()).toEqual({ ...cards((id) => ({ id, href: `/${id}?a="b"` })), empty: null });
  });

  it('keeps the value of an instance that has the new name of the attribute already', async () => {
    await database.evolve(model({ url: STRING }));
    const links = [
      { id: 1, href: 'new' },
      { id: 2, url: null, href: 'new' },
      { id: 3, url: 'old', href: null },
      { id: 4, url: 'old', href: 'new' },
    ];
    await insert({ card: { id: 9, links } });
    await database.evolve(model({ href: STRING }), { rename: ['shared.link.url=href'] });
    const { card } = (await stored()) as { card: { links: { href: string }[] } };
    expect(card.links.map(({ href }) => href)).toEqual(['new', 'new', 'old', 'old']);
  });

  it('removes the values of a removed attribute, and says so', async () => {
    await database.evolve(model({ url: STRING, rel: STRING }));
    await insert(cards((id) => ({ id, url: 'x', rel: 'y' })));
    const { losses } = await database.evolve(model({ url: STRING }));
    expect(losses).toMatchObject([{ subject: 'shared.link.rel', reason: 'removed' }]);
    expect(await stored()).toEqual({ ...cards((id) => ({ id, url: 'x' })), empty: null });
  });

  it('leaves instances alone when an attribute is added', async () => {
    await database.evolve(model({ url: STRING }));
    const { statements, losses } = await database.evolve(model({ url: STRING, rel: STRING }));
    expect({ statements, losses }).toEqual({ statements: [], losses: [] });
  });

  it('changes component and nested component at once', async () => {
    await database.evolve(model({ url: STRING }, { note: { type: 'integer' } }));
    await insert({ card: { id: 1, label: 'l', note: 7, links: [{ id: 2, url: 'u' }], main: null } });
    await database.evolve(model({ href: STRING }, { note: STRING }), { rename: ['shared.link.url=href'] });
    expect((await stored()).card).toEqual({ id: 1, label: 'l', note: '7', links: [{ id: 2, href: 'u' }], main: null });
  });

  it('keeps a nested component that becomes a list, and no list that becomes a single one', async () => {
    await database.evolve(model({ url: STRING }));
    await insert(cards((id) => ({ id, url: 'x' })));
    const { losses } = await database.evolve(
      model({ url: STRING }, { links: single('shared.link'), main: list('shared.link') }),
    );
    expect(losses.map(({ subject }) => subject)).toEqual(['shared.card.links']);
    const link = (id: number) => ({ id, url: 'x' });
    expect((await stored()).cards).toEqual([
      { id: 2, label: "It's 2", links: null, main: [link(22)] },
      { id: 3, label: 'bare', links: null, main: [] },
    ]);
  });

  it('follows a type under a new uid, and drops relations that point to another type', async () => {
    const related = (target: string) => ({
      types: [contentType(target, {}, { table: 'things' }), contentType('page', { seo: single('shared.seo') })],
      components: [
        component('shared.seo', {
          top: { type: 'relation', relation: 'oneToOne', target: `api::${target}.${target}` },
        }),
      ],
    });
    await database.evolve(related('thing'));
    expect((await database.evolve(related('item'))).losses).toEqual([]);
    const other = related('item');
    const moved = {
      ...other,
      types: [...other.types, contentType('other', {})],
      components: [
        component('shared.seo', { top: { type: 'relation', relation: 'oneToOne', target: 'api::other.other' } }),
      ],
    };
    expect((await database.evolve(moved)).losses.map(({ subject }) => subject)).toEqual(['shared.seo.top']);
  });

  it('empties a nested component that becomes another', async () => {
    await database.evolve(model({ url: STRING }));
    await insert({ card: { id: 1, label: 'l', links: [], main: { id: 2, url: 'x' } } });
    await database.evolve(model({ url: STRING }, { main: single('shared.note') }));
    expect((await stored()).card).toEqual({ id: 1, label: 'l', links: [], main: null });
  });
});

describe('a zone inside a component', () => {
  const zone = (...components: string[]) => ({ type: 'dynamiczone', components });
  /** A section holds links and notes, a note holds links; sections stand alone and in a zone. */
  const sections = (link: Attributes, parts: readonly string[], uid = 'shared.link') => ({
    types: [contentType('page', { title: STRING, main: single('shared.section'), zone: zone('shared.section', uid) })],
    components: [
      component(uid, link),
      component('shared.note', { links: list(uid) }),
      component('shared.section', { label: STRING, parts: zone(...parts) }),
    ],
  });
  const ALL = ['shared.link', 'shared.note'];
  const URL = { url: STRING, rel: STRING };
  const insertPage = async (main: unknown, entries: readonly unknown[]) => {
    const text = (value: unknown) => `'${JSON.stringify(value)}'`;
    await database.run(
      `INSERT INTO pages (document_id, published_at, main, zone) VALUES (hex(randomblob(8)), 1, ${text(main)}, ${text(entries)})`,
    );
  };
  const page = async () => {
    const [row] = await database.run('SELECT main, zone FROM pages ORDER BY id LIMIT 1');
    return { main: JSON.parse(String(row?.main)), zone: JSON.parse(String(row?.zone)) };
  };
  const section = (link: (id: number) => object, uid = 'shared.link') => ({
    id: 1,
    label: 'l',
    parts: [
      { __component: uid, ...link(2) },
      { __component: 'shared.note', id: 3, links: [link(4)] },
    ],
  });
  const BARE = { id: 9, label: 'from before there were parts' };

  it('has its instances rewritten, and counted', async () => {
    await database.evolve(sections(URL, ALL));
    const full = section((id) => ({ id, url: 'u', rel: id === 4 ? 'r' : null }));
    await insertPage(full, [{ __component: 'shared.section', ...full }]);
    await insertPage(
      section((id) => ({ id, url: 'u', rel: null })),
      [],
    );
    await insertPage(BARE, []);
    const { held } = await database.evolve(sections({ href: STRING }, ALL), { rename: ['shared.link.url=href'] });
    expect(held).toEqual({ 'shared.link.rel': 1 });
    const changed = section((id) => ({ id, href: 'u' }));
    expect(await page()).toEqual({ main: changed, zone: [{ __component: 'shared.section', ...changed }] });
    const [, , bare] = await database.run('SELECT main FROM pages ORDER BY id');
    expect(JSON.parse(String(bare?.main))).toEqual({ ...BARE, parts: null });
  });

  it('loses what it no longer allows, which is named and counted', async () => {
    await database.evolve(sections(URL, ALL));
    const full = section((id) => ({ id, url: 'u', rel: null }));
    await insertPage(full, [{ __component: 'shared.section', ...full }]);
    await insertPage({ ...full, parts: full.parts.slice(1) }, []);
    await insertPage(BARE, []);
    const { held, losses, parts } = await database.evolve(sections(URL, ['shared.note']));
    expect(losses.map(({ subject, reason }) => [subject, reason])).toEqual([
      ['shared.section.parts', 'no longer allows shared.link'],
    ]);
    expect(parts.map(({ when }) => when)).toEqual(['after']);
    expect(held).toEqual({ 'shared.section.parts': 1 });
    const rest = { ...full, parts: full.parts.slice(1) };
    expect(await page()).toEqual({ main: rest, zone: [{ __component: 'shared.section', ...rest }] });
  });

  it('keeps its entries when their component is renamed', async () => {
    await database.evolve(sections(URL, ALL));
    const full = section((id) => ({ id, url: 'u', rel: null }));
    await insertPage(full, [{ __component: 'shared.section', ...full }]);
    await insertPage(BARE, []);
    const { losses } = await database.evolve(sections(URL, ['meta.link', 'shared.note'], 'meta.link'), {
      renameComponent: ['shared.link=meta.link'],
    });
    expect(losses).toEqual([]);
    const renamed = section((id) => ({ id, url: 'u', rel: null }), 'meta.link');
    expect(await page()).toEqual({ main: renamed, zone: [{ __component: 'shared.section', ...renamed }] });
  });
});

describe('what a change of a component loses', () => {
  const AUTHOR = contentType('author', { name: STRING });
  const holder = (seo: Attributes) => ({
    types: [contentType('page', { title: STRING, seo: single('shared.seo') }), AUTHOR],
    components: [component('shared.seo', seo), component('shared.link', { url: STRING })],
  });
  const insertAll = async (...values: readonly Readonly<Record<string, unknown>>[]) => {
    for (const value of values)
      await database.run(
        `INSERT INTO pages (document_id, published_at, seo) VALUES (hex(randomblob(8)), 1, '${JSON.stringify({ id: 1, ...value })}')`,
      );
  };
  const stored = async () =>
    (await database.run('SELECT seo FROM pages ORDER BY id')).map(({ seo }) => JSON.parse(String(seo)));

  it('is counted by the rows that hold a value', async () => {
    await database.evolve(holder({ size: STRING, links: list('shared.link'), at: { type: 'datetime' } }));
    await insertAll(
      { size: '12', links: [{ id: 2, url: 'u' }], at: '2024-01-02T00:00:00.000Z' },
      { size: 'twelve', links: [{ id: 2 }, { id: 3 }], at: '2024-01-02T03:00:00.000Z' },
      { size: null, links: [], at: null },
      {},
    );
    const { held } = await database.evolve(
      holder({ size: { type: 'integer' }, links: single('shared.link'), at: { type: 'date' } }),
    );
    expect(held).toEqual({ 'shared.seo.size': 2, 'shared.seo.links': 2, 'shared.seo.at': 2 });
  });

  it('is every link, where a relation or a file can be one only', async () => {
    const related = (relation: string, multiple: boolean) =>
      holder({
        authors: { type: 'relation', relation, target: 'api::author.author' },
        files: { type: 'media', multiple },
      });
    const [x, y] = [{ documentId: 'x' }, { documentId: 'y' }];
    await database.evolve(related('oneToMany', true));
    await insertAll(
      { authors: [x, y], files: [y] },
      {
        authors: [
          { ...x, locale: 'en' },
          { ...x, locale: 'fr' },
        ],
        files: [y, x],
      },
      {},
    );
    const { held } = await database.evolve(related('oneToOne', false));
    expect(held).toEqual({ 'shared.seo.authors': 2, 'shared.seo.files': 2 });
    expect(await stored()).toEqual([1, 2, 3].map(() => ({ id: 1, authors: [], files: [] })));
  });
});

interface Case {
  readonly from: string;
  readonly to: string;
  readonly before: unknown;
  readonly after: unknown;
}

const CASES: readonly Case[] = [
  { from: 'string', to: 'integer', before: '12', after: null },
  { from: 'string', to: 'integer', before: null, after: null },
  { from: 'string', to: 'biginteger', before: '9007199254740993', after: null },
  { from: 'string', to: 'boolean', before: 'true', after: null },
  { from: 'integer', to: 'boolean', before: 1, after: null },
  { from: 'boolean', to: 'integer', before: true, after: 1 },
  { from: 'date', to: 'datetime', before: '2024-01-02', after: '2024-01-02T00:00:00.000Z' },
  { from: 'integer', to: 'decimal', before: 12, after: 12 },
  { from: 'string', to: 'datetime', before: '2024-01-02', after: null },
  { from: 'string', to: 'json', before: "it's", after: "it's" },
  { from: 'string', to: 'json', before: '{"a":[1]}', after: { a: [1] } },
  { from: 'string', to: 'json', before: '-9007199254740991', after: -9007199254740991 },
  { from: 'string', to: 'json', before: '9007199254740993', after: '9007199254740993' },
  { from: 'string', to: 'json', before: '{"a":[-9007199254740993]}', after: '{"a":[-9007199254740993]}' },
  { from: 'string', to: 'json', before: '99999999999999999999', after: '99999999999999999999' },
  { from: 'text', to: 'blocks', before: 'x', after: [{ type: 'paragraph', children: [{ type: 'text', text: 'x' }] }] },
  { from: 'biginteger', to: 'string', before: '9007199254740993', after: '9007199254740993' },
  { from: 'boolean', to: 'string', before: false, after: 'false' },
  { from: 'boolean', to: 'json', before: true, after: null },
  { from: 'blocks', to: 'json', before: [{ type: 'quote' }], after: [{ type: 'quote' }] },
  { from: 'datetime', to: 'date', before: '2024-01-02T03:04:05.678Z', after: null },
  { from: 'datetime', to: 'string', before: '2024-01-02T03:04:05.678Z', after: '2024-01-02T03:04:05.678Z' },
  { from: 'json', to: 'string', before: { a: 1 }, after: null },
  { from: 'decimal', to: 'string', before: 1.5, after: '1.5' },
  { from: 'string', to: 'password', before: 'x', after: null },
];

describe('a change of type inside a component', () => {
  const seo = (side: 'from' | 'to') =>
    component('shared.seo', Object.fromEntries(CASES.map((item, index) => [`v${index}`, { type: item[side] }])));
  const holder = contentType('page', { seo: single('shared.seo') });
  let after: Record<string, unknown>;
  beforeAll(async () => {
    await database.evolve({ types: [holder], components: [seo('from')] });
    const instance = JSON.stringify(Object.fromEntries(CASES.map(({ before }, index) => [`v${index}`, before])));
    await database.run(`INSERT INTO pages (document_id, seo) VALUES ('a', '${instance.replaceAll("'", "''")}')`);
    await database.evolve({ types: [holder], components: [seo('to')] });
    const [row] = await database.run('SELECT seo FROM pages');
    after = JSON.parse(String(row?.seo));
    await database.reset();
  });

  it.each(CASES.map((item, index) => ({ ...item, index })))('from $from to $to turns $before into $after', (item) => {
    expect(after[`v${item.index}`]).toEqual(item.after);
  });
});
