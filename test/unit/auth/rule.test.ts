/**
 * @module What several grants of one action have in common.
 */
import { expect, it } from 'vitest';
import { commonPart, type Grant, limitingGrants, rulesOf } from '../../../src/access/rule.ts';

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

it('limits only the actions that no other grant gives all the same', () => {
  const fields = ['text'];
  const other = 'api::note.note.findOne';
  const limited = { action: [ACTION, other], where, fields };
  expect(limitingGrants([limited])).toEqual([limited]);
  expect(limitingGrants([limited, ACTION])).toEqual([{ action: [other], where, fields }]);
  expect(limitingGrants([limited, { action: [ACTION, other] }])).toEqual([]);
  expect(limitingGrants([limited, { action: ACTION, fields }])).toEqual([
    { action: [other], where, fields },
    { action: [ACTION], fields },
  ]);
});

it('has the parts of its grants', () => {
  const parts = { set: { author: '$user' }, validate: { text: 'open' }, status: 'draft' as const };
  expect(ruleOf({ action: ACTION, ...parts })).toMatchObject(parts);
  expect(Object.keys(ruleOf({ action: ACTION, where }) ?? {}).toSorted()).toEqual(['caller', 'key', 'where']);
});

const PARTS: readonly Omit<Exclude<Grant, string>, 'action'>[] = [
  { where: { text: 'open' } },
  { where: { text: 'closed' } },
  { fields: ['text'] },
  { fields: ['text', 'author'] },
  { set: { text: 'open' } },
  { set: { text: 'closed' } },
  { validate: { text: 'open' } },
  { validate: { text: 'closed' } },
  { status: 'draft' },
];

it('has a key of its own with each part', () => {
  const keys = PARTS.map((part) => ruleOf({ action: ACTION, ...part })?.key);
  expect(new Set(keys).size).toBe(PARTS.length);
});

it('has the same key for other users unless it names the user', () => {
  const keysOf = (filter: Record<string, unknown>) =>
    [1, 2, undefined].map((user) => rulesOf([{ action: ACTION, where: filter }])?.({ user, now: 0 })(ACTION)?.key);
  expect(new Set(keysOf({ text: 'open' })).size).toBe(1);
  for (const named of [{ author: '$user' }, { text: '$user.department' }]) expect(new Set(keysOf(named)).size).toBe(3);
});

it('grants of an action have all but their filters in common', () => {
  const alike = [{}, { where }, { where: { text: 'x' } }].map(commonPart);
  const others = PARTS.filter((part) => !part.where).map(commonPart);
  expect(new Set([...alike, ...others]).size).toBe(1 + others.length);
  expect(commonPart({ fields: ['b', 'a'] })).toBe(commonPart({ fields: ['a', 'b'] }));
});

it('reads each grant a few times, however many actions it names', () => {
  const actions = Array.from({ length: 500 }, (_, index) => `api::note-${index}.note-${index}.find`);
  let reads = 0;
  const grants = [1, 2].map((rank) => ({
    get action() {
      reads += 1;
      return actions;
    },
    where: { rank },
  }));
  expect(rulesOf(grants)?.({ user: 1, now: 0 })('api::note-499.note-499.find')?.where).toEqual([
    { rank: 1 },
    { rank: 2 },
  ]);
  expect(reads).toBeLessThan(10);
});
