/**
 * @module Bodies that fit a content type most of the time, so that writes get as far as the database.
 */
import fc from 'fast-check';
import type { ContentType, Registry, ScalarAttribute } from '../../src/schema/model.ts';
import { type Data, dataWith, type Making, targetNamed } from '../generators/bodies.ts';
import { hostileText } from '../generators/hostile.ts';
import { fittingValue, wrongOf } from '../generators/values.ts';
import type { IdsOf } from './subject.ts';

const anyValue = (attribute: ScalarAttribute): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 10, arbitrary: fittingValue(attribute) },
    { weight: 2, arbitrary: hostileText },
    { weight: 1, arbitrary: fc.constantFrom(null, ...wrongOf(attribute)) },
  );

/** @param idsOf names of documents of a type */
const makingWith = (registry: Registry, idsOf: IdsOf): Making => ({
  registry,
  // Private attributes are left as they are.
  isSent: (attribute) => !attribute.private,
  valueOf: anyValue,
  targetOf: (uid) =>
    fc
      .oneof(
        { weight: 8, arbitrary: fc.constantFrom(...idsOf(uid ?? '')) },
        fc.constantFrom<unknown>('nope', 999, null),
      )
      .chain((id) => targetNamed(id)),
  instance: fc.constant(undefined),
  most: 8,
});

/** The `data` of a write to a type. */
export const dataOn = ({ attributes }: ContentType, registry: Registry, idsOf: IdsOf): fc.Arbitrary<Data> =>
  dataWith(attributes, makingWith(registry, idsOf));
