/**
 * @module The grants of callers in the world of the non-interference test: conditions of every kind, which lead through
 * relations, components and types with and without drafts and locales.
 */
import type { ConditionalGrant } from '../../../src/schema/settings/grant-setting.ts';
import type { Grant } from '../../generators/callers.ts';
import { conditionsFrom, type Where } from '../../generators/conditions.ts';
import { seed } from '../options.ts';
import { registry, uidOf } from './model.ts';

/** `find` and `findOne` of types, and other actions, as action ids. */
const ids = (names: string, ...actions: readonly string[]): string[] =>
  names.split(' ').flatMap((name) => actions.map((action) => `${uidOf(name)}.${action}`));
const READ = ['find', 'findOne'] as const;
const WRITE = ['create', 'update', 'delete'] as const;
const PUBLISH = ['publish', 'unpublish', 'discardDraft'] as const;

type Rest = Omit<ConditionalGrant, 'action'>;
const limited = (names: string, actions: readonly string[], rest: Rest): ConditionalGrant => ({
  action: ids(names, ...actions),
  ...rest,
});

const files = (...actions: readonly string[]) => actions.map((action) => `plugin::upload.content-api.${action}`);
const user = (...actions: readonly string[]) => actions.map((action) => `plugin::users-permissions.user.${action}`);

export const OPEN = { open: true };
const condition = conditionsFrom(seed);
/** The audience of what is shown, each time by another operator. */
const shown = (): Where => condition({ attribute: 'audience', shown: 'public', hidden: ['team', 'closed'] });
const OPENED = { $and: [shown(), { $or: [{ opensAt: { $null: true } }, { opensAt: { $lte: '$now' } }] }] };
const OF_SHOWN_STORY = { story: shown() };
const OF_SHOWN_PLAN = { $or: [{ plan: shown() }, { card: { plan: shown() } }] };
const OF_OWN_STORY = { story: { owner: '$user' } };
const OF_TEAM_STORY = { story: { team: '$user.team' } };
const OWN = { author: '$user' };
/** Through the inverse side, and without a value. */
const OF_SHOWN_STORIES = { stories: shown() };
const NOT_TEAM = { $or: [{ audience: { $null: true } }, { audience: { $ne: 'closed' } }] };

const STORY_FIELDS = [
  ...['title', 'slug', 'audience', 'rating', 'body', 'opensAt', 'team', 'remarks', 'chapters', 'sequel', 'prequel'],
  ...['topics', 'card', 'parts', 'cover', 'gallery', 'publishedAt', 'locale', 'updatedAt', 'more', 'about'],
];

/** The attributes of a type that conditional grants list. */
const listedIn = (id: string): string[] =>
  [...(registry.contentTypes.get(id.replace(/\.\w+$/, ''))?.attributes ?? [])]
    .filter(([name, { kind }]) => name !== 'aside' && kind !== 'creator')
    .map(([name]) => name);

/** The same grants, whose conditional ones list all attributes but one, unless they list some. */
const listing = (grants: readonly Grant[]): readonly Grant[] =>
  grants.flatMap((grant) => {
    if (typeof grant === 'string' || !grant.where || grant.fields) return [grant];
    const isRead = (id: string) => /\.find(One)?$/.test(id);
    const all = [grant.action].flat();
    const others = all.filter((id) => !isRead(id));
    return [
      ...(others.length > 0 ? [{ ...grant, action: others }] : []),
      ...all.filter(isRead).map((id) => ({ ...grant, action: [id], fields: listedIn(id) })),
    ];
  });

export const ROLES = {
  public: listing([
    limited('team topic', READ, { where: OPEN }),
    limited('story', READ, { where: OPENED, fields: STORY_FIELDS }),
    limited('remark', READ, { where: OF_SHOWN_STORY, fields: ['text', 'mood', 'story', 'picture', 'more'] }),
    limited('remark', ['create'], { fields: ['text', 'mood', 'story'], validate: OF_SHOWN_STORY }),
    limited('chapter', READ, { where: OF_SHOWN_STORY }),
    limited('child', READ, { where: { story: { card: { grade: { $gte: 3 } } } } }),
    limited('leaflet sheet', READ, { where: shown() }),
    limited('poster', READ, { where: OF_SHOWN_PLAN }),
    ...ids('menu board', ...READ),
    ...ids('leaflet child', 'history'),
    limited('home', ['find'], { fields: ['headline', 'card'] }),
    limited('notice', ['find'], { where: shown() }),
    ...files('find', 'findOne'),
  ]),
  authenticated: [
    limited('team', READ, { where: OPEN }),
    ...ids('topic', ...READ),
    limited('story', ['find'], { where: { $or: [OPENED, { owner: '$user' }, { team: '$user.team' }] } }),
    limited('story', ['findOne'], { where: { $or: [shown(), { owner: '$user' }, { team: '$user.team' }] } }),
    limited('story', ['create'], { set: { owner: '$user' } }),
    limited('remark', READ, {
      where: { $or: [OWN, OF_TEAM_STORY, { story: { sequel: shown() } }, { story: '$user.favorite' }] },
    }),
    limited('remark', ['create'], { set: OWN, fields: ['text', 'mood', 'story', 'picture'] }),
    limited('remark', ['update', 'delete'], { where: OWN }),
    limited('chapter', [...READ, 'update', 'delete', 'publish', 'unpublish'], { where: OF_OWN_STORY }),
    limited('child', READ, { where: { $or: [OF_OWN_STORY, { chapter: OF_TEAM_STORY }] } }),
    limited('child', ['update', 'delete'], { where: OF_OWN_STORY }),
    ...ids('child', 'create'),
    ...ids('menu', ...READ, ...WRITE),
    limited('board', READ, { where: NOT_TEAM }),
    limited('leaflet sheet', READ, { where: shown() }),
    limited('poster', [...READ, 'update', 'delete'], { where: OF_SHOWN_PLAN }),
    ...ids('leaflet sheet', 'create', 'update'),
    limited('notice', ['find'], { where: { story: { owner: '$user' } } }),
    ...ids('home', 'find', 'update'),
    ...ids('story chapter board child leaflet', 'history', 'restore'),
    ...files('find', 'findOne', 'upload'),
    ...user('me'),
  ],
  editor: [
    ...ids('team topic', ...READ),
    ...ids('story chapter board sheet home', 'readDrafts'),
    ...ids('chapter board child leaflet sheet', 'history', 'restore'),
    limited('story', ['history', 'restore'], { where: { team: '$user.team' } }),
    limited('story', READ, { where: { $or: [shown(), { team: '$user.team' }] } }),
    limited('story', ['update', 'discardDraft', 'previewLink'], { where: { team: '$user.team' } }),
    limited('story', ['delete'], { where: { owner: '$user' } }),
    ...ids('story', 'create', 'publish', 'unpublish'),
    limited('chapter', READ, { where: OF_TEAM_STORY }),
    ...ids('chapter', ...WRITE, ...PUBLISH),
    ...ids('child', ...READ, ...WRITE),
    ...ids('remark', ...READ),
    limited('remark', ['update', 'delete'], { where: OF_TEAM_STORY }),
    ...ids('menu', ...READ, ...WRITE),
    ...ids('board', ...READ, ...WRITE, ...PUBLISH),
    limited('sheet leaflet', READ, { where: shown() }),
    limited('poster', READ, { where: OF_SHOWN_PLAN }),
    ...ids('sheet leaflet', ...WRITE),
    ...ids('sheet', ...PUBLISH),
    ...ids('home', 'find', 'update', ...PUBLISH),
    ...files('find', 'findOne', 'upload', 'destroy'),
    limited('notice', ['find'], { where: shown() }),
    ...ids('notice', 'update', 'delete', ...PUBLISH),
    ...user('find', 'findOne', 'create', 'update', 'me'),
  ],
  writer: listing([
    limited('topic', READ, { where: OF_SHOWN_STORIES }),
    limited('story', READ, { where: shown() }),
    ...ids('story', 'create'),
    ...ids('chapter', ...READ, ...WRITE, ...PUBLISH),
    ...ids('child', ...READ, ...WRITE),
    limited('remark', READ, { where: OF_SHOWN_STORY }),
    limited('remark', ['create', 'update'], { validate: OF_SHOWN_STORY }),
    ...ids('menu', ...READ, ...WRITE),
    ...ids('board', ...READ, ...WRITE, ...PUBLISH),
    limited('sheet leaflet', READ, { where: shown() }),
    ...ids('sheet leaflet', ...WRITE),
    ...ids('sheet', ...PUBLISH),
    ...ids('home', 'find', 'update', ...PUBLISH),
    ...files('upload', 'destroy'),
    ...user('me'),
  ]),
};

/** Grants of an API token: it has no user. */
export const PARTNER = listing([
  limited('poster', [...READ, 'delete'], { where: OF_SHOWN_PLAN }),
  limited('story', READ, {
    where: { rating: { $gte: 4 } },
    fields: ['title', 'slug', 'rating', 'card', 'chapters', 'more'],
  }),
  limited('chapter', READ, { where: { cards: { ref: shown() } } }),
  limited('child', READ, { where: { $or: [{ due: { $gte: '$now' } }, { card: { ref: { rating: { $gte: 4 } } } }] } }),
  limited('child', ['update'], { where: { due: { $gte: '$now' } }, fields: ['name', 'story'] }),
  ...ids('topic', ...READ),
  ...ids('menu', ...READ),
  limited('leaflet', READ, { where: shown() }),
]);

const DRAFTED = 'story sheet board';

/** Grants of a token that makes a preview, whose conditions lead to drafts that it may not read. */
export const CURATOR = listing([
  limited('story', [...READ, 'previewLink'], { where: { plan: shown() } }),
  ...ids('board', ...READ),
]);

/** Grants of a token that writes drafts only. */
export const DRAFTER: readonly Grant[] = [
  ...ids('topic menu', ...READ),
  limited(`${DRAFTED} leaflet`, READ, { where: shown() }),
  limited('chapter', READ, { where: OF_SHOWN_STORY }),
  limited(`${DRAFTED} chapter`, ['create'], { status: 'draft' }),
  limited(DRAFTED, ['update', 'delete', 'discardDraft', 'restore'], { where: shown(), status: 'draft' }),
  limited('chapter', ['update', 'delete', 'discardDraft', 'restore'], { where: OF_SHOWN_STORY, status: 'draft' }),
  limited(DRAFTED, ['history'], { where: shown() }),
  limited('story', ['previewLink'], { where: shown() }),
  ...files('find', 'findOne'),
  { action: files('upload'), status: 'draft' } as const,
];

/** Grants of a token that reads drafts, and writes nothing. */
export const LECTOR = listing([
  ...ids('topic menu', ...READ),
  limited('story sheet board leaflet', READ, { where: shown() }),
  limited('chapter remark', READ, { where: OF_SHOWN_STORY }),
  ...ids('story chapter sheet board', 'readDrafts'),
]);

/** The types that edda lets a client use: no children, remarks and notices, which edda reads. */
export const DEPUTY_TYPES: readonly string[] = [
  ...['team', 'topic', 'story', 'chapter', 'menu', 'board', 'sheet', 'leaflet', 'poster', 'home'].map(uidOf),
];
