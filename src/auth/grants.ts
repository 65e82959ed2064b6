/**
 * @module What a caller may do: a set of action ids, as roles and tokens name them.
 */
import type { Settings } from '../config.ts';

export type Action = 'find' | 'findOne' | 'create' | 'update' | 'delete';

export interface Grants {
  /** `api::article.article.find` and the like. */
  allows(actionId: string): boolean;
}

export const actionId = (uid: string, action: Action): string => `${uid}.${action}`;

const READS = /\.(find|findOne)$/;

export const EVERYTHING: Grants = { allows: () => true };
export const READ_ONLY: Grants = { allows: (id) => READS.test(id) };
export const only = (actions: Iterable<string>): Grants => {
  const set = new Set(actions);
  return { allows: (id) => set.has(id) };
};

/** What a role of the settings may do; a role that is not named there may do nothing. */
export const roleGrants = (settings: Settings, role: string): Grants =>
  only(Object.hasOwn(settings.roles, role) ? (settings.roles[role] ?? []) : []);
