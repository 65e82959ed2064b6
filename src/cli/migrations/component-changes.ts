/**
 * @module Rewrites the instances of components whose attributes were renamed, removed or changed, in every column and at
 * every depth. Instances are JSON: values under the names of their attributes, in the form that responses show.
 */

import { identifier, jsonPath, literal } from '../core/sql/sql-text.ts';
import { instanceCounts } from './component-counts.ts';
import { type Edit, editsOf, type FindEdits, type Lose, removals } from './component-edits.ts';
import { type BlocksPlace, blocksOf, type Layout, MAX_DEPTH, type Places, uidsOf } from './layout.ts';
import { formerComponent, keptTypes, type Loss, type Work } from './migration-work.ts';
import type { AttributeRename } from './rename-options.ts';

export interface Rewrite {
  /** Of the instances when they are rewritten. */
  readonly layout: Layout;
  readonly edits: ReadonlyMap<string, readonly Edit[]>;
}

/** @param find the edits of each component */
export function rewriteOf(layout: Layout, find: (places: Places, uid: string) => readonly Edit[]): Rewrite {
  const edits = Object.entries(layout.components).map(([uid, places]) => [uid, find(places, uid)] as const);
  return { layout, edits: new Map(edits) };
}

/** Does the component, or one inside it, have edits? A component that contains itself is visited once. */
function isAffected(uid: string, rewrite: Rewrite, seen: readonly string[] = []): boolean {
  if (rewrite.edits.get(uid)?.length) return true;
  const inner = blocksOf(rewrite.layout.components[uid] ?? {});
  return !seen.includes(uid) && inner.some(([, place]) => holdsAffected(place, rewrite, [...seen, uid]));
}

const holdsAffected = (place: BlocksPlace, rewrite: Rewrite, seen?: readonly string[]): boolean =>
  uidsOf(place).some((uid) => isAffected(uid, rewrite, seen));

function applyEdit(json: string, { from, to, convert }: Edit, source: string): string {
  const removed = from === to ? json : `json_remove(${json}, ${jsonPath(from)})`;
  if (to === undefined) return removed;
  const before = `coalesce(${source} -> ${jsonPath(from)}, 'null')`;
  const value = convert ? convert(before) : before;
  // An instance of a local database may hold a value under the new name already.
  const other = `coalesce(${source} -> ${jsonPath(to)}, ${value})`;
  const set = from === to ? value : `iif(${before} IN ('null', '[]'), ${other}, ${value})`;
  return `json_set(${removed}, ${jsonPath(to)}, json(${set}))`;
}

/** JSON text of an instance after the edits; `source` is SQL for the JSON text of the instance. */
function rewriteInstance(uid: string, source: string, rewrite: Rewrite, depth: number): string {
  const nested = blocksOf(rewrite.layout.components[uid] ?? {}).filter(
    ([, place]) => depth < MAX_DEPTH && holdsAffected(place, rewrite),
  );
  const inner = nested.reduce((json, [name, place]) => {
    const value = rewriteBlocks(place, `${source} -> ${jsonPath(name)}`, rewrite, depth + 1);
    return `json_set(${json}, ${jsonPath(name)}, json(coalesce(${value}, 'null')))`;
  }, source);
  const edits = rewrite.edits.get(uid) ?? [];
  if (edits.length === 0) return inner;
  const alias = identifier(`edited${depth}`);
  const value = `${alias}."value"`;
  const edited = edits.reduce((json, edit) => applyEdit(json, edit, value), value);
  return `(SELECT ${edited} FROM (SELECT ${inner} AS "value") AS ${alias})`;
}

/** JSON text of an entry of a zone. */
function rewriteEntry(components: readonly string[], entry: string, rewrite: Rewrite, depth: number): string {
  return components
    .filter((uid) => isAffected(uid, rewrite))
    .reduce((rest, uid) => {
      const one = rewriteInstance(uid, entry, rewrite, depth);
      return `iif(${entry} ->> '$.__component' = ${literal(uid)}, ${one}, ${rest})`;
    }, entry);
}

/** JSON text of a component or a zone after the edits; `json` is SQL for the text before them. */
export function rewriteBlocks(place: BlocksPlace, json: string, rewrite: Rewrite, depth: number): string {
  const alias = identifier(`at${depth}`);
  const value = `${alias}."value"`;
  const one =
    place.kind === 'dynamiczone'
      ? rewriteEntry(place.components, value, rewrite, depth)
      : rewriteInstance(place.component, value, rewrite, depth);
  if (place.kind === 'component' && !place.repeatable)
    return `iif(json_type(${json}) = 'object', (SELECT ${one} FROM (SELECT ${json} AS "value") AS ${alias}), ${json})`;
  const each = `(SELECT json_group_array(json(${one}) ORDER BY ${alias}."key") FROM json_each(${json}) AS ${alias})`;
  return `iif(json_type(${json}) = 'array', ${each}, ${json})`;
}

/** Rewrites all instances that the columns of a table hold. @param rows a condition on the rows; absent: all. */
export const rewriteColumns = (table: string, places: Places, rewrite: Rewrite, rows?: string): readonly string[] =>
  blocksOf(places).flatMap(([, place]) => {
    if (!holdsAffected(place, rewrite)) return [];
    const column = identifier(place.column);
    const json = rewriteBlocks(place, column, rewrite, 0);
    const held = `${column} IS NOT NULL${rows ? ` AND ${rows}` : ''}`;
    return [`UPDATE ${identifier(table)} SET ${column} = ${json} WHERE ${held}`];
  });

const rewriteBy = (find: FindEdits, work: Work, renames: readonly AttributeRename[], losses: Loss[]): Rewrite =>
  rewriteOf(work.layout, (before, uid) => {
    const places = work.next.components[uid];
    return Object.entries(before).flatMap(([from, place]) => {
      const to = renames.find((rename) => rename.type === uid && rename.from === from)?.to ?? from;
      const after = places?.[to];
      const lose: Lose = (reason, { goes, isKept } = {}) => {
        const counts = instanceCounts(work, { uid: formerComponent(work, uid), name: from, ...(goes && { goes }) });
        (isKept ? work.conversions : losses).push({ subject: `${uid}.${after ? to : from}`, reason, counts });
      };
      return places ? find({ from, to, before: place, after }, lose, work) : [];
    });
  });

/**
 * Rewrites the instances of changed components while the columns are those of `work.layout`. Removed attributes are removed
 * after the deployment, from the columns of `work.next`.
 */
export function changeComponents(work: Work, renames: readonly AttributeRename[]): void {
  const now = rewriteBy(editsOf, work, renames, work.losses);
  const late = { ...rewriteBy(removals, work, renames, work.lateLosses), layout: work.next };
  for (const { before, type } of keptTypes(work)) {
    work.statements.push(...rewriteColumns(type.table, before.attributes, now));
    work.late.push(...rewriteColumns(type.table, type.attributes, late));
  }
}

/** A random number, as new components get. */
const NEW_ID: Edit = { from: 'id', to: 'id', convert: () => `abs(random() % ${Number.MAX_SAFE_INTEGER}) + 1` };

const renewed = (layout: Layout): Rewrite => rewriteOf(layout, () => [NEW_ID]);

/** SQL for JSON text of components with new ids. */
export const withNewIds = (place: BlocksPlace, json: string, layout: Layout): string =>
  rewriteBlocks(place, json, renewed(layout), 0);

/** SQL for JSON text of components without ids, for comparisons. */
export function withoutIds(place: BlocksPlace, json: string, layout: Layout): string {
  const rewrite = rewriteOf(layout, () => [{ from: 'id' }]);
  return rewriteBlocks(place, json, rewrite, 0);
}

/** @param where SQL: a condition on the rows. */
export const renewIds = (table: string, places: Places, layout: Layout, where: string): readonly string[] =>
  rewriteColumns(table, places, renewed(layout), where);
