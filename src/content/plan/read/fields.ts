/**
 * @module `fields` → the scalars that a response shows.
 */

import { BoundedCache, memoized } from '../../../common/cache.ts';
import { invalidKey, type NameSource } from '../../../common/errors.ts';
import { isHidden, isScalar } from '../../../schema/attribute-kinds.ts';
import type { ScalarAttribute } from '../../../schema/model.ts';
import { type Fields, malformedFields } from '../../request/fields.ts';
import { identityOf } from '../model/resolve.ts';
import type { NameScope } from './name-scope.ts';

const visibleScalars = memoized(
  (attributes: NameScope['attributes']): readonly ScalarAttribute[] =>
    [...attributes.values()].filter(isScalar).filter((each) => !isHidden(each)),
  new WeakMap(),
);

export const shownScalars = ({ attributes }: NameScope): readonly ScalarAttribute[] => visibleScalars(attributes);

const namedLists = memoized(
  (_: NameScope['attributes']) => new BoundedCache<string, readonly ScalarAttribute[]>(100),
  new WeakMap(),
);

/** Returns one list for the same names: pieces of SQL and shapes of documents are kept by list. */
function sharedList(list: readonly ScalarAttribute[], { attributes }: NameScope): readonly ScalarAttribute[] {
  const lists = namedLists(attributes);
  const key = list.map(({ name }) => name).join();
  const shared = lists.get(key) ?? list;
  lists.set(key, shared);
  return shared;
}

/** Returns undefined for `id` and `documentId`. @throws ApiError 400 "Invalid key" for a name that is not a scalar */
function scalarNamed(name: string, scope: NameScope, source: NameSource): ScalarAttribute | undefined {
  if (identityOf(name)) return undefined;
  const attribute = scope.attributes.get(name);
  if (!isScalar(attribute)) throw invalidKey(name, attribute ? name : null, source);
  return attribute;
}

/**
 * Resolves `fields`; absent, returns every visible scalar.
 * @throws ApiError 400 "Invalid key", and for several names in an item of a list
 */
export function planFields(
  fields: Fields | undefined,
  scope: NameScope,
  source: NameSource,
): readonly ScalarAttribute[] {
  if (!fields) return shownScalars(scope);
  const named = fields.names.map((name) => {
    const attribute = scalarNamed(name, scope, source);
    if (attribute && isHidden(attribute) && !fields.hasCommaInItem) throw invalidKey(name, name, source);
    return attribute;
  });
  if (fields.hasCommaInItem) throw malformedFields();
  if (fields.everything) return shownScalars(scope);
  return sharedList(
    named.filter((attribute) => attribute !== undefined),
    scope,
  );
}
