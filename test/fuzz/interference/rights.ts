/**
 * @module What the callers of the non-interference test may do, and what is hidden from them: all follows from their grants.
 */

import type { ConditionalGrant } from '../../../src/schema/settings/grant-setting.ts';
import { FILE_UID } from '../../../src/schema/system-types.ts';
import { callersOf, grantsOf, kindOf } from '../callers.ts';
import { uidOf } from './model.ts';
import { PREVIEWED_TYPES } from './settings.ts';

export const CALLERS = callersOf('interference');

export const actionsOf = (caller: string): readonly string[] =>
  grantsOf('interference', caller).flatMap((grant) => (typeof grant === 'string' ? grant : grant.action));

/** The grant of an action on a type; undefined if the caller has none. */
export function grantOf(caller: string, action: string, uid: string): Partial<ConditionalGrant> | undefined {
  const id = uid === FILE_UID ? `plugin::upload.content-api.${action}` : `${uid}.${action}`;
  const found = grantsOf('interference', caller).find((grant) =>
    typeof grant === 'string' ? grant === id : grant.action.includes(id),
  );
  return typeof found === 'string' ? {} : found;
}

/** The callers without such a right. */
const without = (has: (caller: string) => boolean): readonly string[] => CALLERS.filter((caller) => !has(caller));

/** Does a caller find all documents of a type? */
export const seesAll = (caller: string, type: string): boolean => {
  const grant = grantOf(caller, 'find', uidOf(type));
  return grant !== undefined && grant.where === undefined;
};

/** Callers from whom the hidden documents of a type are hidden. */
export const hiddenFrom = (type: string): readonly string[] => without((caller) => seesAll(caller, type));

/** Callers who may not find any of these types. */
export const withoutFind = (...uids: readonly string[]): readonly string[] =>
  without((caller) => uids.some((uid) => grantOf(caller, 'find', uid)));

/** Callers to whom no document of a type shows an attribute. */
export const withoutAttribute = (type: string, name: string): readonly string[] =>
  without((caller) => {
    const grant = grantOf(caller, 'find', uidOf(type));
    return grant !== undefined && (grant.fields?.includes(name) ?? true);
  });

/** API tokens read the drafts of what they find, and previews those of some types. */
export function readsDrafts(caller: string, type: string): boolean {
  const uid = uidOf(type);
  const kind = kindOf(caller);
  const isShown = kind === 'token' || (kind === 'preview' && PREVIEWED_TYPES.includes(uid));
  return grantOf(caller, 'find', uid) !== undefined && (isShown || grantOf(caller, 'readDrafts', uid) !== undefined);
}

/** Callers who may neither write nor read the drafts of a type: the response to a write shows what is written. */
export const withoutDrafts = (type: string): readonly string[] =>
  without((caller) => readsDrafts(caller, type) || grantOf(caller, 'update', uidOf(type)) !== undefined);

/** Callers who read drafts of a type, and write nothing. */
export const draftReaders = (type: string): readonly string[] =>
  CALLERS.filter((caller) => {
    const isWrite = (action: string) => /\.(create|update|delete|restore|publish|unpublish|discardDraft)$/.test(action);
    return readsDrafts(caller, type) && !actionsOf(caller).some(isWrite);
  });
