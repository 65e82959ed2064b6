/**
 * @module What hostile queries are made of: all attributes that may be named, and any text.
 */
import fc from 'fast-check';
import type { Attribute, Registry } from '../../src/schema/model.ts';
import type { Asking } from '../generators/queries.ts';
import { operandOf } from '../generators/values.ts';
import { hostileText } from './hostile.ts';
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
