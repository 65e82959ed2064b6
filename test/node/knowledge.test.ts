/**
 * @module What knows what: each cell names a test that is there, and the page shows the table.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KNOWLEDGE } from '../knowledge/cells.ts';
import { knowledgePage } from '../knowledge/page.ts';

const cells = Object.entries(KNOWLEDGE).flatMap(([stored, row]) =>
  Object.entries(row).map(([change, cell]) => ({ name: `${stored} × ${change}`, cell })),
);

/** Tests that do not always run; `itLong` runs each night. */
const SKIPPED = /\.(skip|todo|fails|skipIf|runIf)\b/;

/** Returns what is wrong with a title of a file; undefined if a test of that title runs. */
function problemOf(text: string, title: string): string | undefined {
  const at = text.search(new RegExp(`\\(\\s*'${title.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')}'`));
  if (at < 0) return 'is missing';
  const calls = [...text.slice(0, at).matchAll(/^\s*(?:it|itLong)\b(?:\.\w+)*/gm)];
  const suites = [...text.matchAll(/^\s*describe(?:\.\w+)*/gm)];
  const isSkipped = [...calls.slice(-1), ...suites].some(([call]) => SKIPPED.test(call));
  return isSkipped ? 'is skipped' : undefined;
}

describe('what knows what', () => {
  it('names tests that are there, and run', () => {
    const problems = cells.flatMap(({ name, cell }) => {
      if (!('file' in cell)) return [];
      const problem = problemOf(readFileSync(join(import.meta.dirname, '..', cell.file), 'utf8'), cell.title);
      return problem === undefined ? [] : [`${name}: “${cell.title}” ${problem}`];
    });
    expect(problems).toEqual([]);
  });

  it.each([
    [`it('a', () => {`, undefined],
    [`it.each([1])(\n  'a',`, undefined],
    [`itLong('a', () => {`, undefined],
    [`it('b', () => {`, 'is missing'],
    [`// it names 'a'`, 'is missing'],
    [`it.skip('a', () => {`, 'is skipped'],
    [`it.todo('a');`, 'is skipped'],
    [`it.skip.each([1])(\n  'a',`, 'is skipped'],
    [`it.skip('b', () => {});\nit('a', () => {`, undefined],
    [`describe.skip('b', () => {\n  it('a', () => {`, 'is skipped'],
  ])('takes %j for a test that holds a cell, or not', (text, problem) => {
    expect(problemOf(text, 'a')).toBe(problem);
  });

  it('is the page of the decisions', async () => {
    await expect(knowledgePage(KNOWLEDGE)).toMatchFileSnapshot('../../docs/decisions/what-knows-what.md');
  });
});
