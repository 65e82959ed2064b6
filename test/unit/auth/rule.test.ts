/**
 * @module What several grants of one action have in common.
 */
import { expect, it } from 'vitest';
import { type Grant, rulesOf } from '../../../src/auth/rule.ts';

const ACTION = 'api::note.note.find';
const where = { author: '$user' };
const ruleOf = (...grants: readonly Grant[]) => rulesOf(grants)?.({ user: 1, now: 0 })(ACTION);

it('grants of an action are alternatives, so one without a filter shows every document', () => {
  const fields = ['text'];
  expect(ruleOf({ action: ACTION, where, fields })?.where).toEqual([where]);
  expect(ruleOf({ action: ACTION, where, fields }, { action: ACTION, where: { text: 'open' }, fields })?.where).toEqual(
    [where, { text: 'open' }],
  );
  const both = ruleOf({ action: ACTION, where, fields }, { action: ACTION, fields });
  expect(both?.where).toBeUndefined();
  expect(both?.fields).toEqual(new Set(fields));
});

it('one without conditions limits nothing', () => {
  expect(ruleOf({ action: ACTION, where, fields: ['text'] }, ACTION)).toBeUndefined();
});
