/**
 * @module New ids for the components of rows that were copied from another version: no two versions of a document share
 * one.
 */
import { rewriteColumns } from './component-changes.ts';
import type { Edit } from './component-edits.ts';
import type { Layout, Places } from './layout.ts';

/** A number as new components get one. */
const NEW_ID: Edit = { from: 'id', to: 'id', convert: () => `abs(random() % ${Number.MAX_SAFE_INTEGER}) + 1` };

/** @param where SQL: a condition on the rows. */
export function renewIds(table: string, places: Places, layout: Layout, where: string): readonly string[] {
  const edits = new Map(Object.keys(layout.components).map((uid) => [uid, [NEW_ID]] as const));
  return rewriteColumns(table, places, { layout, edits }, where);
}
