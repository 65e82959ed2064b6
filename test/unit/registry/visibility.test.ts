import { describe, expect, it } from 'vitest';
import { conditionOf, isVisible } from '../../../src/schema/visibility.ts';

const data = { kind: 'link', open: false, size: 5, tags: ['a'], part: { label: 'x' }, none: null };

describe('a condition', () => {
  const holds: readonly unknown[] = [
    { '==': [{ var: 'kind' }, 'link'] },
    { '==': [{ var: 'size' }, '5'] },
    { '===': [{ var: ['kind'] }, 'link'] },
    { '!=': [{ var: 'kind' }, 'text'] },
    { '!==': [{ var: 'size' }, '5'] },
    { '!': { var: 'open' } },
    { '!!': [{ var: 'tags' }] },
    { '<': [1, { var: 'size' }, 9] },
    { '<=': [5, { var: 'size' }] },
    { '>': [{ var: 'size' }, 4] },
    { '>=': [{ var: 'size' }, 5] },
    { and: [{ '!': [{ var: 'open' }] }, { var: 'kind' }] },
    { or: [{ var: 'open' }, { var: 'size' }] },
    { if: [{ var: 'open' }, false, { var: 'size' }, true, false] },
    { in: [{ var: 'kind' }, ['link', 'text']] },
    { in: ['in', { var: 'kind' }] },
    { all: [{ var: 'tags' }, { '==': [{ var: '' }, 'a'] }] },
    { '==': [{ '+': ['1', { var: 'size' }] }, 6] },
    { '==': [{ '%': [{ var: 'size' }, 2] }, 1] },
    { '==': [{ var: 'part.label' }, 'x'] },
    { '==': [{ var: 'none' }, null] },
    { '==': [{ var: 'nowhere' }, null] },
    { '==': [{ var: ['nowhere', 3] }, 3] },
    { '==': [{ var: ['nowhere', { var: 'size' }] }, 5] },
    { '==': [{ var: 'tags.0' }, 'a'] },
    { '===': [{ var: 'part.toString' }, null] },
    { '<': [4, { var: 'size' }] },
    { '<=': [5, { var: 'size' }, 5] },
    { '==': [{ '*': ['2', { var: 'size' }] }, 10] },
    { '==': [{ '/': [{ var: 'size' }, 2] }, 2.5] },
    { '==': [{ '-': [{ var: 'size' }, 2] }, 3] },
    { '==': [{ '-': { var: 'size' } }, -5] },
    { '==': [{ min: [{ var: 'size' }, 2] }, 2] },
    { '==': [{ max: [2, { var: 'size' }] }, 5] },
    { '==': [{ cat: ['a', { var: 'size' }] }, 'a5'] },
    { '==': [{ and: [{ var: 'size' }, { var: 'kind' }] }, 'link'] },
    { '==': [{ or: [{ var: 'size' }, { var: 'kind' }] }, 5] },
    { '?:': [{ var: 'open' }, false, true] },
    { if: [{ var: 'size' }, true] },
    { if: [{ var: 'open' }, false, { var: 'none' }, false, true] },
    { in: ['a', { var: 'tags' }] },
    { in: [{ var: 'kind' }, ['text', { var: 'kind' }]] },
    { in: ['', 'x'] },
    { some: [{ var: 'tags' }, { '==': [{ var: '' }, 'a'] }] },
    { none: [{ var: 'tags' }, { '==': [{ var: '' }, 'b'] }] },
    { none: [[], true] },
    { none: [{ var: 'none' }, true] },
    { '!!': { var: null } },
    { '!!': { var: [] } },
    // No operation, but a value: it has not one key.
    { '==': 1, '!': 1 },
    { a: 1, b: 2 },
    {},
  ];
  it.each(holds)('%j holds', (visible) => {
    expect(isVisible({ visible: conditionOf(visible) }, data)).toBe(true);
  });

  const fails: readonly unknown[] = [
    { '==': [{ var: 'kind' }, 'text'] },
    { '==': [{ var: 'nowhere' }, false] },
    { '!!': [[]] },
    { '<': [1, { var: 'size' }, 4] },
    { and: [{ var: 'kind' }, { var: 'open' }] },
    { or: [{ var: 'open' }, { var: 'none' }] },
    { if: [{ var: 'open' }, true] },
    { in: ['z', { var: 'kind' }] },
    { in: ['z', { var: 'none' }] },
    { in: ['', ''] },
    { all: [[], true] },
    { some: [{ var: 'tags' }, { '==': [{ var: '' }, 'b'] }] },
    { some: [{ var: 'none' }, true] },
    { all: [{ var: 'none' }, true] },
    { all: [['a', 'b'], { '==': [{ var: '' }, 'a'] }] },
    { none: [{ var: 'tags' }, { '==': [{ var: '' }, 'a'] }] },
    { '===': [{ var: 'size' }, '5'] },
    { '!==': [{ var: 'size' }, 5] },
    { '!=': [{ var: 'size' }, '5'] },
    { '!': { var: 'kind' } },
    { '<': [5, { var: 'size' }] },
    { '<': [5, { var: 'size' }, 9] },
    { '<=': [6, { var: 'size' }] },
    { '>': [{ var: 'size' }, 5] },
    { '>=': [{ var: 'size' }, 6] },
    { in: [5, { var: 'size' }] },
    { if: [{ var: 'open' }, true, { var: 'none' }, true] },
    { if: [{ var: 'size' }, false, true] },
    { '?:': [{ var: 'open' }, true, false] },
    { if: [] },
  ];
  it.each(fails)('%j does not', (visible) => {
    expect(isVisible({ visible: conditionOf(visible) }, data)).toBe(false);
  });

  it('that is not there always holds', () => {
    expect(isVisible({}, data)).toBe(true);
  });

  it('may only have operators that are known', () => {
    expect(() => conditionOf({ and: [{ matches: [{ var: 'kind' }, 'x'] }] })).toThrow(
      '"matches" is an unknown operator',
    );
    expect(() => conditionOf({ method: [{ var: 'kind' }, 'at'] })).toThrow('"method" is an unknown operator');
  });
});
