/**
 * @module Callers with the same permission trace share what is cached.
 */
import { describe, expect, it } from 'vitest';
import { EVERYTHING, type Grants, roleGrants } from '../../../src/access/grants.ts';
import { agree, traced } from '../../../src/access/permission-trace.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const FIND = 'api::note.note.find';
const settings = parseSettings({ roles: { editor: [FIND], twin: [FIND] } });
const [editor, twin] = [roleGrants(settings, 'editor'), roleGrants(settings, 'twin')];

const UPDATE = 'api::note.note.update';
const own = { action: FIND, where: { text: 'open' } };
const limited = parseSettings({
  roles: { author: [own, UPDATE], same: [own, UPDATE], other: [{ ...own, where: { text: 'x' } }, UPDATE], less: [own] },
});
const [author, same, other, less] = ['author', 'same', 'other', 'less'].map((role) => roleGrants(limited, role)) as [
  Grants,
  Grants,
  Grants,
  Grants,
];

/** The trace of a caller of whom actions were asked. */
function traceOf(caller: Grants, ...ids: readonly string[]) {
  const { grants, trace } = traced(caller);
  for (const id of ids) grants.allows(id);
  return trace();
}

describe('a permission trace', () => {
  it('is that of every role with the same rights, unless the role was queried', () => {
    const { grants, trace } = traced(editor);
    expect(grants.allows(FIND)).toBe(true);
    expect([agree(editor, trace()), agree(twin, trace()), agree(EVERYTHING, trace())]).toEqual([true, true, true]);
    expect(grants.role?.()).toBe('editor');
    expect([agree(editor, trace()), agree(twin, trace()), agree(EVERYTHING, trace())]).toEqual([true, false, false]);
  });

  it('tells a caller without a role from those with one', () => {
    const { grants, trace } = traced(EVERYTHING);
    expect(grants.role?.()).toBeUndefined();
    expect([agree(EVERYTHING, trace()), agree(editor, trace())]).toEqual([true, false]);
  });

  it('has ids of actions alone', () => {
    expect(editor.allows('role editor')).toBe(false);
  });
});

describe('the trace of a caller with limits', () => {
  it('has the actions, and the limits of the granted ones', () => {
    const { granted, denied, rules } = traceOf(author, UPDATE, FIND, 'api::note.note.delete');
    expect([granted, denied]).toEqual([[UPDATE, FIND], ['api::note.note.delete']]);
    expect(rules).toEqual([
      [UPDATE, ''],
      [FIND, author.rule?.(FIND)?.key],
    ]);
    expect(traceOf(editor, FIND)).not.toHaveProperty('rules');
  });

  it.each<[string, readonly string[], Grants, boolean]>([
    ['has the same limits', [FIND, UPDATE], same, true],
    ['has other limits', [FIND], other, false],
    ['has other limits of what was not asked', [UPDATE], other, true],
    ['has no limits', [FIND], editor, false],
    ['lacks a granted action', [FIND, UPDATE], less, false],
    ['lacks what was not asked', [FIND], less, true],
  ])('is that of a caller who %s, of %j', (_, ids, caller, isSame) => {
    expect(agree(caller, traceOf(author, ...ids))).toBe(isSame);
  });

  it('is not that of a caller who has a denied action', () => {
    expect([agree(less, traceOf(less, UPDATE)), agree(same, traceOf(less, UPDATE))]).toEqual([true, false]);
  });

  it('is none that a caller without limits leaves, of whom less is asked', () => {
    expect([agree(EVERYTHING, traceOf(EVERYTHING, UPDATE)), agree(author, traceOf(EVERYTHING, UPDATE))]).toEqual([
      true,
      false,
    ]);
  });

  it('notes an action whose limits are asked, which has none if it is denied', () => {
    const { grants, trace } = traced({ ...author, allows: (id) => id === FIND });
    expect([grants.rule?.(FIND), grants.rule?.(UPDATE)]).toEqual([author.rule?.(FIND), undefined]);
    expect(trace()).toMatchObject({ granted: [FIND], denied: [UPDATE] });
    expect(traced({ ...author, allows: () => false }).grants.rule?.(FIND)).toBeUndefined();
    expect(traced(editor).grants.rule).toBeUndefined();
  });
});

it('a preview shares nothing with other callers, nor with previews of another type', () => {
  const [note, page] = ['api::note.note', 'api::page.page'].map((previewed) => ({ ...EVERYTHING, previewed }));
  const traces = [note, page, EVERYTHING].map((caller) => traceOf(caller as Grants, FIND));
  for (const [index, caller] of [note, page, EVERYTHING].entries())
    expect(traces.map((trace) => agree(caller as Grants, trace))).toEqual([0, 1, 2].map((each) => each === index));
});

it('follows the confirmed grants in what is asked later', () => {
  const { grants, trace, follow } = traced(editor);
  grants.allows(FIND);
  follow(author);
  expect([grants.rule?.(UPDATE), grants.rule?.(FIND)]).toEqual([undefined, author.rule?.(FIND)]);
  expect(trace()).toEqual(traceOf(author, FIND, UPDATE));
  follow(editor);
  expect(grants.rule).toBeUndefined();
});
