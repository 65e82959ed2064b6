/**
 * @module What writes read before them: the targets of several in one query of each type, and links to many types in as
 * many statements as they need.
 */
import { expect, it } from 'vitest';
import { tablesOf } from '../../../src/content/plan/model/link-tables.ts';
import type { Preconditions } from '../../../src/content/plan/write/preconditions.ts';
import { MAX_SQL, type Row } from '../../../src/content/sql/statement.ts';
import { compileBatchPreconditions, compilePreconditions } from '../../../src/content/sql/write/preconditions.ts';
import { namedDocument } from '../../../src/schema/document-ref.ts';
import { typeAt } from '../../support/recorded-registry.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const COUNT = 400;
const names = Array.from({ length: COUNT }, (_, index) => `target${index}`);
const registry = registryOf([
  contentType('menu', { items: { type: 'relation', relation: 'morphToMany' } }, { drafts: true }),
  ...names.map((name) => contentType(name, { name: { type: 'string' } }, { drafts: true, localized: true })),
]);
const menu = typeAt('menus', registry);
const [first, second] = [typeAt('target0s', registry), typeAt('target1s', registry)];
const row = { type: menu, document: namedDocument('menu'), locale: '', status: 'draft' } as const;

const NOTHING = {
  ...{ row, versions: 'none', columns: [], unique: [], uniquePaths: [], targets: [], inner: [], links: [] },
  ...{ sharedLinks: [], copied: [] },
} as const satisfies Preconditions;

it('reads the targets of several writes by type, and gives each its own', () => {
  const all = compileBatchPreconditions([
    { ...NOTHING, targets: [{ type: first, documentIds: ['a', 'b'], ids: [7] }] },
    {
      ...NOTHING,
      targets: [
        { type: first, documentIds: ['b', 'c'], ids: [] },
        { type: second, documentIds: [], ids: [9] },
      ],
    },
    NOTHING,
  ] as unknown as readonly Preconditions[]);
  expect(all.statements.map(({ params }) => params.filter((each) => typeof each === 'string'))).toEqual([
    ['["a","b","c"]', '["a","b","c"]', '[7]', '[7]'],
    ['[9]', '[9]'],
  ]);
  const found = (id: number, documentId: string) => ({ id, document_id: documentId, locale: 'en', published: 0 });
  const rows = [found(1, 'a'), found(2, 'b'), found(3, 'c'), found(7, 'd'), found(8, 'd')];
  const { rows: each, unchanged } = all.decode([rows, [found(9, 'e'), found(10, 'f')]]);
  const targets = each.map((one) => one.targets.map((lookup) => lookup.rows.map(({ id }) => id)));
  expect(targets).toEqual([[[1, 2, 7, 8]], [[2, 3], [9]], []]);
  expect(each.flatMap((one) => one.targets.flatMap((lookup) => lookup.unchanged))).toEqual([]);
  expect(unchanged).toHaveLength(2);
});

it('reads links to many types in several statements, in the order of the row', () => {
  const tables = tablesOf([menu.attributes.get('items') as never], menu, registry);
  const lookup = { row, tables, owner: true, status: 'draft' };
  const { statements, decode } = compilePreconditions({ ...NOTHING, links: [lookup] } as unknown as Preconditions);
  expect(statements.length).toBeGreaterThan(1);
  for (const { sql } of statements) {
    expect(sql.length).toBeLessThanOrEqual(MAX_SQL);
    expect(sql).toContain('"target_type" in (');
  }
  const link = (documentId: string, position: number, tie: number): Row => ({ document_id: documentId, position, tie });
  const rows = [
    [link('b', 2, 1), link('d', 4, 9)],
    [link('a', 1, 5), link('c', 2, 3), link('e', 10, 1)],
  ];
  const { links, unchanged } = decode(rows);
  expect(links.flatMap((found) => found.rows.map((each) => each.document_id))).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(unchanged).toHaveLength(statements.length);
});
