/**
 * @module What a caller may do: a set of action ids, as roles and tokens name them.
 */
import type { Settings } from '../config.ts';
import { forbidden } from '../errors.ts';
import { ACCOUNT_ACTIONS, accountActionId } from '../registry/account-routes.ts';

export type Action = 'find' | 'findOne' | 'create' | 'update' | 'delete' | 'readDrafts';

export interface Grants {
  /** `api::article.article.find` and the like. */
  allows(actionId: string): boolean;
}

export const actionId = (uid: string, action: Action): string => `${uid}.${action}`;

const READS = /\.(find|findOne|readDrafts)$/;
export const isDraftsAction = (id: string): boolean => id.endsWith('.readDrafts');

export const EVERYTHING: Grants = { allows: () => true };
export const READ_ONLY: Grants = { allows: (id) => READS.test(id) };
export const only = (actions: Iterable<string>): Grants => {
  const set = new Set(actions);
  return { allows: (id) => set.has(id) };
};

/** The same, and drafts of every type. */
export const withDrafts = ({ allows }: Grants): Grants => ({ allows: (id) => isDraftsAction(id) || allows(id) });

/** What a freshly created Strapi grants a role. */
const defaultActions = (role: string): readonly string[] =>
  ACCOUNT_ACTIONS.filter(({ roles = [] }) => roles.some((name) => name === role)).map(({ action }) =>
    accountActionId(action),
  );

const configuredActions = ({ roles }: Settings, role: string): readonly string[] =>
  Object.hasOwn(roles, role) ? (roles[role] ?? []) : [];

/** Action ids of a role: those of the settings, and unless the settings say otherwise what a fresh Strapi grants. */
export const roleActions = (settings: Settings, role: string): readonly string[] => [
  ...new Set([...(settings.users.defaultGrants ? defaultActions(role) : []), ...configuredActions(settings, role)]),
];

/** Drafts that are open to the public are open to every role. */
function grantsIn(settings: Settings, role: string): Grants {
  const granted = only([...roleActions(settings, role), ...roleActions(settings, 'public').filter(isDraftsAction)]);
  return settings.api.rest.publicDrafts ? withDrafts(granted) : granted;
}

const grantsOf = new WeakMap<Settings, Map<string, Grants>>();

/** What a role may do; a role that the settings do not have may do nothing. */
export function roleGrants(settings: Settings, role: string): Grants {
  const roles = grantsOf.get(settings) ?? new Map<string, Grants>();
  const grants = roles.get(role) ?? grantsIn(settings, role);
  grantsOf.set(settings, roles.set(role, grants));
  return grants;
}

/** @throws ApiError 403 unless the action is granted. */
export function refuseUnless({ allows }: Grants, id: string): void {
  if (!allows(id)) throw forbidden();
}
