/**
 * @module What is hidden from a caller, as changes of the first content that full access makes. The two worlds differ in
 * nothing else. Add what a new feature hides to the list.
 */
import fc from 'fast-check';
import { FILE_UID, USER_UID } from '../../../src/schema/system-types.ts';
import { idNamed } from './chance.ts';
import { pathNamed, typed } from './content.ts';
import { OPEN } from './grants.ts';
import { uidOf } from './model.ts';
import { HIDDEN } from './names.ts';
import { CALLERS, draftReaders, grantOf, hiddenFrom, withoutAttribute, withoutDrafts, withoutFind } from './rights.ts';
import { secretValues } from './secret-values.ts';
import { TIMES, WORDS } from './values.ts';

/** A request with full access, or SQL. One that fails changes nothing. */
export type Change =
  | { readonly method: string; readonly path: string; readonly data?: object }
  | { readonly sql: string };

export interface Secret {
  readonly name: string;
  readonly hiddenFrom: readonly string[];
  /** How often it changes, compared with the others; 1 by default. */
  readonly weight?: number;
  readonly changes: fc.Arbitrary<Change>;
}

const word = fc.constantFrom(...WORDS);
const time = fc.constantFrom(...TIMES, null);
const hiddenStory = fc.constantFrom(...(HIDDEN.story ?? []));
const someStory = fc.constantFrom('story1', 'story2', 'story3', 'story4', 'storyh1', 'storyh2', 'storyh3');
const storyId = someStory.map(idNamed);
const topics = fc.subarray(['topic1', 'topic2'].map(idNamed));
const put = (path: string, data: fc.Arbitrary<object>): fc.Arbitrary<Change> =>
  data.map((values) => ({ method: 'PUT', path, data: values }));
const some = <T>(record: { readonly [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(record, { requiredKeys: [] });
const number = fc.constantFrom('hidden-1', 'hidden-2', 'hidden-3');

/** A card below every threshold of a condition; its links are hidden with it. */
const hiddenCard = some({
  label: word,
  code: number,
  grade: fc.integer({ min: 0, max: 2 }),
  ref: hiddenStory.map(idNamed),
  refs: fc.subarray(['storyh1', 'storyh2', 'storyh3'].map(idNamed)),
  pin: some({ text: word, topic: fc.constantFrom('topic1', 'topic2').map(idNamed) }),
});
const freeCard = some({
  label: word,
  code: number,
  grade: fc.integer({ min: 0, max: 5 }),
  ref: storyId,
  refs: fc.array(storyId, { maxLength: 2 }),
  remark: fc.constantFrom('remark1', 'remark2').map(idNamed),
  pin: some({ text: word, topic: fc.constantFrom('topic1', 'topic2').map(idNamed) }),
});
const zone = (card: fc.Arbitrary<object>) =>
  fc.array(
    fc.oneof(
      card.map((values) => ({ __component: 'kit.card', ...values })),
      word.map((text) => ({ __component: 'kit.quote', text, from: idNamed('team2') })),
    ),
    { maxLength: 2 },
  );
const file = fc.constantFrom('{file1}', '{file2}', null);

/** Values with which every condition hides a story. */
const hiddenValues = some({
  title: word,
  slug: fc.constantFrom('hidden-1', 'hidden-2', 'hidden-3'),
  audience: fc.constantFrom('closed', 'team'),
  rating: fc.integer({ min: 0, max: 3 }),
  body: word,
  opensAt: time,
  note: word,
  memo: word,
  vault: fc.constantFrom(idNamed('vault1'), null),
  topics,
  sequel: fc.constantFrom(idNamed('story3'), null),
  card: fc.oneof(hiddenCard, fc.constant(null)),
  parts: zone(hiddenCard),
  cover: file,
  gallery: fc.constantFrom([], ['{file1}'], ['{file1}', '{file2}']),
});

/** The same, and whose they are: a draft that anybody could see is published with them. */
const hiddenForAll = hiddenValues.map((values) => ({
  ...{ audience: 'closed', rating: 0, owner: '{zoe}', team: idNamed('team2') },
  ...values,
}));

/** Any values, those that conditions look for among them. */
const freeValues = some({
  title: word,
  audience: fc.constantFrom('public', 'team', 'closed'),
  rating: fc.integer({ min: 0, max: 5 }),
  body: word,
  opensAt: time,
  note: word,
  owner: fc.constantFrom('{anna}', '{edda}', '{wim}', '{zoe}', null),
  team: fc.constantFrom('team1', 'team2').map(idNamed),
  topics,
  card: fc.oneof(freeCard, fc.constant(null)),
  parts: zone(freeCard),
  cover: file,
});

/** Values that locales do not share. */
const frenchValues = some({
  title: word,
  slug: fc.constantFrom('cache-1', 'cache-2'),
  body: word,
  note: word,
  opensAt: time,
  parts: zone(hiddenCard),
}).map((values) => ({ ...values, audience: 'closed' }));

const audience = fc.constantFrom('public', 'team', 'closed');
const targets = fc
  .subarray(['story1', 'storyh1', 'storyh2', 'remark1', 'vault1', 'team2', 'leafleth1'])
  .map((names) => names.map(typed));

const removal = (path: string): fc.Arbitrary<Change> => fc.constant({ method: 'DELETE', path });
const action = (path: string, name: string, data?: object): fc.Arbitrary<Change> =>
  fc.constant({ method: 'POST', path: `${path}/actions/${name}`, ...(data && { data }) });
const oneOf = (...all: readonly fc.Arbitrary<Change>[]): fc.Arbitrary<Change> => fc.oneof(...all);
const hiddenPath = hiddenStory.map(pathNamed);
/** Times of schedules that are never due. */
const LATE = fc.constantFrom('2090-01-01T00:00:00.000Z', '2091-01-01T00:00:00.000Z');
const scheduled = (path: string, name: string, search = ''): fc.Arbitrary<Change> =>
  LATE.map((at) => ({ method: 'POST', path: `${path}/actions/${name}${search}`, data: { at } }));

const setColumn = (table: string, column: string, name: string): fc.Arbitrary<{ readonly sql: string }> =>
  word.map((value) => ({
    sql: `update "${table}" set "${column}" = '${value}' where document_id = '${idNamed(name)}'`,
  }));

/** More rows than a response may have. */
const ROWS = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 120)';
const manyStories = `
  ${ROWS} insert or ignore into stories (document_id, locale, published_at, created_at, updated_at, title, audience, rating)
    select 'storymany' || i, 'en', 0, 0, 0, 'alpha', 'closed', 0 from n;
  ${ROWS} insert or ignore into stories_topics_lnk
    (source_document_id, source_locale, target_document_id, target_locale, status, position, inverse_position)
    select 'storymany' || i, 'en', '${idNamed('topic1')}', '', 'published', i + 10, i + 10 from n;
  ${ROWS} insert or ignore into menus_stories_lnk
    (source_document_id, source_locale, target_document_id, target_locale, status, position, inverse_position)
    select '${idNamed('menu1')}', '', 'storymany' || i, 'en', 'published', i + 10, i + 10 from n;
  ${ROWS} update stories
    set card = json_set(card, '$.refs', (
      select json_group_array(json_object('documentId', 'storymany' || i, 'locale', 'en')) from n
    ))
    where document_id = '${idNamed('story1')}' and locale = 'en'`;

export const SECRETS: readonly Secret[] = [
  { name: 'many hidden stories', hiddenFrom: CALLERS, weight: 4, changes: fc.constant({ sql: manyStories }) },
  {
    name: 'values of hidden stories',
    hiddenFrom: CALLERS,
    changes: hiddenPath.chain((path) =>
      oneOf(put(path, hiddenForAll), put(`${path}?locale=fr`, frenchValues), put(`${path}?locale=de`, frenchValues)),
    ),
  },
  {
    name: 'hidden stories themselves, their locales and publication',
    hiddenFrom: CALLERS,
    changes: hiddenPath.chain((path) =>
      oneOf(
        removal(`${path}?locale=*`),
        removal(path),
        removal(`${path}?locale=fr`),
        action(path, 'unpublish'),
        action(path, 'unpublish?locale=fr'),
      ),
    ),
  },
  {
    name: 'former versions of hidden stories, with values that would not be hidden',
    hiddenFrom: CALLERS,
    changes: hiddenStory.map((name) => ({
      sql: `
        update edgewise_history
        set entry = json_set(entry, '$.values.audience', 'public', '$.values.rating', 5), size = 1
        where document_id = '${idNamed(name)}'`,
    })),
  },
  {
    name: 'former versions of stories, with values that every condition hides',
    hiddenFrom: CALLERS,
    changes: fc.constantFrom('story1', 'story2', 'story3').map((name) => ({
      sql: `
        insert or ignore into edgewise_history
          (type, document_id, locale, version, at, id, operation, actor, actor_id, actor_name, entry, size)
        select type, document_id, locale, version, at - 1, 'rev_f' || substr(id, 6), operation, actor, actor_id, actor_name,
          json_set(entry, '$.values.audience', 'closed', '$.values.rating', 0, '$.links.owner', json_array(), '$.links.team', json_array()), size
        from edgewise_history where document_id = '${idNamed(name)}'`,
    })),
  },
  {
    name: 'drafts of hidden stories',
    hiddenFrom: CALLERS,
    changes: hiddenPath.chain((path) => put(`${path}?status=draft`, hiddenValues)),
  },
  {
    name: 'drafts that would not be hidden',
    hiddenFrom: withoutDrafts('story'),
    changes: fc
      .constantFrom('storyh1', 'storyh2', 'storyh3', 'story1', 'story2', 'story3', 'story5')
      .chain((name) => put(`${pathNamed(name)}?status=draft`, freeValues)),
  },
  {
    name: 'a document that was never published',
    hiddenFrom: withoutDrafts('story'),
    changes: oneOf(removal(pathNamed('story4')), put(`${pathNamed('story4')}?status=draft`, freeValues)),
  },
  {
    name: 'hidden locales of visible documents',
    hiddenFrom: CALLERS,
    changes: oneOf(
      put(`${pathNamed('story2')}?locale=fr`, frenchValues),
      removal(`${pathNamed('story2')}?locale=fr`),
      action(pathNamed('story2'), 'unpublish?locale=fr'),
      put(
        `${pathNamed('sheet1')}?locale=fr`,
        word.map((title) => ({ title, audience: 'closed' })),
      ),
      removal(`${pathNamed('sheet1')}?locale=fr`),
    ),
  },
  {
    name: 'hidden documents of other types',
    hiddenFrom: CALLERS,
    changes: fc
      .constantFrom('leafleth1', 'sheeth1')
      .chain((name) =>
        oneOf(
          put(pathNamed(name), some({ title: word, cover: file, gallery: fc.constantFrom([], ['{file1}']) })),
          removal(pathNamed(name)),
        ),
      ),
  },
  {
    name: 'documents of a type that is not granted',
    hiddenFrom: CALLERS,
    changes: oneOf(put(pathNamed('vault1'), some({ title: word, story: storyId })), removal(pathNamed('vault1'))),
  },
  {
    name: 'drafts of a type that is not granted, to which conditions lead',
    hiddenFrom: CALLERS,
    weight: 4,
    changes: fc
      .constantFrom('plan1', 'plan2', 'plan3')
      .chain((name) => put(`${pathNamed(name)}?status=draft`, fc.record({ name: word, audience }))),
  },
  {
    name: 'hidden chapters',
    hiddenFrom: hiddenFrom('chapter'),
    changes: oneOf(
      put(
        pathNamed('chapterh1'),
        some({ title: word, audience, story: hiddenStory.map(idNamed), cards: fc.array(hiddenCard, { maxLength: 2 }) }),
      ),
      removal(pathNamed('chapterh1')),
      action(pathNamed('chapterh1'), 'unpublish'),
    ),
  },
  {
    name: 'drafts of chapters',
    hiddenFrom: withoutDrafts('chapter'),
    changes: fc.constantFrom('chapter1', 'chapter2', 'chapter3', 'chapterh1').chain((name) =>
      put(
        `${pathNamed(name)}?status=draft`,
        some({
          title: word,
          audience,
          // Other changes publish it.
          story: name === 'chapterh1' ? hiddenStory.map(idNamed) : storyId,
          cards: fc.array(freeCard, { maxLength: 2 }),
        }),
      ),
    ),
  },
  {
    name: 'drafts of sheets',
    hiddenFrom: withoutDrafts('sheet'),
    changes: fc.constantFrom('sheet1', 'sheeth1').chain((name) =>
      put(
        `${pathNamed(name)}?status=draft`,
        // Other changes publish the hidden one.
        some({ title: word, audience: name === 'sheeth1' ? fc.constant('closed') : audience, cover: file }),
      ),
    ),
  },
  {
    name: 'drafts of boards',
    hiddenFrom: withoutDrafts('board'),
    changes: put(`${pathNamed('board1')}?status=draft`, some({ title: word, audience, items: targets })),
  },
  {
    name: 'the draft of a single type',
    hiddenFrom: withoutDrafts('home'),
    changes: put('/api/home?status=draft', some({ headline: word, featured: storyId, card: freeCard })),
  },
  {
    name: 'hidden children',
    hiddenFrom: hiddenFrom('child'),
    changes: oneOf(
      put(pathNamed('childh1'), some({ name: word, story: hiddenStory.map(idNamed), card: hiddenCard })),
      removal(pathNamed('childh1')),
    ),
  },
  {
    name: 'hidden remarks',
    hiddenFrom: hiddenFrom('remark'),
    changes: oneOf(
      put(
        pathNamed('remarkh1'),
        some({ text: word, mood: fc.constantFrom('glad', 'calm'), secret: word, story: hiddenStory.map(idNamed) }),
      ),
      removal(pathNamed('remarkh1')),
    ),
  },
  {
    name: 'teams and topics that are not open',
    hiddenFrom: CALLERS.filter((caller) => grantOf(caller, 'find', uidOf('topic'))?.where === OPEN),
    changes: fc.constantFrom('team2', 'topic2').chain((name) => put(pathNamed(name), some({ name: number }))),
  },
  {
    name: 'private attributes, and those that no grant lists',
    hiddenFrom: CALLERS,
    changes: oneOf(
      word.map((hint) => ({
        sql: `update stories set card = json_set(card, '$.hint', '${hint}') where document_id = '${idNamed('story1')}'`,
      })),
      setColumn('up_users', 'password', 'zoe'),
      setColumn('up_users', 'reset_password_token', 'zoe'),
      setColumn('up_users', 'confirmation_token', 'wim'),
      setColumn('stories', 'memo', 'story1'),
      setColumn('stories', 'memo', 'story2'),
      setColumn('teams', 'motto', 'team1'),
    ),
  },
  {
    name: 'attributes that the grants of some callers do not list',
    hiddenFrom: withoutAttribute('story', 'note').filter((caller) =>
      withoutAttribute('remark', 'secret').includes(caller),
    ),
    changes: oneOf(setColumn('stories', 'note', 'story1'), setColumn('remarks', 'secret', 'remark1')),
  },
  {
    name: 'documents of types that only some callers find',
    hiddenFrom: withoutFind(...['remark', 'child', 'notice'].map(uidOf)),
    weight: 4,
    changes: oneOf(
      setColumn('remarks', 'text', 'remark1'),
      setColumn('remarks', 'text', 'remark3'),
      setColumn('children', 'name', 'child1'),
      setColumn('children', 'name', 'child2'),
      setColumn('notices', 'text', 'notice1'),
    ),
  },
  {
    name: 'other users',
    hiddenFrom: withoutFind(USER_UID),
    changes: put(
      '/api/users/{zoe}',
      some({
        nickname: word,
        department: word,
        badge: fc.constantFrom('topic1', 'topic2').map(idNamed),
        favorites: fc.array(storyId, { maxLength: 2 }),
      }),
    ),
  },
  {
    name: 'a hidden single type',
    hiddenFrom: CALLERS,
    changes: fc.constantFrom('', '?locale=fr').chain((search) =>
      put(
        `/api/notice${search}`,
        some({ text: word, story: hiddenStory.map(idNamed) }).map((values) => ({ ...values, audience: 'closed' })),
      ),
    ),
  },
  {
    name: 'drafts of a hidden single type, and whether it is there',
    hiddenFrom: withoutDrafts('notice'),
    changes: oneOf(
      put('/api/notice?status=draft', some({ text: word, audience, story: storyId })),
      removal('/api/notice'),
      removal('/api/notice?locale=fr'),
      fc.constant({ method: 'POST', path: '/api/notice/actions/unpublish' }),
    ),
  },
  {
    name: 'schedules of hidden documents, and of hidden locales',
    hiddenFrom: CALLERS,
    changes: fc
      .constantFrom('publish', 'unpublish')
      .chain((name) =>
        oneOf(
          scheduled(pathNamed('storyh1'), name),
          scheduled(pathNamed('storyh2'), name, '?locale=fr'),
          scheduled(pathNamed('story2'), name, '?locale=fr'),
          scheduled(pathNamed('sheeth1'), name),
          scheduled('/api/notice', name),
          scheduled(pathNamed('sheet1'), name, '?locale=fr'),
        ),
      ),
  },
  {
    name: 'the published version of a visible draft',
    hiddenFrom: draftReaders('story'),
    weight: 4,
    changes: fc
      .constantFrom(...TIMES.map((at) => `update stories set updated_at = ${Date.parse(at)}`), 'delete from stories')
      .map((change) => ({ sql: `${change} where document_id = '${idNamed('story7')}' and published_at is not null` })),
  },
  {
    name: 'a private file',
    hiddenFrom: withoutFind(FILE_UID),
    changes: fc.oneof(
      setColumn('files', 'caption', 'fileh1'),
      setColumn('files', 'hash', 'fileh1').map(({ sql }) => ({
        sql: sql.replace(/= '(\w+)' where/, "= '$1_0123456789-private' where"),
      })),
      fc.constant({ sql: `delete from files where document_id = '${idNamed('fileh1')}'` }),
    ),
  },
  {
    name: 'links to hidden documents',
    hiddenFrom: CALLERS,
    changes: fc
      .tuple(
        fc.constantFrom(
          'menus_items_mph',
          'menus_pin_mph',
          'boards_items_mph',
          'stories_sequel_lnk',
          'menus_stories_lnk',
        ),
        fc.constantFrom('storyh1', 'storyh2', 'storyh3', 'vault1', 'leafleth1'),
      )
      .map(([table, name]) => ({
        sql: `delete from "${table}" where target_document_id = '${idNamed(name)}'`,
      })),
  },
];

/** All that is hidden has other values in each world, and up to ten changes are of any kind. */
export function secretsFor(caller: string): fc.Arbitrary<readonly Change[]> {
  const own = SECRETS.filter(({ hiddenFrom }) => hiddenFrom.includes(caller));
  const any = fc.oneof(...own.map(({ weight = 1, changes }) => ({ weight, arbitrary: changes })));
  return fc.tuple(secretValues(caller), fc.array(any, { maxLength: 10 })).map((all) => all.flat());
}
