/**
 * @module The content model of the non-interference test, and the grants of its callers: conditions of every kind, which
 * lead through relations, components and types with and without drafts and locales.
 */
import { type Delegation, delegated } from '../../../src/access/delegation.ts';
import { EVERYTHING } from '../../../src/access/grants.ts';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import type { ConditionalGrant } from '../../../src/schema/settings/grant-setting.ts';
import { settingsOf } from '../../generators/features.ts';
import { component, contentType, registryOf, userFile } from '../../support/schema-files.ts';

export const uidOf = (name: string): string => `api::${name}.${name}`;

const localized = { pluginOptions: { i18n: { localized: true } } };
const relation = (kind: string, target: string, end: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: target === 'user' ? 'plugin::users-permissions.user' : uidOf(target),
  ...end,
});
const cards = (repeatable: boolean) => ({ type: 'component', component: 'kit.card', repeatable });

const pin = component('kit.pin', { text: { type: 'string' }, topic: relation('oneToOne', 'topic') });
const card = component('kit.card', {
  label: { type: 'string' },
  code: { type: 'string', unique: true },
  hint: { type: 'string', private: true },
  grade: { type: 'integer' },
  ref: relation('oneToOne', 'story'),
  refs: relation('oneToMany', 'story'),
  remark: relation('oneToOne', 'remark'),
  picture: { type: 'media', multiple: false },
  pin: { type: 'component', component: 'kit.pin', repeatable: false },
});
const quote = component('kit.quote', { text: { type: 'string', required: true }, from: relation('oneToOne', 'team') });
const scene = component('kit.scene', {
  name: { type: 'string' },
  story: relation('oneToOne', 'story', { required: true }),
});
const slot = component('kit.slot', { plan: relation('oneToOne', 'plan') });
const zone = { type: 'dynamiczone', components: ['kit.card', 'kit.quote'] };
const AUDIENCE = { type: 'enumeration', enum: ['public', 'team', 'closed'] };
const FILES = {
  cover: { type: 'media', multiple: false },
  gallery: { type: 'media', multiple: true },
};

/**
 * From every type, queries lead to documents of which some are hidden, and on which no condition of it depends; and in every
 * type there is an attribute that conditional grants do not list.
 */
const LEADS = {
  more: relation('manyToMany', 'story'),
  about: relation('manyToMany', 'remark'),
  aside: { type: 'string' },
};

type Definition = Parameters<typeof contentType>;
const leading = (name: Definition[0], attributes: Definition[1], options?: Definition[2]) =>
  contentType(name, { ...attributes, ...LEADS }, options);

const TYPES = [
  leading('team', {
    name: { type: 'string' },
    open: { type: 'boolean' },
    motto: { type: 'string', private: true },
  }),
  leading('topic', {
    name: { type: 'string', unique: true },
    open: { type: 'boolean' },
    stories: relation('manyToMany', 'story', { mappedBy: 'topics' }),
  }),
  leading(
    'story',
    {
      title: { type: 'string', ...localized },
      slug: { type: 'string', unique: true, ...localized },
      audience: { ...AUDIENCE, ...localized },
      rating: { type: 'integer' },
      body: { type: 'richtext', ...localized },
      opensAt: { type: 'datetime', ...localized },
      note: { type: 'string', ...localized },
      memo: { type: 'string', private: true, ...localized },
      owner: relation('manyToOne', 'user'),
      team: relation('manyToOne', 'team'),
      vault: relation('oneToOne', 'vault'),
      plan: relation('manyToOne', 'plan'),
      remarks: relation('oneToMany', 'remark', { mappedBy: 'story' }),
      chapters: relation('oneToMany', 'chapter', { mappedBy: 'story' }),
      sequel: relation('oneToOne', 'story', { inversedBy: 'prequel' }),
      prequel: relation('oneToOne', 'story', { mappedBy: 'sequel' }),
      topics: relation('manyToMany', 'topic', { inversedBy: 'stories' }),
      card: cards(false),
      parts: { ...zone, ...localized },
      ...FILES,
    },
    { drafts: true, localized: true, plural: 'stories' },
  ),
  leading(
    'chapter',
    {
      title: { type: 'string' },
      audience: AUDIENCE,
      story: relation('manyToOne', 'story', { inversedBy: 'chapters', required: true }),
      children: relation('oneToMany', 'child', { mappedBy: 'chapter' }),
      cards: cards(true),
      scene: { type: 'component', component: 'kit.scene', repeatable: false },
    },
    { drafts: true },
  ),
  leading(
    'child',
    {
      name: { type: 'string' },
      due: { type: 'datetime' },
      story: relation('manyToOne', 'story'),
      chapter: relation('manyToOne', 'chapter', { inversedBy: 'children' }),
      card: cards(false),
    },
    { plural: 'children' },
  ),
  leading('remark', {
    text: { type: 'string' },
    mood: { type: 'enumeration', enum: ['glad', 'calm', 'cross'] },
    secret: { type: 'string' },
    story: relation('manyToOne', 'story', { inversedBy: 'remarks' }),
    author: relation('manyToOne', 'user'),
    picture: { type: 'media', multiple: false },
  }),
  leading('menu', {
    title: { type: 'string' },
    items: { type: 'relation', relation: 'morphToMany' },
    pin: { type: 'relation', relation: 'morphToOne' },
    stories: relation('oneToMany', 'story'),
    topics: relation('manyToMany', 'topic'),
  }),
  leading(
    'board',
    { title: { type: 'string' }, audience: AUDIENCE, items: { type: 'relation', relation: 'morphToMany' } },
    { drafts: true },
  ),
  leading(
    'sheet',
    { title: { type: 'string', ...localized }, audience: { ...AUDIENCE, ...localized }, ...FILES },
    { drafts: true, localized: true },
  ),
  leading('leaflet', { title: { type: 'string' }, audience: AUDIENCE, ...FILES }),
  // No caller finds plans: what conditions see of them is the published version.
  contentType('plan', { name: { type: 'string' }, audience: AUDIENCE }, { drafts: true }),
  leading('poster', {
    title: { type: 'string' },
    plan: relation('manyToOne', 'plan'),
    card: { type: 'component', component: 'kit.slot', repeatable: false },
  }),
  contentType('vault', { title: { type: 'string' }, story: relation('manyToOne', 'story') }),
  contentType(
    'home',
    {
      headline: { type: 'string', ...localized },
      featured: relation('oneToOne', 'story'),
      card: { ...cards(false), ...localized },
    },
    { drafts: true, localized: true, single: true, plural: 'homes' },
  ),
];

const NOTICE = contentType(
  'notice',
  {
    text: { type: 'string', ...localized },
    audience: { ...AUDIENCE, ...localized },
    story: relation('oneToOne', 'story'),
  },
  { drafts: true, localized: true, single: true, plural: 'notices' },
);

export const registry = registryOf(
  [...TYPES, NOTICE],
  [pin, card, quote, scene, slot],
  {},
  {
    user: userFile({
      nickname: { type: 'string' },
      department: { type: 'string' },
      team: relation('manyToOne', 'team'),
      badge: relation('manyToOne', 'topic'),
      favorites: relation('manyToMany', 'story'),
      favorite: relation('manyToOne', 'story'),
    }),
    search: [uidOf('story')],
    indexes: { [uidOf('story')]: [['rating:desc', 'title']], [uidOf('remark')]: [['text']] },
  },
);

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

const OPEN = { open: true };
const PUBLIC = { audience: 'public' };
const OPENED = { $and: [PUBLIC, { $or: [{ opensAt: { $null: true } }, { opensAt: { $lte: '$now' } }] }] };
const OF_PUBLIC_STORY = { story: PUBLIC };
const OF_PUBLIC_PLAN = { $or: [{ plan: PUBLIC }, { card: { plan: PUBLIC } }] };
const OF_OWN_STORY = { story: { owner: '$user' } };
const OF_TEAM_STORY = { story: { team: '$user.team' } };
const OWN = { author: '$user' };
/** Through the inverse side, below `$not`, and without a value. */
const OF_PUBLIC_STORIES = { stories: PUBLIC };
const NOT_CLOSED = { $not: { audience: { $in: ['team', 'closed'] } } };
const NOT_TEAM = { $or: [{ audience: { $null: true } }, { audience: { $ne: 'closed' } }] };

const STORY_FIELDS = [
  ...['title', 'slug', 'audience', 'rating', 'body', 'opensAt', 'team', 'remarks', 'chapters', 'sequel', 'prequel'],
  ...['topics', 'card', 'parts', 'cover', 'gallery', 'publishedAt', 'locale', 'updatedAt', 'more', 'about'],
];

type Grant = string | ConditionalGrant;

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
    limited('remark', READ, { where: OF_PUBLIC_STORY, fields: ['text', 'mood', 'story', 'picture', 'more'] }),
    limited('remark', ['create'], { fields: ['text', 'mood', 'story'], validate: OF_PUBLIC_STORY }),
    limited('chapter', READ, { where: OF_PUBLIC_STORY }),
    limited('child', READ, { where: { story: { card: { grade: { $gte: 3 } } } } }),
    limited('leaflet sheet', READ, { where: PUBLIC }),
    limited('poster', READ, { where: OF_PUBLIC_PLAN }),
    ...ids('menu board', ...READ),
    ...ids('leaflet child', 'history'),
    limited('home', ['find'], { fields: ['headline', 'card'] }),
    limited('notice', ['find'], { where: PUBLIC }),
    ...files('find', 'findOne'),
  ]),
  authenticated: [
    limited('team', READ, { where: OPEN }),
    ...ids('topic', ...READ),
    limited('story', ['find'], { where: { $or: [OPENED, { owner: '$user' }, { team: '$user.team' }] } }),
    limited('story', ['findOne'], { where: { $or: [PUBLIC, { owner: '$user' }, { team: '$user.team' }] } }),
    limited('story', ['create'], { set: { owner: '$user' } }),
    limited('remark', READ, {
      where: { $or: [OWN, OF_TEAM_STORY, { story: { sequel: PUBLIC } }, { story: '$user.favorite' }] },
    }),
    limited('remark', ['create'], { set: OWN, fields: ['text', 'mood', 'story', 'picture'] }),
    limited('remark', ['update', 'delete'], { where: OWN }),
    limited('chapter', [...READ, 'update', 'delete', 'publish', 'unpublish'], { where: OF_OWN_STORY }),
    limited('child', READ, { where: { $or: [OF_OWN_STORY, { chapter: OF_TEAM_STORY }] } }),
    limited('child', ['update', 'delete'], { where: OF_OWN_STORY }),
    ...ids('child', 'create'),
    ...ids('menu', ...READ, ...WRITE),
    limited('board', READ, { where: NOT_TEAM }),
    limited('leaflet sheet', READ, { where: PUBLIC }),
    limited('poster', [...READ, 'update', 'delete'], { where: OF_PUBLIC_PLAN }),
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
    limited('story', READ, { where: { $or: [PUBLIC, { team: '$user.team' }] } }),
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
    limited('sheet leaflet', READ, { where: PUBLIC }),
    limited('poster', READ, { where: OF_PUBLIC_PLAN }),
    ...ids('sheet leaflet', ...WRITE),
    ...ids('sheet', ...PUBLISH),
    ...ids('home', 'find', 'update', ...PUBLISH),
    ...files('find', 'findOne', 'upload', 'destroy'),
    limited('notice', ['find'], { where: PUBLIC }),
    ...ids('notice', 'update', 'delete', ...PUBLISH),
    ...user('find', 'findOne', 'create', 'update', 'me'),
  ],
  writer: listing([
    limited('topic', READ, { where: OF_PUBLIC_STORIES }),
    limited('story', READ, { where: PUBLIC }),
    ...ids('story', 'create'),
    ...ids('chapter', ...READ, ...WRITE, ...PUBLISH),
    ...ids('child', ...READ, ...WRITE),
    limited('remark', READ, { where: OF_PUBLIC_STORY }),
    limited('remark', ['create', 'update'], { validate: OF_PUBLIC_STORY }),
    ...ids('menu', ...READ, ...WRITE),
    ...ids('board', ...READ, ...WRITE, ...PUBLISH),
    limited('sheet leaflet', READ, { where: PUBLIC }),
    ...ids('sheet leaflet', ...WRITE),
    ...ids('sheet', ...PUBLISH),
    ...ids('home', 'find', 'update', ...PUBLISH),
    ...files('upload', 'destroy'),
    ...user('me'),
  ]),
};

/** Grants of an API token: it has no user. */
export const PARTNER = listing([
  limited('poster', [...READ, 'delete'], { where: OF_PUBLIC_PLAN }),
  limited('story', READ, {
    where: { rating: { $gte: 4 } },
    fields: ['title', 'slug', 'rating', 'card', 'chapters', 'more'],
  }),
  limited('chapter', READ, { where: { cards: { ref: PUBLIC } } }),
  limited('child', READ, { where: { $or: [{ due: { $gte: '$now' } }, { card: { ref: { rating: { $gte: 4 } } } }] } }),
  limited('child', ['update'], { where: { due: { $gte: '$now' } }, fields: ['name', 'story'] }),
  ...ids('topic', ...READ),
  ...ids('menu', ...READ),
  limited('leaflet', READ, { where: NOT_CLOSED }),
]);

const DRAFTED = 'story sheet board';

/** Grants of a token that makes a preview, whose conditions lead to drafts that it may not read. */
export const CURATOR = listing([
  limited('story', [...READ, 'previewLink'], { where: { plan: PUBLIC } }),
  ...ids('board', ...READ),
]);

/** Grants of a token that writes drafts only. */
export const DRAFTER: readonly Grant[] = [
  ...ids('topic menu', ...READ),
  limited(`${DRAFTED} leaflet`, READ, { where: PUBLIC }),
  limited('chapter', READ, { where: OF_PUBLIC_STORY }),
  limited(`${DRAFTED} chapter`, ['create'], { status: 'draft' }),
  limited(DRAFTED, ['update', 'delete', 'discardDraft', 'restore'], { where: PUBLIC, status: 'draft' }),
  limited('chapter', ['update', 'delete', 'discardDraft', 'restore'], { where: OF_PUBLIC_STORY, status: 'draft' }),
  limited(DRAFTED, ['history'], { where: PUBLIC }),
  limited('story', ['previewLink'], { where: PUBLIC }),
  ...files('find', 'findOne'),
  { action: files('upload'), status: 'draft' } as const,
];

/** Grants of a token that reads drafts, and writes nothing. */
export const LECTOR = listing([
  ...ids('topic menu', ...READ),
  limited('story sheet board leaflet', READ, { where: PUBLIC }),
  limited('chapter remark', READ, { where: OF_PUBLIC_STORY }),
  ...ids('story chapter sheet board', 'readDrafts'),
]);

/** What the user edda lets clients do. */
export const CLIENTS = {
  clerk: { level: 'read', types: null },
  /** No children, remarks and notices, which edda reads. */
  deputy: {
    level: 'drafts',
    types: ['team', 'topic', 'story', 'chapter', 'menu', 'board', 'sheet', 'leaflet', 'poster', 'home'].map(uidOf),
  },
} as const satisfies Readonly<Record<string, Delegation>>;

/** The part of the grants of edda that a client has. */
function partOf(delegation: Delegation): readonly Grant[] {
  const { allows } = delegated(EVERYTHING, delegation);
  return ROLES.editor.flatMap((grant): readonly Grant[] => {
    if (typeof grant === 'string') return allows(grant) ? [grant] : [];
    const action = [grant.action].flat().filter(allows);
    return action.length > 0 ? [{ ...grant, action }] : [];
  });
}

export const SETTINGS = {
  ...settingsOf(registry),
  mcp: { anonymous: true },
  oauth: true,
  i18n: {
    locales: [
      { code: 'en', name: 'en', isDefault: true },
      { code: 'fr', name: 'fr', fallback: ['en'] },
      { code: 'de', name: 'de', fallback: ['fr', 'en'] },
    ],
  },
  roles: ROLES as unknown as NonNullable<SettingsInput['roles']>,
  users: { jwtExpiresIn: '400d', register: { allowedFields: ['nickname', 'team', 'favorites'] } },
  rateLimit: { auth: { enabled: false } },
  preview: {
    [uidOf('story')]: { url: 'https://site.example/{slug}?token={token}', populate: [uidOf('board'), uidOf('plan')] },
  },
  api: { rest: { deepPopulate: true, limits: { answerRows: 100 } } },
} satisfies SettingsInput;

const LISTS: Readonly<Record<string, readonly Grant[]>> = {
  public: ROLES.public,
  preview: ROLES.public,
  glimpse: ROLES.public,
  anna: ROLES.authenticated,
  nils: ROLES.authenticated,
  edda: ROLES.editor,
  wim: ROLES.writer,
  partner: PARTNER,
  drafter: DRAFTER,
  lector: LECTOR,
  clerk: partOf(CLIENTS.clerk),
  deputy: partOf(CLIENTS.deputy),
};

export const actionsOf = (caller: string): readonly string[] =>
  (LISTS[caller] ?? []).flatMap((grant) => (typeof grant === 'string' ? grant : grant.action));

/** The grant of an action on a type; undefined if the caller has none. */
export function grantOf(caller: string, action: string, uid: string): Partial<ConditionalGrant> | undefined {
  const id = `${uid}.${action}`;
  const found = LISTS[caller]?.find((grant) => (typeof grant === 'string' ? grant === id : grant.action.includes(id)));
  return typeof found === 'string' ? {} : found;
}
