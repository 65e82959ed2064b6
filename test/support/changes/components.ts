/**
 * @module Components that change, wherever they stand: alone, in lists, in zones, and inside other components.
 */
import { component, contentType } from '../schema-files.ts';
import type { Change } from './change.ts';
import type { AttributeJson } from './content.ts';
import { type Declared, documents, found, modelChange } from './rows.ts';
import { STRING } from './values.ts';

type Attributes = Readonly<Record<string, AttributeJson>>;

const INTEGER = { type: 'integer' };
const single = (uid: string): AttributeJson => ({ type: 'component', component: uid, repeatable: false });
const list = (uid: string): AttributeJson => ({ type: 'component', component: uid, repeatable: true });
const zone = (...components: readonly string[]): AttributeJson => ({ type: 'dynamiczone', components });

/** `<category>.link` stands in a card, alone and in a list; cards stand alone, in lists, and in zones beside a note. */
const cards = (link: Attributes, card: Attributes = {}, category = 'shared', name = 'link'): Declared => [
  [
    contentType('article', {
      title: STRING,
      card: single(`${category}.card`),
      cards: list(`${category}.card`),
      zone: zone(`${category}.card`, `${category}.note`, `${category}.${name}`),
      empty: single(`${category}.card`),
    }),
  ],
  [
    component(`${category}.${name}`, link),
    component(`${category}.card`, {
      label: STRING,
      links: list(`${category}.${name}`),
      main: single(`${category}.${name}`),
      ...card,
    }),
    component(`${category}.note`, { text: STRING }),
  ],
];

/** Cards with one kind of link inside, everywhere. */
function stored(link: (id: number) => object, category = 'shared', name = 'link') {
  const card = (id: number) => ({
    ...{ id, label: `It's ${id}`, links: [link(10 * id), link(10 * id + 1)], main: link(10 * id + 2) },
  });
  return [
    card(1),
    [card(2), { id: 3, label: 'bare', links: [], main: null }],
    [
      { __component: `${category}.note`, id: 4, text: 'url' },
      { ...card(5), __component: `${category}.card` },
      { __component: `${category}.${name}`, ...link(6) },
    ],
    null,
  ] as const;
}
const fill = (link: (id: number) => object) => [
  documents('articles', 'card cards zone empty', ['a', 1, ...stored(link)]),
];
const all = (link: (id: number) => object, category?: string, name?: string) => [
  found('card, cards, zone, empty FROM articles', stored(link, category, name)),
];
const oneCard = (...cards: readonly object[]) => [
  documents('articles', 'card', ...cards.map((card, at) => [`a${at}`, 1, card] as const)),
];
const cardsFound = (...cards: readonly object[]) => [found('card FROM articles', ...cards.map((card) => [card]))];

const URL = { url: STRING };
const HREF = { href: STRING };
const RENAMED = { rename: ['shared.link.url=href'] };
const [HELD, EMPTY] = [
  { id: 9, url: 'u', rel: 'y' },
  { id: 8, url: 'u', rel: null },
];
const url = (id: number) => ({ id, url: `/${id}?a="b"` });

const everywhere: readonly Change[] = [
  modelChange({
    title: 'rename of an attribute of a component at every depth',
    before: cards(URL),
    after: cards(HREF),
    ...RENAMED,
    fill: fill(url),
    survives: all((id) => ({ id, href: `/${id}?a="b"` })),
  }),
  modelChange({
    title: 'rename of an attribute of a component, beside another component with an attribute of that name',
    before: cards(URL, URL),
    after: cards(HREF, URL),
    ...RENAMED,
    fill: oneCard({ id: 1, label: 'l', url: 'own', links: [{ id: 2, url: 'u' }], main: null }),
    survives: cardsFound({ id: 1, label: 'l', url: 'own', links: [{ id: 2, href: 'u' }], main: null }),
  }),
  modelChange({
    title: 'removal of an attribute of a component at every depth',
    before: cards({ ...URL, rel: STRING }),
    after: cards(URL),
    fill: fill((id) => ({ ...url(id), rel: 'y' })),
    loses: { 'shared.link.rel': 1 },
    survives: all(url),
  }),
  modelChange({
    title: 'removal of an attribute of a component that few instances hold',
    before: cards({ ...URL, rel: STRING }),
    after: cards(URL),
    fill: [
      documents(
        'articles',
        'card cards zone',
        ['a', 1, { id: 1, links: [EMPTY, HELD] }, null, null],
        [
          'b',
          1,
          null,
          [
            { id: 1, links: [] },
            { id: 2, main: HELD },
          ],
          null,
        ],
        ['c', 1, null, null, [{ __component: 'shared.card', id: 1, links: [HELD] }]],
        ['d', 1, null, null, [{ __component: 'shared.link', ...HELD }]],
        ['e', 1, { id: 1, links: [EMPTY], main: null }, [], [{ __component: 'shared.link', ...EMPTY, id: 7 }]],
      ),
    ],
    loses: { 'shared.link.rel': 4 },
  }),
  modelChange({
    title: 'a new attribute of a component',
    before: cards(URL),
    after: cards({ ...URL, rel: STRING }),
    fill: fill(url),
    when: [],
    survives: all(url),
  }),
  modelChange({
    title: 'changes of a component and of one inside it',
    before: cards(URL, { note: INTEGER }),
    after: cards(HREF, { note: STRING }),
    ...RENAMED,
    fill: oneCard({ id: 1, label: 'l', note: 7, links: [{ id: 2, url: 'u' }], main: null }),
    survives: cardsFound({ id: 1, label: 'l', note: '7', links: [{ id: 2, href: 'u' }], main: null }),
  }),
  modelChange({
    title: 'a list in a component that becomes a single one, and the other way round',
    before: cards(URL),
    after: cards(URL, { links: single('shared.link'), main: list('shared.link') }),
    fill: oneCard(
      { id: 1, links: [{ id: 2 }, { id: 3 }], main: { id: 4 } },
      { id: 5, links: [{ id: 6 }], main: null },
      { id: 7, links: [], main: null },
    ),
    loses: { 'shared.card.links': 2 },
    survives: cardsFound(
      { id: 1, links: null, main: [{ id: 4 }] },
      { id: 5, links: null, main: [] },
      { id: 7, links: null, main: [] },
    ),
  }),
  modelChange({
    title: 'a component in a component that becomes another one',
    before: cards(URL),
    after: cards(URL, { main: single('shared.note') }),
    fill: oneCard({ id: 1, label: 'l', links: [], main: { id: 2, url: 'x' } }),
    loses: { 'shared.card.main': 1 },
    survives: cardsFound({ id: 1, label: 'l', links: [], main: null }),
  }),
  modelChange({
    title: 'rename of a component at every depth',
    before: cards(URL),
    after: cards(URL, {}, 'shared', 'anchor'),
    renameComponent: ['shared.link=shared.anchor'],
    fill: fill(url),
    survives: all(url, 'shared', 'anchor'),
  }),
  modelChange({
    title: 'rename of a whole category of components',
    before: cards(URL),
    after: cards(URL, {}, 'meta'),
    renameComponent: ['shared=meta'],
    fill: fill(url),
    survives: all(url, 'meta'),
  }),
  modelChange({
    title: 'rename of a component with changes of its attributes',
    before: cards({ ...URL, rel: STRING }),
    after: cards(HREF, {}, 'shared', 'anchor'),
    renameComponent: ['shared.link=shared.anchor'],
    rename: ['shared.anchor.url=href'],
    fill: fill((id) => ({ ...url(id), rel: 'y' })),
    loses: { 'shared.anchor.rel': 1 },
    survives: all((id) => ({ id, href: `/${id}?a="b"` }), 'shared', 'anchor'),
  }),
  modelChange({
    title: 'another uid of a component without a rename',
    before: cards(URL),
    after: cards(URL, {}, 'shared', 'anchor'),
    fill: fill(url),
    loses: { 'article.zone': 1, 'shared.card.links': 1, 'shared.card.main': 1 },
  }),
];

const section = (parts: readonly string[], link: Attributes = URL, uid = 'shared.link'): Declared => [
  [contentType('page', { main: single('shared.section'), zone: zone('shared.section', uid) })],
  [
    component(uid, link),
    component('shared.note', { links: list(uid) }),
    component('shared.section', { label: STRING, parts: zone(...parts) }),
  ],
];
const ALL = ['shared.link', 'shared.note'];
/** A section of a link, and of a note with one. */
const sectionOf = (link: (id: number) => object, uid = 'shared.link') => ({
  id: 1,
  label: 'l',
  parts: [
    { __component: uid, ...link(2) },
    { __component: 'shared.note', id: 3, links: [link(4)] },
  ],
});
const inZone = (value: object, id: number) => [{ __component: 'shared.section', ...value, id, parts: [] }];
const BARE = { id: 9, label: 'from before there were parts' };
const sections = (...mains: readonly object[]) => [
  documents('pages', 'main zone', ...mains.map((main, at) => [`p${at}`, 1, main, inZone(main, 20)] as const)),
];
const mains = (...expected: readonly object[]) => [
  found('document_id, main FROM pages', ...expected.map((main, at) => [`p${at}`, main])),
];
const plain = (id: number) => ({ id, url: 'u' });
const NOTE_ALONE = { ...sectionOf(plain), parts: sectionOf(plain).parts.slice(1) };

const zones: readonly Change[] = [
  modelChange({
    title: 'changes of a component in a zone of a component',
    before: section(ALL, { ...URL, rel: STRING }),
    after: section(ALL, HREF),
    ...RENAMED,
    fill: sections(
      sectionOf((id) => ({ id, url: 'u', rel: id === 4 ? 'r' : null })),
      sectionOf(plain),
      BARE,
    ),
    loses: { 'shared.link.rel': 1 },
    survives: mains(
      sectionOf((id) => ({ id, href: 'u' })),
      sectionOf((id) => ({ id, href: 'u' })),
      { ...BARE, parts: null },
    ),
  }),
  modelChange({
    title: 'a zone of a component that allows less',
    before: section(ALL),
    after: section(['shared.note']),
    fill: sections(sectionOf(plain), NOTE_ALONE, BARE),
    loses: { 'shared.section.parts': 1 },
    reasons: ['no longer allows shared.link'],
    when: ['after'],
    survives: mains(NOTE_ALONE, NOTE_ALONE, { ...BARE, parts: [] }),
  }),
  modelChange({
    title: 'rename of a component in a zone of a component',
    before: section(ALL),
    after: section(['meta.link', 'shared.note'], URL, 'meta.link'),
    renameComponent: ['shared.link=meta.link'],
    fill: sections(sectionOf(plain), BARE),
    survives: mains(sectionOf(plain, 'meta.link'), { ...BARE, parts: null }),
  }),
  modelChange({
    title: 'a zone that allows more',
    before: [
      [contentType('page', { zone: zone('shared.note') })],
      [component('shared.note', {}), component('shared.link', {})],
    ],
    after: [
      [contentType('page', { zone: zone('shared.link', 'shared.note') })],
      [component('shared.note', {}), component('shared.link', {})],
    ],
    when: [],
  }),
  modelChange({
    title: 'a zone that allows less, with entries of several components',
    before: cards(URL),
    after: [[contentType('article', { title: STRING, zone: zone('shared.note') })], cards(URL)[1] ?? []],
    fill: fill(url),
    loses: { 'article.card': 1, 'article.cards': 1, 'article.empty': 0, 'article.zone': 1 },
    survives: [found('zone FROM articles', [[{ __component: 'shared.note', id: 4, text: 'url' }]])],
  }),
];

export const componentChanges: readonly Change[] = [...everywhere, ...zones];
