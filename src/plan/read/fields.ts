/**
 * @module `fields` → the scalars that are shown.
 */
import { isHidden, type ScalarAttribute } from '../../registry/model.ts';
import { type Fields, malformedFields } from '../../request/fields.ts';
import { identityOf, invalidKey, type Source } from '../model/resolve.ts';
import type { NameScope } from './name-scope.ts';

const known = new WeakMap<NameScope['attributes'], readonly ScalarAttribute[]>();

/** Every scalar that an answer may show: the same list each time. */
export function shownScalars({ attributes }: NameScope): readonly ScalarAttribute[] {
  const shown =
    known.get(attributes) ??
    [...attributes.values()].filter(
      (attribute): attribute is ScalarAttribute => attribute.kind === 'scalar' && !isHidden(attribute),
    );
  known.set(attributes, shown);
  return shown;
}

/** @throws ApiError 400 "Invalid key" for what is no scalar. */
function scalarNamed(name: string, scope: NameScope, source: Source): ScalarAttribute | undefined {
  if (identityOf(name)) return undefined;
  const attribute = scope.attributes.get(name);
  if (!attribute) throw invalidKey(name, null, source);
  if (attribute.kind !== 'scalar') throw invalidKey(name, name, source);
  return attribute;
}

function shownScalar(name: string, scope: NameScope, source: Source): ScalarAttribute | undefined {
  const attribute = scalarNamed(name, scope, source);
  if (attribute && isHidden(attribute)) throw invalidKey(name, name, source);
  return attribute;
}

/** `fields`, resolved; without it all that may be shown. @throws ApiError 400 "Invalid key", or for several names in one. */
export function planFields(fields: Fields | undefined, scope: NameScope, source: Source): readonly ScalarAttribute[] {
  if (!fields) return shownScalars(scope);
  if (fields.crowded) {
    for (const name of fields.names) scalarNamed(name, scope, source);
    throw malformedFields();
  }
  const named = fields.names.map((name) => shownScalar(name, scope, source));
  return fields.everything ? shownScalars(scope) : named.filter((attribute) => attribute !== undefined);
}
