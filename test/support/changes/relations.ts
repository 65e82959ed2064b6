/**
 * @module Relations that have room for less or more than before, or are held by their other side from now on.
 */
import { component, contentType, type TypeOptions } from '../schema-files.ts';
import type { Change } from './change.ts';
import type { AttributeJson } from './content.ts';
import { type Declared, documents, found, foundLinks, links, modelChange, put } from './rows.ts';
import { STRING, toAuthor } from './values.ts';

const to = (name: string, relation: string, side: AttributeJson = {}): AttributeJson => ({
  ...toAuthor(relation, name),
  ...side,
});
const OWNED = { inversedBy: 'articles' };
const MAPPED = { mappedBy: 'tags' };
const TURNED = { inversedBy: 'tags' };
const HELD = { mappedBy: 'articles' };

/** Articles with tags, whose links they hold, unless tags do. */
const model = (
  tags: AttributeJson | undefined,
  articles: AttributeJson | undefined,
  options: Partial<Record<'article' | 'tag', TypeOptions>> = {},
): Declared => [
  [
    contentType('article', { title: STRING, ...(tags && { tags }) }, options.article),
    contentType('tag', { name: STRING, ...(articles && { articles }) }, options.tag),
  ],
];

const DOCUMENTS = [documents('articles', '', ['a', 1], ['b', 1], ['c', 1]), documents('tags', '', ['x', 1], ['y', 1])];
/** Tag y has b before a. */
const MANY = [...DOCUMENTS, links('articles_tags', ['a', 'x'], ['b', 'y'], ['a', 'y'], ['b', 'x'], ['c', 'y'])];
const MANY_FOUND = foundLinks('articles_tags', ['a', 'x'], ['a', 'y'], ['b', 'y'], ['b', 'x'], ['c', 'y']);
const ONE_EACH = [...DOCUMENTS, links('articles_tags', ['a', 'x'], ['b', 'y'], ['c', 'y'])];
const BOTH = model(to('tag', 'manyToMany', OWNED), to('article', 'manyToMany', MAPPED));
const EXCLUSIVE = model(to('tag', 'oneToOne', OWNED), to('article', 'oneToOne', MAPPED));
const IN_BOTH = { article: { drafts: true, localized: true }, tag: { drafts: true, localized: true } };
const HELD_BY_ONE = 'can be held by one document only: no link is kept';

const narrowed: readonly Change[] = [
  modelChange({
    title: 'relation to many that may hold one document',
    before: model(to('tag', 'manyToMany'), undefined),
    after: model(to('tag', 'manyToOne'), undefined),
    fill: MANY,
    loses: { 'article.tags': 5 },
    reasons: ['can hold one document only: no link is kept'],
    survives: [foundLinks('articles_tags')],
  }),
  modelChange({
    title: 'relation whose other side may have one document alone',
    before: model(to('tag', 'manyToOne', OWNED), to('article', 'oneToMany', MAPPED)),
    after: EXCLUSIVE,
    fill: ONE_EACH,
    loses: { 'article.tags': 3 },
    reasons: [HELD_BY_ONE],
    survives: [foundLinks('articles_tags')],
  }),
  modelChange({
    title: 'relation both sides of which may have one document alone',
    before: BOTH,
    after: EXCLUSIVE,
    fill: MANY,
    loses: { 'article.tags': 5 },
    survives: [foundLinks('articles_tags')],
  }),
  modelChange({
    title: 'relation to one that gets another side with one document alone',
    before: model(to('tag', 'oneToOne'), undefined),
    after: EXCLUSIVE,
    fill: ONE_EACH,
    loses: { 'article.tags': 3 },
    survives: [foundLinks('articles_tags')],
  }),
  ...(
    [
      ['is widened', model(to('tag', 'manyToMany', OWNED), to('article', 'manyToMany', MAPPED))],
      ['is left alone by its other side', model(to('tag', 'manyToMany'), undefined)],
      ['its other side describes otherwise', model(to('tag', 'manyToMany', OWNED), to('article', 'oneToOne', MAPPED))],
    ] as const
  ).map(([what, after]) =>
    modelChange({ title: `relation that ${what}`, before: BOTH, after, fill: MANY, when: [], survives: [MANY_FOUND] }),
  ),
  modelChange({
    title: 'relation to one that may hold many',
    before: model(to('tag', 'manyToOne'), undefined),
    after: model(to('tag', 'manyToMany'), undefined),
    fill: ONE_EACH,
    when: [],
    survives: [foundLinks('articles_tags', ['a', 'x'], ['b', 'y'], ['c', 'y'])],
  }),
];

const self = (next: AttributeJson, previous: AttributeJson): Declared => [[contentType('article', { next, previous })]];

const turned: readonly Change[] = [
  modelChange({
    title: 'relation that its other side holds from now on, with its order at both ends',
    before: BOTH,
    after: model(to('tag', 'manyToMany', HELD), to('article', 'manyToMany', TURNED)),
    fill: MANY,
    survives: [foundLinks('tags_articles', ['x', 'a'], ['x', 'b'], ['y', 'b'], ['y', 'a'], ['y', 'c'])],
  }),
  modelChange({
    title: 'relation that its other side holds from now on, of types with drafts and locales',
    before: model(to('tag', 'manyToMany', OWNED), to('article', 'manyToMany', MAPPED), IN_BOTH),
    after: model(to('tag', 'manyToMany', HELD), to('article', 'manyToMany', TURNED), IN_BOTH),
    fill: [
      documents('articles', '', ['a/fr', 1], ['a/en', 1]),
      documents('tags', '', ['x/fr', 1], ['x/fr', 0]),
      links('articles_tags', ['a/fr', 'x/fr']),
    ],
    survives: [
      found('document_id, locale, published_at FROM articles', ['a', 'en', 1], ['a', 'fr', 1]),
      found('document_id, locale, published_at FROM tags', ['x', 'fr', null], ['x', 'fr', 1]),
      foundLinks('tags_articles', ['x/fr', 'a/fr']),
    ],
  }),
  modelChange({
    title: 'relation that its other side holds from now on, beside another of the same names',
    before: [BOTH[0]],
    after: [
      [
        contentType('album', { songs: to('song', 'manyToMany', TURNED) }),
        contentType('song', { tags: to('album', 'manyToMany', { mappedBy: 'songs' }) }),
        contentType('tune', { tags: to('tag', 'manyToMany', { mappedBy: 'tunes' }) }),
        contentType('article', { title: STRING, tags: to('tag', 'manyToMany', HELD) }),
        contentType('tag', {
          ...{ name: STRING, others: to('article', 'manyToMany'), tunes: to('tune', 'manyToMany', TURNED) },
          articles: to('article', 'manyToMany', TURNED),
        }),
      ],
    ],
    fill: MANY,
    survives: [foundLinks('tags_articles', ['x', 'a'], ['x', 'b'], ['y', 'b'], ['y', 'a'], ['y', 'c'])],
  }),
  modelChange({
    title: 'relation that its other side holds from now on, which has room for one',
    before: BOTH,
    after: model(to('tag', 'oneToMany', HELD), to('article', 'manyToOne', TURNED)),
    fill: MANY,
    loses: { 'tag.articles': 5 },
    survives: [foundLinks('tags_articles')],
  }),
  modelChange({
    title: 'relation of a type to itself that its other side holds from now on',
    before: self(
      to('article', 'oneToOne', { inversedBy: 'previous' }),
      to('article', 'oneToOne', { mappedBy: 'next' }),
    ),
    after: self(to('article', 'oneToOne', { mappedBy: 'previous' }), to('article', 'oneToOne', { inversedBy: 'next' })),
    fill: [documents('articles', '', ['a', 1], ['b', 1]), links('articles_next', ['a', 'b'], ['b', 'a'])],
    survives: [foundLinks('articles_previous', ['a', 'b'], ['b', 'a'])],
  }),
  modelChange({
    title: 'relation that its other side holds from now on, which held links of its own',
    before: model(to('tag', 'manyToMany'), to('article', 'manyToMany')),
    after: model(to('tag', 'manyToMany', HELD), to('article', 'manyToMany', TURNED)),
    fill: MANY,
    loses: { 'article.tags': 5 },
  }),
];

/** Pages link to many articles. */
const pages = (page: TypeOptions, article: TypeOptions): Declared => [
  [contentType('page', { top: to('article', 'oneToMany') }, page), contentType('article', { title: STRING }, article)],
];
const [PLAIN, LOCALIZED, DRAFTS] = [{}, { localized: true }, { drafts: true }];
const DRAFTS_IN_LOCALES = { ...LOCALIZED, ...DRAFTS };
const top = (...at: readonly string[]) => documents('pages', '', ...at.map((one) => [one, 1] as const));
const bodies = (...at: readonly string[]) => documents('articles', '', ...at.map((one) => [one, 1] as const));

const ends: readonly Change[] = [
  modelChange({
    title: 'links whose targets get locales name the default one',
    before: pages(PLAIN, PLAIN),
    after: pages(PLAIN, LOCALIZED),
    fill: [top('p'), bodies('a'), links('pages_top', ['p', 'a'])],
    defaultLocale: 'fr',
    survives: [foundLinks('pages_top', ['p', 'a/fr'])],
  }),
  modelChange({
    title: 'links whose sources lose their locales',
    before: pages(LOCALIZED, LOCALIZED),
    after: pages(PLAIN, LOCALIZED),
    fill: [top('p/en'), bodies('a/en'), links('pages_top', ['p/en', 'a/en'])],
    loses: { page: 0 },
    survives: [foundLinks('pages_top', ['p', 'a/en'])],
  }),
  modelChange({
    title: 'links whose targets lose their locales: one for each document',
    before: pages(PLAIN, LOCALIZED),
    after: pages(PLAIN, PLAIN),
    fill: [top('p'), bodies('a/en', 'a/de', 'b/de'), links('pages_top', ['p', 'a/en'], ['p', 'a/de'], ['p', 'b/de'])],
    loses: { article: 2 },
    survives: [foundLinks('pages_top', ['p', 'a'])],
  }),
  modelChange({
    title: 'link to another locale of a target that keeps the default one',
    before: pages(PLAIN, LOCALIZED),
    after: pages(PLAIN, PLAIN),
    fill: [top('p'), bodies('a/en', 'a/fr'), links('pages_top', ['p', 'a/fr'])],
    loses: { article: 1 },
    survives: [foundLinks('pages_top', ['p', 'a'])],
  }),
  modelChange({
    title: 'links whose sources get the locales of their targets',
    before: pages(PLAIN, LOCALIZED),
    after: pages(LOCALIZED, LOCALIZED),
    fill: [top('p'), bodies('a/en', 'a/de'), links('pages_top', ['p', 'a/en'], ['p', 'a/de'])],
    loses: { 'page.top': 1 },
    reasons: ["localization turned on: links to locales other than 'en' are deleted"],
    survives: [foundLinks('pages_top', ['p/en', 'a/en'])],
  }),
  ...(
    [
      [
        'source loses its locales and whose target gets some',
        [LOCALIZED, PLAIN],
        [PLAIN, LOCALIZED],
        'p/en a',
        'p a/en',
      ],
      [
        'source gets locales and whose target loses its own',
        [PLAIN, LOCALIZED],
        [LOCALIZED, PLAIN],
        'p a/en',
        'p/en a',
      ],
      ['ends both get locales', [PLAIN, PLAIN], [LOCALIZED, LOCALIZED], 'p a', 'p/en a/en'],
    ] as const
  ).map(([what, from, into, before, after]) => {
    const [[source = '', target = ''], kept] = [before.split(' '), after.split(' ') as [string, string]];
    const loses = from.flatMap((each, end) => (each === LOCALIZED ? [[['page', 'article'][end], 0]] : []));
    return modelChange({
      title: `links whose ${what}`,
      before: pages(from[0], from[1]),
      after: pages(into[0], into[1]),
      fill: [top(source), bodies(target), links('pages_top', [source, target])],
      loses: Object.fromEntries(loses),
      survives: [foundLinks('pages_top', kept)],
    });
  }),
  modelChange({
    title: 'a new relation whose source gets the locales of its target',
    before: [pages(PLAIN, LOCALIZED)[0].map((file, at) => (at === 0 ? contentType('page', {}) : file))],
    after: pages(LOCALIZED, LOCALIZED),
    fill: [top('p'), bodies('a/en')],
    reasons: [],
    survives: [foundLinks('pages_top')],
  }),
  modelChange({
    title: 'links of two locales whose target loses its own',
    before: pages(LOCALIZED, LOCALIZED),
    after: pages(LOCALIZED, PLAIN),
    fill: [top('p/en', 'p/fr'), bodies('a/en', 'a/fr'), links('pages_top', ['p/en', 'a/en'], ['p/fr', 'a/fr'])],
    loses: { article: 1 },
    survives: [foundLinks('pages_top', ['p/en', 'a'], ['p/fr', 'a'])],
  }),
  modelChange({
    title: 'links of two locales whose target gets locales',
    before: pages(LOCALIZED, PLAIN),
    after: pages(LOCALIZED, LOCALIZED),
    fill: [top('p/en', 'p/fr'), bodies('a'), links('pages_top', ['p/en', 'a'], ['p/fr', 'a'])],
    loses: { 'page.top': 1 },
    reasons: ["localization of its target turned on: locales other than 'en' lose what they link to"],
    survives: [foundLinks('pages_top', ['p/en', 'a/en'])],
  }),
  modelChange({
    title: 'links whose sources lose their drafts',
    before: pages(DRAFTS, DRAFTS),
    after: pages(PLAIN, DRAFTS),
    fill: [
      documents('articles', '', ['a', 0], ['b', 0], ['a', 1], ['b', 1]),
      documents('pages', '', ['p', 0], ['p', 1], ['q', 0]),
      links('pages_top', ['p', 'a'], ['p', 'b', 'draft'], ['q', 'a', 'draft']),
    ],
    loses: { page: 2 },
    survives: [foundLinks('pages_top', ['p', 'a', 'draft'], ['p', 'a'])],
  }),
  ...(
    [
      ['sources get locales', [DRAFTS, PLAIN], [DRAFTS_IN_LOCALES, PLAIN], 'p/en a'],
      ['targets get locales', [PLAIN, DRAFTS], [PLAIN, DRAFTS_IN_LOCALES], 'p a/en'],
      ['targets get drafts, too', [DRAFTS, PLAIN], [DRAFTS, DRAFTS], 'p a'],
    ] as const
  ).map(([what, from, into, kept]) => {
    const [source, target] = kept.split(' ') as [string, string];
    const rows = (options: TypeOptions) => (options.drafts ? [0, 1] : [1]) as readonly (0 | 1)[];
    return modelChange({
      title: `links of drafts whose ${what}`,
      before: pages(from[0], from[1]),
      after: pages(into[0], into[1]),
      fill: [
        documents('pages', '', ...rows(from[0]).map((is) => ['p', is] as const)),
        documents('articles', '', ...rows(from[1]).flatMap((is) => [['a', is] as const, ['b', is] as const])),
        links(
          'pages_top',
          ['p', 'a', 'draft'],
          ['p', 'a'],
          ...(from[0] === DRAFTS ? [['p', 'b', 'draft'] as const] : []),
        ),
      ],
      survives: [
        foundLinks(
          'pages_top',
          [source, target, 'draft'],
          ...(from[0] === DRAFTS ? [[source, target.replace('a', 'b'), 'draft'] as const] : []),
          [source, target],
        ),
      ],
    });
  }),
  modelChange({
    title: 'links to both versions of a document whose type loses its drafts',
    before: pages(PLAIN, DRAFTS),
    after: pages(PLAIN, PLAIN),
    fill: [
      top('p'),
      documents('articles', '', ['a', 0], ['a', 1]),
      links('pages_top', ['p', 'a', 'draft'], ['p', 'a']),
    ],
    loses: { article: 1 },
    survives: [foundLinks('pages_top', ['p', 'a'])],
  }),
  modelChange({
    title: 'links to a document that is published in a locale which its type loses',
    before: pages(DRAFTS, DRAFTS_IN_LOCALES),
    after: pages(DRAFTS, DRAFTS),
    fill: [
      documents('pages', '', ['p', 0], ['p', 1]),
      documents('articles', '', ['a/en', 0], ['a/fr', 0], ['a/fr', 1]),
      links('pages_top', ['p', 'a/en', 'draft'], ['p', 'a/fr']),
    ],
    loses: { article: 2 },
    survives: [foundLinks('pages_top', ['p', 'a', 'draft'])],
  }),
  modelChange({
    title: 'link to a document that was never published, whose type gets locales',
    before: pages(PLAIN, DRAFTS),
    after: pages(PLAIN, DRAFTS_IN_LOCALES),
    fill: [top('p'), documents('articles', '', ['a', 0]), links('pages_top', ['p', 'a', 'draft'])],
    survives: [foundLinks('pages_top', ['p', 'a/en', 'draft'])],
  }),
  modelChange({
    title: 'links that share a place, and whose sources lose their drafts',
    before: pages(DRAFTS, DRAFTS),
    after: pages(PLAIN, DRAFTS),
    fill: [
      documents('articles', '', ['a', 0], ['b', 0], ['a', 1], ['b', 1]),
      documents('pages', '', ['p', 0], ['p', 1]),
      put(
        'pages_top_lnk',
        'source_document_id target_document_id status position inverse_position',
        ['p', 'b', 'published', 65_536, 1],
        ['p', 'a', 'published', 65_536, 1],
      ),
    ],
    loses: { page: 1 },
    survives: [
      found(`target_document_id, position FROM pages_top_lnk WHERE status = 'draft'`, ['a', 65_537], ['b', 65_536]),
    ],
  }),
];

const holder = (article: TypeOptions): Declared => [
  [
    contentType('holder', { held: to('article', 'oneToOne', { inversedBy: 'holder' }) }),
    contentType('article', { holder: to('holder', 'oneToOne', { mappedBy: 'held' }) }, article),
  ],
];

const exclusive: readonly Change[] = (
  [
    [['de', 'en'], 'en'],
    [['fr', 'de'], 'fr'],
  ] as const
).map(([locales, kept]) =>
  modelChange({
    title: `one-to-one links to ${locales.join(' and ')} of a target that loses its locales`,
    before: holder(LOCALIZED),
    after: holder(PLAIN),
    fill: [
      bodies('a/en', ...locales.filter((locale) => locale !== 'en').map((locale) => `a/${locale}`)),
      documents('holders', '', ...locales.map((locale) => [`holds ${locale}`, 1] as const)),
      links('holders_held', ...locales.map((locale) => [`holds ${locale}`, `a/${locale}`] as const)),
    ],
    loses: { article: new Set(['en', ...locales]).size - 1 },
    survives: [foundLinks('holders_held', [`holds ${kept}`, 'a'])],
  }),
);

const SEO = {
  type: 'component',
  component: 'shared.seo',
  repeatable: true,
  pluginOptions: { i18n: { localized: true } },
};

/** Pages whose components link to a tag. */
const inComponents = (page: TypeOptions, tag: TypeOptions): Declared => [
  [contentType('page', { seo: SEO }, page), contentType('tag', {}, tag)],
  [component('shared.seo', { tag: to('tag', 'oneToOne') })],
];
const seo = (locale: string) => [{ id: 1, tag: [{ documentId: 'x', locale }] }, { id: 2 }];
const locales = (...all: readonly (string | null)[]) =>
  found(
    `document_id, locale, seo ->> '$[0].tag[0].locale' FROM pages`,
    ...all.map((locale, at) => ['p', ['en', 'fr', 'it'][at] ?? '', locale]),
  );

const ANY = { type: 'relation', relation: 'morphToMany' };
const anySeo = (...names: readonly string[]) => [
  { id: 1, any: names.map((name) => ({ type: `api::${name}.${name}`, documentId: 'x', locale: '' })) },
];
const toAny = (tag: TypeOptions): Declared => [
  [contentType('page', { seo: SEO }, LOCALIZED), contentType('tag', {}, tag), contentType('note', {})],
  [component('shared.seo', { any: ANY })],
];
/** Attributes of a component in another order, beside values that locales and versions share. */
const reordered = (page: TypeOptions, names: readonly string[]): Declared => {
  const links: Readonly<Record<string, AttributeJson>> = { tag: to('tag', 'oneToOne'), any: ANY };
  const own = { seo: SEO, shared: STRING, tags: to('tag', 'manyToMany'), any: ANY };
  return [
    [
      contentType('page', own, { ...page, drafts: true }),
      contentType('essay', own, page),
      contentType('tag', {}, LOCALIZED),
    ],
    [component('shared.seo', Object.fromEntries(names.map((name) => [name, links[name]])))],
  ];
};

const linksInComponents: readonly Change[] = [
  modelChange({
    title: 'links in components whose target gets locales, from a row without any',
    before: inComponents(PLAIN, PLAIN),
    after: inComponents(PLAIN, LOCALIZED),
    fill: [documents('pages', 'seo', ['p', 1, seo('')])],
    defaultLocale: 'fr',
    reasons: [],
    survives: [found(`seo ->> '$[0].tag[0].locale' FROM pages`, ['fr'])],
  }),
  modelChange({
    title: 'links in components whose target gets locales, from a row with locales',
    before: inComponents(LOCALIZED, PLAIN),
    after: inComponents(LOCALIZED, LOCALIZED),
    fill: [documents('pages', 'seo', ['p/en', 1, seo('')], ['p/fr', 1, seo('')], ['p/it', 1, []])],
    loses: { 'shared.seo.tag': 1 },
    reasons: ["localization of its target turned on: locales other than 'en' show nothing until the target has them"],
    survives: [locales('', '', null)],
  }),
  modelChange({
    title: 'links in components of a row that loses its locales',
    before: inComponents(LOCALIZED, LOCALIZED),
    after: inComponents(PLAIN, LOCALIZED),
    fill: [documents('pages', 'seo', ['p/en', 1, seo('')], ['q/en', 1, seo('it')])],
    loses: { page: 0 },
    survives: [found(`document_id, seo ->> '$[0].tag[0].locale' FROM pages`, ['p', 'en'], ['q', 'it'])],
  }),
  modelChange({
    title: 'links in components of a row that loses its locales, to a target without any',
    before: inComponents(LOCALIZED, PLAIN),
    after: inComponents(PLAIN, PLAIN),
    fill: [documents('pages', 'seo', ['p/en', 1, seo('')])],
    loses: { page: 0 },
    survives: [found(`seo ->> '$[0].tag[0].locale' FROM pages`, [''])],
  }),
  modelChange({
    title: 'links to any type in components, one of whose targets gets locales',
    before: toAny(PLAIN),
    after: toAny(LOCALIZED),
    fill: [
      documents(
        'pages',
        'seo',
        ['p/en', 1, anySeo('tag', 'note')],
        ['p/fr', 1, anySeo('note')],
        ['q/fr', 1, anySeo('note', 'tag')],
      ),
    ],
    loses: { 'shared.seo.any': 1 },
    survives: [found('document_id, locale FROM pages', ['p', 'en'], ['p', 'fr'], ['q', 'fr'])],
  }),
  ...[PLAIN, LOCALIZED].map((page) =>
    modelChange({
      title: `links in components that nothing changes, of a row ${page === PLAIN ? 'without' : 'with'} locales`,
      before: reordered(page, ['tag', 'any']),
      after: reordered(page, ['any', 'tag']),
      when: [],
    }),
  ),
];

export const relationChanges: readonly Change[] = [...narrowed, ...turned, ...ends, ...exclusive, ...linksInComponents];
