/**
 * @module `fields` → the scalars that a response shows.
 */
import { memoized } from '../../cache.ts';
import { isHidden, type ScalarAttribute } from '../../registry/model.ts';
import { type Fields, malformedFields } from '../../request/fields.ts';
import { identityOf, invalidKey, type Source } from '../model/resolve.ts';
import type { NameScope } from './name-scope.ts';

const visibleScalars = memoized(
  (attributes: NameScope['attributes']): readonly ScalarAttribute[] =>
    [...attributes.values()].filter((attribute) => attribute.kind === 'scalar').filter((each) => !isHidden(each)),
  new WeakMap(),
);

export const shownScalars = ({ attributes }: NameScope): readonly ScalarAttribute[] => visibleScalars(attributes);

/** Returns undefined for `id` and `documentId`. @throws ApiError 400 "Invalid key" for a name that is not a scalar */
function scalarNamed(name: string, scope: NameScope, source: Source): ScalarAttribute | undefined {
  if (identityOf(name)) return undefined;
  const attribute = scope.attributes.get(name);
  if (attribute?.kind !== 'scalar') throw invalidKey(name, attribute ? name : null, source);
  return attribute;
}

/**
 * Resolves `fields`; absent, returns every visible scalar.
 * @throws ApiError 400 "Invalid key", and for several names in an item of a list
 */
export function planFields(fields: Fields | undefined, scope: NameScope, source: Source): readonly ScalarAttribute[] {
  if (!fields) return shownScalars(scope);
  const named = fields.names.map((name) => {
    const attribute = scalarNamed(name, scope, source);
    if (attribute && isHidden(attribute) && !fields.crowded) throw invalidKey(name, name, source);
    return attribute;
  });
  if (fields.crowded) throw malformedFields();
  return fields.everything ? shownScalars(scope) : named.filter((attribute) => attribute !== undefined);
}
