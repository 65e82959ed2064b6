/**
 * @module What knows what as a page.
 */
import type { Cell, Row } from './model.ts';

const shown = (cell: Cell): string => ('file' in cell ? `“${cell.title}” (\`test/${cell.file}\`)` : cell.reason);

/** Returns one line for all changes that share a cell. */
function lines(row: Row): readonly string[] {
  const named = Map.groupBy(Object.entries(row), ([, cell]) => shown(cell));
  return [...named].map(([cell, changes]) => `| ${changes.map(([change]) => change).join(', ')} | ${cell} |`);
}

export function knowledgePage(rows: Readonly<Record<string, Row>>): string {
  const sections = Object.entries(rows).map(([stored, row]) =>
    [`## ${stored}`, '', '| change | held by, or why not |', '| --- | --- |', ...lines(row), ''].join('\n'),
  );
  const head = [
    '# What knows what',
    '',
    'Everything that is stored or cached, and everything that changes content or rights. For each pair, a test holds what the change does to what is stored, or a reason says why there is nothing to hold.',
    '',
    'The table is `test/knowledge/cells.ts`. A new table, kind of attribute, cache or change without its cells does not compile. `npm test -- test/node/knowledge.test.ts -u` writes this page.',
    '',
  ];
  return [...head, ...sections].join('\n');
}
