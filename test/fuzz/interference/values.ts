/**
 * @module Values of attributes by chance. Few words, so that what is hidden and what is searched for often meet; but unique
 * values of hidden documents are never sent, since they may be found out (docs/access.md).
 */
import fc from 'fast-check';
import { sameFor } from '../../../src/common/same-for.ts';
import type { ScalarType } from '../../../src/schema/fields.ts';
import type { ScalarAttribute } from '../../../src/schema/model.ts';
import { fittingValue, operandOf as operandFor } from '../../generators/values.ts';
import { idNamed } from './chance.ts';
import { HIDDEN } from './names.ts';

export const WORDS = ['alpha', 'beta', 'gamma', 'One', 'hidden', 'Un', 'zeta', 'concealed'] as const;
export const TIMES = ['2020-01-01T00:00:00.000Z', '2026-06-01T12:03:30.000Z', '2030-01-01T00:00:00.000Z'] as const;
const word = fc.constantFrom(...WORDS);

/** Few values each, for what is hidden and what is searched for to meet. */
const FEW: Partial<Readonly<Record<ScalarType, fc.Arbitrary<unknown>>>> = {
  ...sameFor(['string', 'text', 'richtext'], word),
  integer: fc.integer({ min: 0, max: 5 }),
  datetime: fc.constantFrom(...TIMES),
};

export function valueFor(attribute: ScalarAttribute): fc.Arbitrary<unknown> {
  if (attribute.unique) return fc.constantFrom('own-1', 'own-2', 'own-3', null);
  const fitting = fittingValue(attribute);
  return fc.oneof({ weight: 12, arbitrary: FEW[attribute.type] ?? fitting }, fitting);
}

/** An operand of a filter, as text. */
export function operandOf(attribute: ScalarAttribute): fc.Arbitrary<string> {
  if (attribute.name === 'id')
    return fc.constantFrom(
      '1',
      '2',
      '14',
      '{storyh1/en/published}',
      '{storyh2/en/draft}',
      '{story4/en/draft}',
      '{zoe}',
    );
  if (attribute.name === 'documentId')
    return fc.constantFrom(...['story1', 'story4', ...Object.values(HIDDEN).flat()].map(idNamed));
  if (attribute.unique) return fc.constantFrom('own-1', 'hidden-1', 'one', 'code-1', 'hidden-code-1', 'h', 'e');
  const few = FEW[attribute.type];
  return few && few !== word ? few.map(String) : operandFor(attribute, fc.constantFrom(...WORDS, 'h', 'e', 'a'));
}
