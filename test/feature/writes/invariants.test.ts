/**
 * @module The check of the whole database sees every kind of damage that it is there to see.
 */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { documentOf } from '../../support/client.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { recordedRegistry } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();
const check = () => checkInvariants(env.DB, recordedRegistry);

async function clear(): Promise<void> {
  const tables = [
    'articles',
    'tags',
    'issues',
    'authors',
    'edgewise_counters',
    'articles_tags_lnk',
    'articles_author_lnk',
  ];
  for (const name of [
    'articles_related',
    'issues_cover_story',
    'issues_picks',
    'articles_attachment',
    'articles_gallery',
  ])
    tables.push(`${name}_lnk`);
  await env.DB.batch(tables.map((table) => env.DB.prepare(`delete from "${table}"`)));
}

/** One document of everything that can be damaged. */
async function build(): Promise<void> {
  const author = await documentOf(client.create('/api/authors', { name: 'Zed' }));
  const tags = [
    await documentOf(client.create('/api/tags', { name: 'Red' })),
    await documentOf(client.create('/api/tags', { name: 'Blue' })),
  ].map(({ documentId }) => documentId);
  const article = await documentOf(
    client.create('/api/articles', {
      title: 'Whole',
      price: 1,
      author: author.documentId,
      tags,
      extra: { a: 1 },
      seo: { metaTitle: 'Seo', card: { title: 'Card' }, alternates: [{ label: 'a', href: 'b' }] },
      facts: [{ label: 'one' }, { label: 'two', source: { label: 'a', href: 'b' } }],
      sections: [{ __component: 'blocks.quote', text: 'q' }],
      links: [{ label: 'a', href: 'b' }],
    }),
  );
  await client.update(`/api/articles/${article.documentId}?locale=fr`, { title: 'French', tags });
  await client.create('/api/issues', {
    title: 'Issue',
    number: 1,
    coverStory: { documentId: article.documentId, locale: 'en' },
  });
  await client.create('/api/issues', { title: 'Another', number: 2 });
}

beforeEach(async () => {
  await clear();
  await build();
});

/** The published article in English, and its draft. */
const LIVE = `(select id from articles where published_at is not null and locale = 'en')`;
const LIVE_LINK = `status = 'published' and source_locale = 'en'`;
const DRAFT = `(select id from articles where published_at is null and locale = 'en')`;

const set = (path: string, value: string, column: string, row = LIVE) =>
  `update articles set "${column}" = json_set("${column}", '${path}', ${value}) where id = ${row}`;

/** What is done to the database, and what is said of it. */
const DAMAGE: readonly (readonly [string, string, RegExp])[] = [
  [
    'a link without a source',
    `update articles_tags_lnk set source_document_id = 'nobody' where ${LIVE_LINK}`,
    /tags_lnk: the published link from nobody.* has no source/,
  ],
  [
    'a link to no document',
    `delete from tags where name = 'Red'`,
    /articles_tags_lnk: the draft link from .* has no target$/,
  ],
  [
    'a link to no locale of a document',
    `update issues_cover_story_lnk set target_locale = 'de'`,
    /issues_cover_story_lnk: the draft link .*\/de has no target/,
  ],
  [
    'a published link to a locale without any version',
    `delete from articles where locale = 'en'`,
    /issues_cover_story_lnk: the published link .* has no target/,
  ],
  [
    'a link from one locale to another',
    `insert into articles (document_id, locale, published_at) values ('english', 'en', 1);
     insert into articles_related_lnk select document_id, locale, 'english', 'en', 'published', 1, 1 from articles where locale = 'fr' limit 1`,
    /articles_related_lnk: the published link from .* leads to another locale/,
  ],
  [
    'a locale where a target has none',
    `update articles_tags_lnk set target_locale = 'en'`,
    /articles_tags_lnk: the draft link .*\/en has no target/,
  ],
  [
    'a link of a version that no end has',
    `insert into comments (document_id, locale, published_at) values ('c', '', 1);
     insert into comments_by_lnk select 'c', '', document_id, '', 'draft', 1, 1 from authors`,
    /comments_by_lnk: the link of c is draft/,
  ],
  [
    'one position twice',
    `update articles_tags_lnk set position = 1 where status = 'draft'`,
    /tags_lnk: more than one link of .*\/en\/draft at 1/,
  ],
  [
    'a position that is no whole number',
    `update articles_tags_lnk set position = 1.5 where ${LIVE_LINK}`,
    /tags_lnk: a link of .* has a place that is no whole number/,
  ],
  [
    'two targets of a relation to one',
    `insert into authors (document_id, locale, published_at) values ('more', '', 1);
     insert into articles_author_lnk select source_document_id, source_locale, 'more', '', status, 2, 1 from articles_author_lnk`,
    /author_lnk: .*\/en\/draft may have one link, it has more, /,
  ],
  [
    'two holders of a one-to-one',
    `insert into issues_cover_story_lnk select (select document_id from issues where number = 2 limit 1), '', target_document_id, target_locale, status, 1, 2 from issues_cover_story_lnk limit 1`,
    /issues_cover_story_lnk: .*\/en\/.* is held by 2 documents/,
  ],
  [
    'an id twice in a list',
    set('$[1].id', `(facts ->> '$[0].id')`, 'facts'),
    /published: facts has the id \d+ once more/,
  ],
  [
    'an id twice in two columns',
    set('$.id', `(facts ->> '$[0].id')`, 'seo'),
    /published: (facts|seo) has the id \d+ once more/,
  ],
  [
    'an id twice at two depths',
    set('$.card.id', `(seo ->> '$.id')`, 'seo'),
    /published: seo.card has the id \d+ once more/,
  ],
  ['a component without an id', set('$.id', `'x'`, 'seo'), /seo has no id/],
  [
    'an id of the draft in what is published',
    set('$.id', `(select seo ->> '$.id' from articles where id = ${DRAFT})`, 'seo'),
    /published: seo has the id \d+ of the draft/,
  ],
  [
    'a component that a zone may not hold',
    set('$[0].__component', `'shared.seo'`, 'sections'),
    /sections holds a shared.seo, which it may not/,
  ],
  [
    'a key that a component has not',
    set('$.card.nope', '1', 'seo'),
    /seo.card has a key nope that shared.card has not/,
  ],
  ['a list in place of one component', set('$.card', `json('[]')`, 'seo'), /seo.card is a list/],
  ['one component in place of a list', set('$.alternates', `json('{}')`, 'seo'), /seo.alternates is no list/],
  ['what is no component', set('$[0]', '1', 'facts'), /facts holds what is no component/],
  [
    'a component column that is no JSON',
    `update articles set seo = '{' where id = ${LIVE}`,
    /articles: seo of .* is no JSON/,
  ],
  [
    'a json attribute that is no JSON',
    `update articles set extra = '{' where id = ${LIVE}`,
    /articles: extra of .* is no JSON/,
  ],
  [
    'a text in a column of numbers',
    `update articles set price = 'much' where id = ${LIVE}`,
    /articles: price of .* is no number/,
  ],
  [
    'a row that the counter does not know',
    `update tags set published_at = null where name = 'Red'`,
    /tags: \/draft counts 1, the counter says 0/,
  ],
  [
    'a counter that knows too much',
    `update edgewise_counters set total = 9 where type = 'api::tag.tag'`,
    /tags: \/published counts 2, the counter says 9/,
  ],
  [
    'a counter of nothing',
    `insert into edgewise_counters values ('api::tag.tag', 'fr', 'draft', 1)`,
    /tags: fr\/draft counts 0, the counter says 1/,
  ],
  [
    'a draft of a type without drafts',
    `update tags set published_at = null where name = 'Red'`,
    /tags: .* is a draft of a type without drafts/,
  ],
  [
    'a locale of a type without locales',
    `update tags set locale = 'en' where name = 'Red'`,
    /tags: .* has a locale that its type cannot have/,
  ],
  [
    'locales that differ in a shared number',
    `insert into categories (document_id, locale, published_at, position) values ('shared', 'en', 1, 1), ('shared', 'fr', 1, 2)`,
    /categories: the locales of shared differ in position/,
  ],
];

const run = (text: string) => env.DB.batch(text.split(';').map((statement) => env.DB.prepare(statement)));

it('has nothing to say of what the API has written', async () => {
  expect(await check()).toEqual([]);
});

it.each([DRAFT, LIVE])('lets locales of a type with drafts differ in what they share', async (id) => {
  await run(`update articles set price = 2 where id = ${id}`);
  expect(await check()).toEqual([]);
});

it.each(DAMAGE)('reports %s', async (_, damage, complaint) => {
  await run(damage);
  const complaints = await check();
  expect(complaints).toContainEqual(expect.stringMatching(complaint));
});

/** Damage that the indexes of the tables would refuse; last, since what they are made without stays so. */
describe('without indexes', () => {
  it('reports a version that has two rows', async () => {
    await run(
      `drop index articles_published; insert into articles (document_id, locale, published_at) select document_id, locale, 1 from articles where id = ${LIVE}`,
    );
    expect(await check()).toContainEqual(expect.stringMatching(/articles: more than one row of .*\/en\/published/));
  });

  it('reports a link that is there twice', async () => {
    await run(
      'create table copies as select * from articles_tags_lnk; drop table articles_tags_lnk; alter table copies rename to articles_tags_lnk',
    );
    await run(
      `insert into articles_tags_lnk select source_document_id, source_locale, target_document_id, target_locale, status, position + 7, 1 from articles_tags_lnk where ${LIVE_LINK}`,
    );
    expect(await check()).toContainEqual(expect.stringMatching(/articles_tags_lnk: more than one link from .* to .*/));
  });
});
