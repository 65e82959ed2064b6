/**
 * @module Attributes of another type, and attributes that go.
 */
import type { Owner } from '../../generators/models.ts';
import { without } from '../seen.ts';
import { MIGRATE, mapValues, type NewStep, ofChain, withoutKey } from './step.ts';

/** What a value becomes, by the types of its attribute before and after. */
const CONVERSIONS: readonly (readonly [from: string, to: string, change: (value: unknown) => unknown])[] = [
  ['string', 'text', (value) => value],
  ['integer', 'string', String],
  ['integer', 'biginteger', String],
  ['biginteger', 'text', (value) => value],
  ['boolean', 'string', String],
  ['boolean', 'integer', Number],
  ['datetime', 'string', (value) => value],
  ['string', 'json', (value) => value],
];

export const retype: NewStep = (model, dice) => {
  const owner = ofChain<Owner>([...model.types, ...model.parts], dice);
  const [from, to, change] = ofChain(CONVERSIONS, dice);
  const found = [...owner.attributes].find(([, { type }]) => type === from);
  if (!found) return undefined;
  const [name] = found;
  owner.attributes.set(name, { type: to });
  return {
    title: `make ${owner.name}.${name}, ${from}, ${to}`,
    lines: ['generate', MIGRATE],
    isMigration: true,
    isBesideWriter: true,
    expected: (before) => mapValues(before, name, (value) => (value === null ? null : change(value))),
  };
};

export const removeAttribute: NewStep = (model, dice) => {
  const owner = ofChain<Owner>([...model.types, ...model.parts], dice);
  const found = [...owner.attributes].find(([, { type }]) => type === 'integer' || type === 'json');
  if (!found) return undefined;
  const [name] = found;
  owner.attributes.delete(name);
  return {
    title: `remove ${owner.name}.${name}`,
    lines: ['generate --allow-drop', MIGRATE],
    expected(before) {
      const others = withoutKey(before, name);
      // A grant whose condition names it gives nothing from now on.
      return before.tokens?.includes(name) ? { ...without(others, 'rights'), tokens: before.tokens } : others;
    },
  };
};
