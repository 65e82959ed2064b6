/**
 * @module New ids for the components of rows that were copied from another version: no two versions of a document share
 * one.
 */
import { type Rewrite, rewriteBlocks, rewriteColumns } from './component-changes.ts';
import type { Edit } from './component-edits.ts';
import type { BlocksPlace, Layout, Places } from './layout.ts';

/** A number as new components get one. */
const NEW_ID: Edit = { from: 'id', to: 'id', convert: () => `abs(random() % ${Number.MAX_SAFE_INTEGER}) + 1` };

const editAll = (layout: Layout, edit: Edit): Rewrite => ({
  layout,
  edits: new Map(Object.keys(layout.components).map((uid) => [uid, [edit]] as const)),
});

/** SQL for JSON text of components with new ids. */
export const withNewIds = (place: BlocksPlace, json: string, layout: Layout): string =>
  rewriteBlocks(place, json, editAll(layout, NEW_ID), 0);

/** SQL for JSON text of components without ids, which are equal where the components are. */
export const withoutIds = (place: BlocksPlace, json: string, layout: Layout): string =>
  rewriteBlocks(place, json, editAll(layout, { from: 'id' }), 0);

/** @param where SQL: a condition on the rows. */
export function renewIds(table: string, places: Places, layout: Layout, where: string): readonly string[] {
  return rewriteColumns(table, places, editAll(layout, NEW_ID), where);
}
