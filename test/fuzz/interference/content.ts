/**
 * @module The first content of both worlds. Ids name what they are: those with an `h` are hidden from every caller, by
 * every condition.
 */
import { userOf } from '../../generators/callers.ts';
import { formOf } from '../../generators/form.ts';
import { letIn } from '../callers.ts';
import { beginStep, idNamed, PLANTED } from './chance.ts';
import { uidOf } from './model.ts';
import { PATHS, PREVIEWED, VISIBLE } from './names.ts';
import { hostOf, type World } from './world.ts';

/** Sends a request with full access. @throws Error unless it succeeds */
export async function write(world: World, method: string, path: string, data?: unknown): Promise<unknown> {
  const body = data === undefined ? undefined : JSON.stringify(path.startsWith('/api/users') ? data : { data });
  const response = await world.send({ method, path, ...(body !== undefined && { body }) }, 'full');
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} ${body}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** `storyh1` is a story. */
export const typeNamed = (name: string): string => name.replace(/h?\d+$/, '');
export const pathNamed = (name: string): string => `/api/${PATHS[typeNamed(name)]}/${idNamed(name)}`;
/** As polymorphic relations name targets. */
export const typed = (name: string) => ({ __type: uidOf(typeNamed(name)), documentId: idNamed(name) });
const id = idNamed;

const FUTURE = '2030-01-01T00:00:00.000Z';
/** Between the steps of a sequence; see `timeOf`. */
const SOON = '2026-06-01T12:04:30.000Z';
const PAST = '2020-01-01T00:00:00.000Z';

/** A document, and its other locales. */
type Document = readonly [name: string, data: object, others?: Readonly<Record<string, object>>];

const hiddenStory = (number: number, more: object = {}): Document => [
  `storyh${number}`,
  {
    ...{ title: `Hidden ${number}`, slug: `hidden-${number}`, audience: 'closed', rating: 1, body: 'hidden body' },
    ...{ note: 'hidden note', owner: '{zoe}', team: id('team2') },
    card: { label: 'hidden card', code: `hidden-code-${number}`, grade: 1, pin: { text: 'hidden pin' } },
    ...more,
  },
  { fr: { title: `Caché ${number}`, slug: `cache-${number}`, audience: 'closed' } },
];

const MIXED = ['story1', 'storyh1', 'vault1', 'remark1', 'chapter1', 'team2', 'leaflet1', 'leafleth1', 'story4'];

const DOCUMENTS: readonly Document[] = [
  ['team1', { name: 'Red', open: true, motto: 'red' }],
  ['team2', { name: 'Blue', open: false, motto: 'blue' }],
  ['topic1', { name: 'Sea', open: true }],
  ['topic2', { name: 'War', open: false }],
  ['plan1', { name: 'Open plan', audience: 'public' }],
  ['plan2', { name: 'Closed plan', audience: 'closed' }],
  ['plan3', { name: 'Plan of a team', audience: 'team' }],
  hiddenStory(1),
  hiddenStory(2, { topics: [id('topic1'), id('topic2')] }),
  hiddenStory(3),
  [
    'story1',
    {
      ...{ title: 'One', slug: 'one', audience: 'public', rating: 5, body: 'first body', note: 'n1', memo: 'm1' },
      ...{ owner: '{anna}', team: id('team1'), sequel: id('storyh1'), topics: [id('topic1'), id('topic2')] },
      card: {
        ...{ label: 'a card', code: 'code-1', grade: 4, ref: id('storyh2'), refs: [id('storyh1')] },
        pin: { text: 'a pin', topic: id('topic2') },
      },
      parts: [
        { __component: 'kit.card', label: 'in a zone', code: 'code-z', ref: id('storyh1'), refs: [id('storyh3')] },
        { __component: 'kit.quote', text: 'a quote', from: id('team2') },
      ],
      cover: '{file1}',
      gallery: ['{file1}', '{file2}'],
    },
    {
      fr: {
        ...{ title: 'Un', slug: 'un', audience: 'public', body: 'un corps', owner: '{anna}', team: id('team1') },
        ...{ topics: [id('topic2')], parts: [{ __component: 'kit.card', label: 'une carte', ref: id('storyh3') }] },
      },
    },
  ],
  [
    'story2',
    {
      ...{ title: 'Two', slug: 'two', audience: 'public', rating: 2, body: 'second body', owner: '{zoe}' },
      ...{ team: id('team2'), sequel: id('storyh2'), card: { label: 'other', code: 'code-2', grade: 2 } },
    },
    { fr: { title: 'Deux', slug: 'deux', audience: 'closed', body: 'caché' } },
  ],
  [
    'story3',
    {
      ...{ title: 'Three', slug: 'three', audience: 'team', rating: 3, owner: '{anna}', team: id('team1') },
      card: { label: 'third', code: 'code-3', grade: 3, ref: id('storyh3') },
    },
  ],
  // It opens during a sequence.
  [
    'story6',
    { title: 'Six', slug: 'six', audience: 'public', rating: 4, opensAt: SOON, owner: '{zoe}', plan: id('plan1') },
  ],
  ['story5', { title: 'Five', slug: 'five', audience: 'public', rating: 4, opensAt: FUTURE, owner: '{zoe}' }],
  ['chapter1', { title: 'Chapter 1', audience: 'public', story: id('story1'), cards: [{ ref: id('story1') }] }],
  [
    'chapter2',
    { title: 'Chapter 2', audience: 'public', story: id('storyh1'), cards: [{ code: 'cc', ref: id('storyh1') }] },
  ],
  [
    'chapter3',
    { title: 'Chapter 3', audience: 'team', story: id('story3'), scene: { name: 'a scene', story: id('storyh3') } },
  ],
  ['chapterh1', { title: 'Hidden chapter', audience: 'closed', story: id('storyh2'), cards: [{ ref: id('storyh2') }] }],
  ['child1', { name: 'Child 1', story: id('story1'), chapter: id('chapter1'), due: FUTURE }],
  ['child2', { name: 'Child 2', story: id('storyh1'), chapter: id('chapter2'), due: PAST }],
  ['child3', { name: 'Child 3', story: id('story3'), chapter: id('chapter3'), card: { ref: id('story1') } }],
  ['child4', { name: 'Child 4', story: id('storyh2'), due: FUTURE, card: { grade: 3, ref: id('storyh2') } }],
  ['childh1', { name: 'Hidden child', story: id('storyh1'), chapter: id('chapterh1'), due: PAST }],
  ['remark1', { text: 'Remark 1', mood: 'glad', secret: 's1', story: id('story1'), author: '{anna}' }],
  ['remark2', { text: 'Remark 2', mood: 'calm', secret: 's2', story: id('storyh1'), author: '{zoe}' }],
  ['remark3', { text: 'Remark 3', mood: 'cross', secret: 's3', story: id('storyh2'), author: '{anna}' }],
  ['remark4', { text: 'Remark 4', mood: 'glad', secret: 's4', story: id('story3'), author: '{zoe}' }],
  ['remark5', { text: 'Remark 5', mood: 'calm', secret: 's5', story: id('story2'), author: '{zoe}' }],
  ['remark6', { text: 'Remark 6', mood: 'glad', secret: 's6', story: id('story5'), author: '{zoe}' }],
  ['remarkh1', { text: 'Hidden remark', mood: 'calm', secret: 'sh', story: id('storyh1'), author: '{zoe}' }],
  ['leaflet1', { title: 'Leaflet', audience: 'public', cover: '{file1}' }],
  ['leafleth1', { title: 'Hidden leaflet', audience: 'closed', cover: '{file1}', gallery: ['{file2}'] }],
  [
    'sheet1',
    { title: 'Sheet', audience: 'public', cover: '{file1}', more: [id('storyh1')], about: [id('remarkh1')] },
    { fr: { title: 'Feuille', audience: 'closed', cover: '{file2}' } },
  ],
  ['sheeth1', { title: 'Hidden sheet', audience: 'closed', cover: '{file2}', gallery: ['{file1}'] }],
  ['poster1', { title: 'Poster 1', plan: id('plan1') }],
  ['poster2', { title: 'Poster 2', plan: id('plan2') }],
  ['poster3', { title: 'Poster 3', card: { plan: id('plan3') } }],
  ['vault1', { title: 'Vault', story: id('story1') }],
];

/** Documents with links to all others; those of `sheet1` in French are hidden. */
const COLLECTIONS: readonly Document[] = [
  [
    'menu1',
    {
      title: 'Menu',
      items: MIXED.map(typed),
      pin: typed('storyh1'),
      stories: [id('storyh2'), id('story1')],
      topics: [id('topic1'), id('topic2')],
    },
  ],
  ['menu2', { title: 'Other menu', items: [typed('storyh3'), typed('topic1')], stories: [id('storyh3')] }],
  ['board1', { title: 'Board', audience: 'public', items: MIXED.map(typed) }],
];

const DRAFT: Document = [
  'story4',
  { title: 'Four', slug: 'four', audience: 'public', rating: 5, owner: '{anna}', team: id('team1') },
];

/** Of this one, drafts alone are visible to some. */
const SPLIT: Document = [
  'story7',
  { title: 'Seven', slug: 'seven', audience: 'closed', rating: 0, owner: '{zoe}', team: id('team2') },
];

/** Visible documents, from which links lead to hidden ones. What a preview shows leads nowhere; `sheet1` has links already. */
const leading = Object.entries(VISIBLE)
  .flatMap(([type, numbers]) => numbers.map((number) => `${type}${number}`))
  .filter((name) => ![PREVIEWED, 'sheet1', 'story4', 'story7'].includes(name));

/** What was planted: numeric ids by name, and the tokens of users. */
export interface Planted {
  /** `anna`, `file1`, `story1/en/draft`. */
  readonly ids: ReadonlyMap<string, number>;
  readonly tokens: Readonly<Record<string, string>>;
}

/** Users and clients have credentials of their own; zoe has what is hidden. */
async function plantCallers(world: World, ids: Map<string, number>): Promise<Record<string, string>> {
  const begin = (name: string) => beginStep(name, PLANTED, [name]);
  const host = hostOf(world);
  const tokens = await letIn(host, 'interference', ['user', 'client', 'preview'], begin);
  begin('zoe');
  const users = { ...tokens, zoe: await userOf(host, 'zoe', 'authenticated') };
  for (const { id, username } of world.database.all('select id, username from up_users'))
    ids.set(String(username), Number(id));
  return users;
}

/** A private file is hidden from callers who may not find files. */
async function plantFile(world: World, name: string): Promise<number> {
  beginStep(name, PLANTED, [name]);
  const fileInfo = JSON.stringify({ private: name.includes('h') });
  const form = formOf([
    { name: 'fileInfo', value: fileInfo },
    { name: 'files', value: `bytes of ${name}`, file: `${name}.txt` },
  ]);
  const response = await world.send({ method: 'POST', path: '/api/upload', ...form }, 'full');
  const [file] = (await response.json()) as [{ id: number }];
  return file.id;
}

/** Replaces `{anna}` by the numeric id. */
const resolved = (data: object, ids: ReadonlyMap<string, number>): object =>
  JSON.parse(JSON.stringify(data).replace(/"\{(\w+)\}"/g, (_, name) => String(ids.get(name))));

async function plantDocument(
  world: World,
  [name, data, others = {}]: Document,
  ids: Map<string, number>,
  search = '',
): Promise<void> {
  beginStep(name, PLANTED, [name]);
  await write(world, 'POST', `/api/${PATHS[typeNamed(name)]}${search}`, resolved(data, ids));
  for (const [locale, values] of Object.entries(others))
    await write(world, 'PUT', `${pathNamed(name)}?locale=${locale}`, resolved(values, ids));
}

const home = (headline: string) => ({
  headline,
  featured: id('storyh1'),
  card: { label: 'home', code: `home-${headline}`, ref: id('storyh2') },
});

function readIds({ database }: World, ids: Map<string, number>): void {
  for (const [name, plural] of Object.entries(PATHS))
    for (const row of database.all(`select id, document_id, locale, published_at from "${plural}"`)) {
      const document = String(row.document_id).replace(/0+$/, '');
      const status = row.published_at === null ? 'draft' : 'published';
      ids.set(`${document}/${row.locale || 'en'}/${status}`, Number(row.id));
      if (!document.startsWith(name)) throw new Error(`a ${name} is called ${document}`);
    }
}

/** Plants the content, with full access. */
export async function plant(world: World): Promise<Planted> {
  const ids = new Map<string, number>();
  const tokens = await plantCallers(world, ids);
  for (const name of ['fileh1', 'file1', 'file2']) ids.set(name, await plantFile(world, name));
  for (const document of DOCUMENTS) await plantDocument(world, document, ids);
  await plantDocument(world, DRAFT, ids, '?status=draft');
  await plantDocument(world, SPLIT, ids);
  await write(world, 'PUT', `${pathNamed('story7')}?status=draft`, { audience: 'public', rating: 5 });
  for (const document of COLLECTIONS) await plantDocument(world, document, ids);
  for (const [index, name] of leading.entries()) {
    beginStep(`${name}more`, PLANTED);
    const [hidden, others] = [1 + (index % 3), index % 2 > 0 ? [1] : []];
    const more = [`storyh${hidden}`, ...others.map((number) => `story${number}`)];
    const about = ['remarkh1', ...others.map((number) => `remark${number}`)];
    await write(world, 'PUT', pathNamed(name), { more: more.map(id), about: about.map(id) });
  }
  for (const [locale, headline] of [
    ['en', 'home'],
    ['fr', 'maison'],
  ] as const) {
    beginStep(`home${locale}`, PLANTED, ['home1']);
    await write(world, 'PUT', `/api/home?locale=${locale}`, home(headline));
  }
  for (const locale of ['en', 'fr']) {
    beginStep(`notice${locale}`, PLANTED, ['notice1']);
    const notice = { text: `notice ${locale}`, audience: 'closed', story: id('storyh1') };
    await write(world, 'PUT', `/api/notice?locale=${locale}`, notice);
  }
  for (const [name, team] of [
    ['anna', 'team1'],
    ['edda', 'team1'],
    ['wim', 'team1'],
    ['zoe', 'team2'],
  ] as const) {
    const data = {
      team: id(team),
      nickname: name,
      department: name,
      favorites: [id('storyh1'), id('story1')],
      favorite: id('story5'),
    };
    await write(world, 'PUT', `/api/users/${ids.get(name)}`, data);
  }
  readIds(world, ids);
  return { ids, tokens };
}
