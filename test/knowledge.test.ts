/**
 * @module What knows what: each cell names a test that is there, and the page shows the table.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KNOWLEDGE } from './knowledge/cells.ts';
import { knowledgePage } from './knowledge/page.ts';

const cells = Object.entries(KNOWLEDGE).flatMap(([stored, row]) =>
  Object.entries(row).map(([change, cell]) => ({ name: `${stored} × ${change}`, cell })),
);

describe('what knows what', () => {
  it('names tests that are there', () => {
    const missing = cells.filter(
      ({ cell }) =>
        'file' in cell && !readFileSync(join(import.meta.dirname, cell.file), 'utf8').includes(`('${cell.title}'`),
    );
    expect(missing).toEqual([]);
  });

  it('is the page of the decisions', async () => {
    await expect(knowledgePage(KNOWLEDGE)).toMatchFileSnapshot('../docs/decisions/what-knows-what.md');
  });
});
