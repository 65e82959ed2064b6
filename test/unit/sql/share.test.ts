/**
 * @module The share that one row of a page has of the limits of a response.
 */
import { expect, it } from 'vitest';
import type { Populate } from '../../../src/content/plan/model/read-plan.ts';
import { readsMore, shareOf } from '../../../src/content/sql/read/ceiling.ts';

type Nodes = readonly object[];
const link = (more: object = {}, ...populate: Nodes) => ({
  ...{ kind: 'link', name: 'x', order: [], count: false, multiple: true, ...more },
  selection: { attributes: [], populate },
});
const typed = (more: object = {}, part: object = {}) => ({
  ...{ kind: 'polymorphic', name: 'x', count: false, multiple: true, ...more },
  parts: [link(), link(part)],
});
const slice = { start: 0, limit: 5 };

it.each<[boolean, string, object]>([
  [false, 'a list', link()],
  [true, 'a filter', link({ where: {} })],
  [true, 'a count', link({ count: true })],
  [true, 'a count beside it', link({ withCount: true })],
  [false, 'a sort', link({ order: [{}] })],
  [false, 'a slice', link({ slice })],
  [true, 'a later slice', link({ slice: { start: 1 } })],
  [true, 'a slice of a sort', link({ slice, order: [{}] })],
  [false, 'several types', typed()],
  [true, 'a filter of one of several types', typed({}, { where: {} })],
  [true, 'a count of several types', typed({ count: true })],
  [false, 'a slice of several types', typed({ slice })],
  [true, 'a later slice of several types', typed({ slice: { start: 1 } })],
])('is %s that more rows are read than shown: %s', (expected, _, node) => {
  expect(readsMore(node as never)).toBe(expected);
});

const filtered = link({ where: {} });

it.each<[number, string, Nodes]>([
  [9999, 'nothing', []],
  [9999, 'a list', [link()]],
  [9999, 'a filtered list', [filtered]],
  [4999, 'two filtered lists', [filtered, filtered]],
  [9999, 'a filtered list behind one row', [link({ multiple: false }, filtered)]],
  [99, 'a filtered list in a list', [link({}, filtered)]],
  [49, 'a filtered list in a filtered list', [link({ where: {} }, filtered)]],
  [9999, 'a filtered list in a component', [{ ...link({ kind: 'component', where: {} }, filtered) }]],
  [9999, 'uses of a file, and a filtered list', [{ kind: 'related', name: 'x', uses: [] }, filtered]],
])('lets a list read %i rows beside %s', (maxScannedRows, _, populate) => {
  const selection = { attributes: [], populate: populate as readonly Populate[] };
  expect(shareOf({ rows: 100_000, bytes: 5_005 }, selection, 10)).toEqual({ bytes: 500, rows: 9999, maxScannedRows });
});

it('is never less than no row, of sixteen that are looked at', () => {
  const selection = { attributes: [], populate: [] };
  expect(shareOf({ rows: 5, bytes: 100 }, selection, 10)).toEqual({ bytes: 10, rows: 0, maxScannedRows: 16 });
});
