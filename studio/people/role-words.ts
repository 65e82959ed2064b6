/**
 * @module What a role may do with something, in words and by kinds of actions.
 */
import { type Text, text } from '../texts/text.ts';
import { type ConditionalGrant, limitsOf } from './grant-text.ts';

type By<T> = Readonly<Record<string, T>>;

/** A role with its permissions: by plugin or type, by controller, by action. */
export interface DetailedRole {
  readonly id: number;
  /** Its name in the settings. */
  readonly type: string;
  readonly name: string;
  readonly permissions: By<{ readonly controllers: By<By<{ readonly enabled: boolean }>> }>;
  readonly conditions?: readonly ConditionalGrant[];
  /** Ids of actions that it has without a grant, since everybody has them. */
  readonly inherited?: readonly string[];
}

/** `drafts`: only what is not published. `limited`: only under conditions, or only some of several actions. */
export type Extent = 'no' | 'drafts' | 'limited' | 'yes';

export const EXTENTS: Readonly<Record<Extent, Text>> = {
  no: 'no',
  drafts: 'drafts alone',
  limited: 'limited',
  yes: 'yes',
};

export interface ActionGrant {
  /** `find` */
  readonly name: string;
  /** `api::article.article.find` */
  readonly id: string;
  readonly extent: Extent;
  /** Is it for drafts alone, under conditions or not? */
  readonly isDraftsOnly: boolean;
  /** What it is limited to, a sentence each. */
  readonly limits: readonly string[];
  /** Is it not granted, but another action does it as well? */
  readonly isImplied?: boolean;
  /** Is it not granted, but everybody has it? */
  readonly isInherited?: boolean;
}

/** What a role may do with a content type, or through a controller of a plugin. */
export interface Scope {
  readonly uid: string;
  readonly actions: readonly ActionGrant[];
}

function extentOf(isGranted: boolean, conditions: readonly ConditionalGrant[]): Extent {
  if (!isGranted) return 'no';
  if (conditions.length === 0) return 'yes';
  const isDraftsAlone = ({ where, fields, set, validate }: ConditionalGrant) =>
    [where, fields, set, validate].every((limit) => limit === undefined);
  return conditions.every(isDraftsAlone) ? 'drafts' : 'limited';
}

/** Returns everything that a role may be granted, with what it is. */
export const scopesOf = ({ permissions, conditions = [], inherited = [] }: DetailedRole): readonly Scope[] =>
  Object.entries(permissions).flatMap(([scope, { controllers }]) =>
    Object.entries(controllers).map(([controller, actions]) => {
      const uid = `${scope}.${controller}`;
      const grants = Object.entries(actions).map(([name, { enabled }]): ActionGrant => {
        const id = `${uid}.${name}`;
        const own = conditions.filter(({ action }) => action.includes(id));
        const isDraftsOnly = own.some(({ status }) => status !== undefined);
        if (inherited.includes(id))
          return { name, id, extent: 'yes', isDraftsOnly, isInherited: true, limits: [text('As everybody does.')] };
        return { name, id, extent: extentOf(enabled, own), isDraftsOnly, limits: own.flatMap(limitsOf) };
      });
      return withPublication(uid, grants);
    }),
  );

/** A write with `status=published` publishes: who may write more than drafts needs no other right to it. */
function withPublication(uid: string, actions: readonly ActionGrant[]): Scope {
  const publishes = actions.some(
    ({ name, extent, isDraftsOnly }) => ['create', 'update'].includes(name) && extent !== 'no' && !isDraftsOnly,
  );
  const isByWriting = ({ name, extent }: ActionGrant) => name === 'publish' && extent === 'no' && publishes;
  const implied = { isImplied: true, limits: [text('By creating and changing.')] };
  return { uid, actions: actions.map((action) => (isByWriting(action) ? { ...action, ...implied } : action)) };
}

/** Kinds of actions of content types. */
export const KINDS: readonly (readonly [kind: Text, actions: readonly string[]])[] = [
  ['Read', ['find', 'findOne']],
  ['Read drafts', ['readDrafts']],
  ['Write', ['create', 'update', 'discardDraft']],
  ['Publish', ['publish', 'unpublish']],
  ['Delete', ['delete']],
  ['History', ['history', 'restore']],
];

const of = ({ actions }: Scope, names: readonly string[]) => actions.filter(({ name }) => names.includes(name));

export const shownExtent = ({ extent, isImplied }: ActionGrant): Extent => (isImplied ? 'limited' : extent);

/** Returns how far one may go with these actions together; undefined where there are none. */
export function extentIn(scope: Scope, names: readonly string[]): Extent | undefined {
  const [first, ...others] = of(scope, names).map(shownExtent);
  return others.every((extent) => extent === first) ? first : 'limited';
}

interface Verb {
  readonly names: readonly string[];
  readonly plain: Text;
  /** Of drafts alone. */
  readonly drafts?: Text;
}

/** The first of each line whose actions are all there and granted is said; if only some are for drafts alone, each. */
const VERBS: readonly (readonly Verb[])[] = [
  [
    { names: ['find', 'readDrafts'], plain: 'reads, also drafts' },
    { names: ['findOne', 'readDrafts'], plain: 'reads, also drafts' },
    { names: ['find'], plain: 'reads' },
    { names: ['findOne'], plain: 'reads' },
    { names: ['readDrafts'], plain: 'reads drafts' },
    { names: ['previewLink'], plain: 'shows the page' },
  ],
  [
    { names: ['create', 'update'], plain: 'writes', drafts: 'writes drafts' },
    { names: ['create'], plain: 'creates', drafts: 'creates drafts' },
    { names: ['update'], plain: 'changes', drafts: 'changes drafts' },
    { names: ['discardDraft'], plain: 'discards drafts' },
  ],
  [
    { names: ['publish'], plain: 'publishes' },
    { names: ['unpublish'], plain: 'unpublishes' },
  ],
  [{ names: ['delete'], plain: 'deletes', drafts: 'deletes drafts' }],
  [
    { names: ['restore'], plain: 'restores versions' },
    { names: ['history'], plain: 'sees former versions' },
  ],
];

function verbsOf(scope: Scope, verbs: readonly Verb[]): readonly string[] {
  for (const { names, plain, drafts = plain } of verbs) {
    const granted = of(scope, names).filter((action) => shownExtent(action) !== 'no');
    if (granted.length < names.length) continue;
    const isOfDrafts = granted.every(({ isDraftsOnly }) => isDraftsOnly);
    if (!isOfDrafts && granted.some(({ isDraftsOnly }) => isDraftsOnly))
      return granted.flatMap((action) => verbsOf({ ...scope, actions: [action] }, verbs));
    return [text(isOfDrafts ? drafts : plain)];
  }
  return [];
}

/** Nothing includes it but its own name. */
const READ_PRIVATE = 'readPrivate';

/** Returns what a role may do with a content type: `reads, writes drafts`. */
export function wordsOf(scope: Scope): string {
  const { actions } = scope;
  const others = actions.filter(({ name }) => name !== READ_PRIVATE);
  if (actions.every(({ extent }) => extent === 'no')) return text('nothing');
  const verbs = others.every(({ extent }) => extent === 'yes')
    ? [text('everything')]
    : VERBS.flatMap((line) => verbsOf(scope, line));
  const isUnnamed = verbs.length === 0 && others.some(({ extent }) => extent !== 'no');
  return [
    ...(isUnnamed ? [countOf({ ...scope, actions: others })] : verbs),
    ...of(scope, [READ_PRIVATE]).flatMap(({ extent }) => (extent === 'no' ? [] : text('reads private attributes'))),
    ...(actions.some(({ extent }) => extent === 'limited') ? [text('under conditions')] : []),
  ].join(', ');
}

/** Returns how much a role may do through a controller. */
export function countOf({ actions }: Scope): string {
  const granted = actions.filter(({ extent }) => extent !== 'no').length;
  if (granted === 0) return text('nothing');
  if (granted === actions.length) return text('everything');
  return text('{granted} of {total}', { granted, total: actions.length });
}

/** Names of actions of content types and files. */
export const ACTION_NAMES: Readonly<Partial<Record<string, Text>>> = {
  find: 'List',
  findOne: 'Read one',
  readDrafts: 'Read drafts',
  [READ_PRIVATE]: 'Read private attributes',
  create: 'Create',
  update: 'Change',
  delete: 'Delete',
  publish: 'Publish',
  unpublish: 'Unpublish',
  discardDraft: 'Discard drafts',
  previewLink: 'Show the page',
  history: 'See former versions',
  restore: 'Restore former versions',
  upload: 'Upload',
  destroy: 'Delete',
};

/** Names of what is no content type. */
export const SCOPE_NAMES: Readonly<Partial<Record<string, Text>>> = {
  'plugin::upload.content-api': 'Files',
  'plugin::upload.folder': 'Folders',
  'plugin::i18n.locales': 'Locales',
  'plugin::users-permissions.auth': 'Sign-in and own account',
  'plugin::users-permissions.user': 'Users',
  'plugin::users-permissions.role': 'Roles',
  'plugin::users-permissions.permissions': 'Permissions',
  'plugin::content-type-builder.content-types': 'Description of content types',
  'plugin::content-type-builder.components': 'Description of components',
  'plugin::email.email': 'Messages',
};
