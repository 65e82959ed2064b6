/**
 * @module Grants: the action ids that a caller may use.
 */

import { memoized } from '../common/cache.ts';
import { forbidden, lacksPermission } from '../common/errors.ts';
import { ACCOUNT_ACTIONS, accountActionId } from '../schema/account-routes.ts';
import type { Registry } from '../schema/model.ts';
import { DOCUMENT_ACTIONS, type DocumentAction } from '../schema/publication.ts';
import type { Settings } from '../schema/settings/config.ts';
import { canBeDraft, isPrivateAction } from './actions.ts';
import { actionsOf, type Grant, limitingGrants, type Rule, type RuleCaller, type RuleOf, rulesOf } from './rule.ts';

export type Action =
  | 'find'
  | 'findOne'
  | 'create'
  | 'update'
  | 'delete'
  | 'readDrafts'
  | 'readPrivate'
  | 'history'
  | DocumentAction;

export interface Grants {
  /** `api::article.article.find` and the like. */
  allows(actionId: string): boolean;
  /** Returns what a granted action is limited to; absent if no action is. */
  readonly rule?: RuleOf | undefined;
  /** The uid of the type of which the caller has the preview of a document. */
  readonly previewed?: string | undefined;
  /** Returns the role of the caller; absent, or undefined, for callers without one, such as API tokens. */
  readonly role?: (() => string | undefined) | undefined;
}

export const actionId = (uid: string, action: Action): string => `${uid}.${action}`;

/** Returns the id of a read of requested documents. A preview grants its document, and not others that relations lead to. */
export const readId = ({ previewed }: Pick<Grants, 'previewed'>, uid: string, action: 'find' | 'findOne'): string =>
  previewed === uid ? `preview ${uid}` : actionId(uid, action);

/** Returns the id of showing the drafts of a type. A preview shows some that its conditions do not follow. */
export const draftsId = ({ previewed }: Grants, uid: string): string =>
  previewed === undefined ? actionId(uid, 'readDrafts') : `preview ${actionId(uid, 'readDrafts')}`;

/** Returns the id of an action of the maker of a preview, which the conditions on its document ask for. */
export const makerId = (id: string): string => `maker ${id}`;

const READS = /\.(find|findOne|readDrafts)$/;
export const isDraftsAction = (id: string): boolean => id.endsWith('.readDrafts');
/** The ids of the reads of the type whose drafts an action is about. */
const readsOf = (draftsAction: string): readonly string[] =>
  ['find', 'findOne'].map((read) => draftsAction.replace(/readDrafts$/, read));

/** Do grants of a read of a type include its drafts? */
export const readsWithDrafts = (id: string, allows: Grants['allows']): boolean =>
  isDraftsAction(id) && readsOf(id).some(allows);
const OWN_CONTENT_ACTIONS: readonly string[] = [...DOCUMENT_ACTIONS, 'history'];
const OWN_PLUGIN_ACTIONS =
  /^plugin::(users-permissions\.(user\.(updateMe|invite|getSessions|revokeSession)|identity\.\w+)|upload\.folder\.\w+)$/;
/** Does Strapi lack the action? */
export const isOwnAction = (id: string): boolean =>
  isDraftsAction(id) ||
  isPrivateAction(id) ||
  OWN_PLUGIN_ACTIONS.test(id) ||
  OWN_CONTENT_ACTIONS.some((action) => id.startsWith('api::') && id.endsWith(`.${action}`));

/** All that a caller may be granted, with private attributes. */
export const ASSUMED: Grants = { allows: () => true };
export const EVERYTHING: Grants = { allows: (id) => !isPrivateAction(id) };
export const READ_ONLY: Grants = { allows: (id) => READS.test(id) };
export const only = (actions: Iterable<string>): Grants => {
  const set = new Set(actions);
  return { allows: (id) => set.has(id) };
};

export const AGENT_READS =
  /^(api::.*\.(find|findOne|readDrafts|previewLink|history)|plugin::(upload\.content-api\.(find|findOne)|i18n\.locales\.listLocales))$/;
export const AGENT_WRITES =
  /^(api::.*\.(create|update|delete|discardDraft|restore)|plugin::upload\.content-api\.upload)$/;
export const DRAFTS_ONLY: Rule = { key: 'drafts only', caller: { user: undefined, now: 0 }, status: 'draft' };

/** Reads content and files, and writes drafts and new files, of types that are added later, too. */
export const AGENT: Grants = {
  allows: (id) => AGENT_READS.test(id) || AGENT_WRITES.test(id),
  rule: (id) => (AGENT_WRITES.test(id) ? DRAFTS_ONLY : undefined),
};

/** Adds the drafts of the types that may be read. */
export const withDrafts = ({ allows }: Grants): Grants => ({
  allows: (id) => allows(id) || readsWithDrafts(id, allows),
});

/** The action ids that a fresh Strapi grants a role. */
const defaultActions = (role: string): readonly string[] =>
  ACCOUNT_ACTIONS.filter(({ roles }) => roles?.some((name) => name === role)).map(({ action }) =>
    accountActionId(action),
  );

const grantsOf = ({ roles }: Pick<Settings, 'roles'>, role: string): readonly Grant[] =>
  Object.hasOwn(roles, role) ? (roles[role] ?? []) : [];

/** The grants of a role that limit it. */
export const conditionalGrants = (settings: Settings, role: string): readonly Grant[] =>
  limitingGrants(grantsOf(settings, role));

/** The action ids of a role: those of the settings and, unless disabled there, those that a fresh Strapi grants. */
export function roleActions({ roles, users }: Settings, role: string): readonly string[] {
  const configured = grantsOf({ roles }, role).flatMap(actionsOf);
  return [...new Set([...(users.defaultGrants ? defaultActions(role) : []), ...configured])];
}

/** Drafts that the public may read are readable for every role. */
function grantsIn(settings: Settings, role: string): (caller: RuleCaller) => Grants {
  const drafts = roleActions(settings, 'public').filter(isDraftsAction);
  const granted = only([...roleActions(settings, role), ...drafts]);
  const grants = { ...(settings.api.rest.publicDrafts ? withDrafts(granted) : granted), role: () => role };
  const rules = rulesOf(grantsOf(settings, role));
  return (caller) => (rules ? { ...grants, rule: rules(caller) } : grants);
}

const grantsBySettings = memoized(
  (settings: Settings) => memoized((role: string) => grantsIn(settings, role)),
  new WeakMap(),
);

/** A caller without an account. The time matters only where a rule is applied. */
const NO_ACCOUNT: RuleCaller = { user: undefined, now: 0 };

/** The grants of a role; a role that the settings lack has none. */
export const roleGrants = (settings: Settings, role: string, caller: RuleCaller = NO_ACCOUNT): Grants =>
  grantsBySettings(settings)(role)(caller);

const FIND_FILES = ['find', 'findOne'].map((action) => `plugin::upload.content-api.${action}`);

/** May the caller find files, so that it reads private ones? */
export const mayFindFiles = ({ allows }: Grants): boolean => FIND_FILES.some((id) => allows(id));

/** Returns the rule of an action; undefined if it is not limited, or not granted. */
export const ruleOf = ({ rule }: Grants, uid: string, action: Action): Rule | undefined =>
  rule?.(actionId(uid, action));

/** May an upload attach its files to documents of a type? A rule would have to be checked against the rows: then only bodies attach. */
export const mayAttachFiles = (grants: Grants, uid: string): boolean =>
  grants.allows(actionId(uid, 'update')) && !ruleOf(grants, uid, 'update');

/** Is an action limited to drafts? */
export const isDraftsOnly = ({ rule }: Grants, id: string): boolean => rule?.(id)?.status === 'draft';

/** Returns the grants without those that are limited to drafts where there can be none. */
export const effective = (grants: Grants, registry: Registry): Grants => ({
  ...grants,
  allows: (id) => grants.allows(id) && (!isDraftsOnly(grants, id) || canBeDraft(id, registry)),
});

/** @throws ApiError 403 unless it is true. */
export function forbiddenUnless(isGranted: boolean): void {
  if (!isGranted) throw forbidden();
}

/** @throws ApiError 403 unless the action is granted. */
export function requireGrant({ allows }: Grants, id: string): void {
  if (!allows(id)) throw lacksPermission(id);
}
