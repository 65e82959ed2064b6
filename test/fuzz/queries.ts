/**
 * @module What hostile queries are made of: all attributes that may be named, and any text; and those that ask for what is
 * hidden.
 */
import fc from 'fast-check';
import type { Attribute, ContentType, Registry } from '../../src/schema/model.ts';
import { hostileText } from '../generators/hostile.ts';
import { type Asking, fieldsOn, filtersOn, populateOn, searchOf, sortOn } from '../generators/queries.ts';
import { operandOf } from '../generators/values.ts';
import { GUESSES } from './invariants.ts';

const word = fc.oneof(fc.constantFrom('a', 'Zed', 'Secretive', 'é', '%', '', ...GUESSES), hostileText);

const isOpen = (attribute: Attribute): boolean =>
  !attribute.private && attribute.kind !== 'creator' && !(attribute.kind === 'scalar' && attribute.type === 'password');

export const askingOf = (registry: Registry): Asking => ({
  registry,
  namedIn: ({ attributes }) => [...attributes.values()].filter(isOpen),
  operandOf: (attribute) => operandOf(attribute, word),
  word,
});

const isSecret = (attribute: Attribute): boolean =>
  attribute.kind === 'scalar' && (attribute.private || attribute.type === 'password');

/** The secrets of a type or component, and what leads on to others. */
function namedInProbe({ attributes }: { readonly attributes: ContentType['attributes'] }): readonly Attribute[] {
  const all = [...attributes.values()].filter(({ kind }) => kind !== 'creator');
  const secrets = all.filter(isSecret);
  return secrets.length > 0 ? all.filter(({ kind }) => kind !== 'scalar').concat(secrets) : all;
}

/** A query string that names what is hidden. One parameter each: an error of another would hide what it does. */
export function probeOf(type: ContentType, registry: Registry): fc.Arbitrary<string> {
  const guess = fc.constantFrom(...GUESSES);
  const asking = { registry, namedIn: namedInProbe, operandOf: () => guess, word: guess };
  const size = { depth: 4, width: 1, list: 2 };
  const one = fc.oneof(
    filtersOn(type, asking, size).map((filters) => ({ filters })),
    sortOn(type, asking, size).map((sort) => ({ sort })),
    fieldsOn(type, asking).map((fields) => ({ fields })),
    {
      weight: 3,
      arbitrary: fc.record({ populate: populateOn(type, asking, size), _q: guess }, { requiredKeys: ['populate'] }),
    },
  );
  return fc
    .tuple(one, fc.constantFrom('', '', '&status=draft', '&status='))
    .map(([query, status]) => searchOf(query) + status);
}
