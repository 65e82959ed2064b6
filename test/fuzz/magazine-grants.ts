/**
 * @module The grants of callers in the world of hostile requests: everybody finds most types, and of comments and issues
 * those whose text has no mark. By it a hidden document stays hidden, whatever else is written to it.
 */
import type { Grant } from '../generators/callers.ts';
import { conditionsFrom } from '../generators/conditions.ts';
import { FORBIDDEN, SHOWN } from './invariants.ts';
import { seed } from './options.ts';

const TYPES = ['article', 'author', 'category', 'tag', 'homepage', 'site-setting'];

const ids = (names: readonly string[], ...actions: readonly string[]): string[] =>
  names.flatMap((name) => actions.map((action) => `api::${name}.${name}.${action}`));
const granted = (...actions: readonly string[]): string[] => ids(TYPES, ...actions);
const files = (...actions: readonly string[]) => actions.map((action) => `plugin::upload.content-api.${action}`);
const users = (...actions: readonly string[]) => actions.map((action) => `plugin::users-permissions.user.${action}`);

const READ = ['find', 'findOne'] as const;
const PUBLISH = ['publish', 'unpublish', 'discardDraft'] as const;
const DRAFTED = ['article', 'homepage'];

const condition = conditionsFrom(seed);
/** Comments and issues without the mark, each time by another operator. */
const shown = (...actions: readonly string[]): Grant[] =>
  Object.entries({ comment: 'text', issue: 'title' }).map(([name, attribute]) => ({
    action: ids([name], ...actions),
    where: condition({ attribute, shown: SHOWN, hidden: [FORBIDDEN] }),
  }));

export const ROLES = {
  public: [...granted(...READ), ...shown(...READ), ...files(...READ)],
  authenticated: [
    ...granted(...READ, 'create', 'update'),
    ...shown(...READ, 'update'),
    ...users(...READ, 'count', 'me'),
    ...files(...READ, 'upload'),
  ],
  editor: [
    ...granted(...READ, 'create', 'update', 'delete', 'history', 'restore'),
    ...ids(DRAFTED, ...PUBLISH, 'readDrafts', 'previewLink'),
    ...shown(...READ, 'update', 'delete', 'history', 'restore'),
    ...ids(['issue', 'comment'], 'create'),
    ...files(...READ, 'upload', 'destroy'),
    ...users('me'),
  ],
  writer: [...granted(...READ, 'create', 'update'), ...shown(...READ, 'delete'), ...files('upload'), ...users('me')],
} satisfies Readonly<Record<string, readonly Grant[]>>;

export const PARTNER: readonly Grant[] = [
  ...granted(...READ, 'create'),
  ...shown(...READ, 'history', 'restore'),
  ...users('find'),
];
/** Writes drafts only. */
export const DRAFTER: readonly Grant[] = [
  ...granted(...READ),
  ...shown(...READ, 'history'),
  { action: ids([...DRAFTED, 'issue'], 'update', 'delete', 'discardDraft', 'restore'), status: 'draft' },
];
export const LECTOR: readonly Grant[] = [...granted(...READ), ...shown(...READ)];
/** Makes previews. */
export const CURATOR: readonly Grant[] = [
  ...granted(...READ, 'update', 'history', 'restore', 'previewLink'),
  ...shown(...READ),
];
