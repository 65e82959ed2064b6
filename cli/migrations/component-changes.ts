/**
 * @module Finds the instances of components in every column and at every depth: rewrites those whose attributes were renamed,
 * removed or changed, and counts those that hold a value. Instances are JSON: values under the names of their attributes, in
 * the form that responses show.
 */
import { columnIn, identifier, jsonPath, literal } from '../core/sql/sql-text.ts';
import { UserError } from '../core/terminal.ts';
import { change, type Edit, emptyJson, type Lose, mapList, type ToSql } from './component-edits.ts';
import { type BlocksPlace, blocksOf, type Layout, MAX_DEPTH, type Places, uidsOf } from './layout.ts';
import { countRows, formerComponent, keptTypes, openPlace, type Work } from './migration-work.ts';
import type { AttributeRename } from './rename-options.ts';

export interface Rewrite {
  /** Of the instances when they are rewritten. */
  readonly layout: Layout;
  readonly edits: ReadonlyMap<string, readonly Edit[]>;
  /** uid → new uid of components whose entries in zones are renamed. */
  readonly names?: ReadonlyMap<string, string>;
}

/** @param find the edits of each component */
export function rewriteOf(layout: Layout, find: (places: Places, uid: string) => readonly Edit[]): Rewrite {
  const edits = Object.entries(layout.components).map(([uid, places]) => [uid, find(places, uid)] as const);
  return { layout, edits: new Map(edits) };
}

/** Characters of a part of a statement: D1 takes 100 KB. */
const MAX_LENGTH = 100_000;

/** Ends the walk over components that contain one another. @throws UserError for SQL that D1 does not take */
function assertLength(sql: string, uid: string): string {
  if (sql.length <= MAX_LENGTH) return sql;
  throw new UserError(
    `${uid} has too many components within components: D1 takes no statement of more than 100 KB. Change fewer of them at once, or let fewer contain one another`,
  );
}

/** Does the component, or one inside it, have edits? Each component is visited once. */
function isAffected(uid: string, rewrite: Rewrite, seen: Set<string> = new Set()): boolean {
  if (rewrite.edits.get(uid)?.length) return true;
  if (seen.has(uid)) return false;
  seen.add(uid);
  const inner = blocksOf(rewrite.layout.components[uid] ?? {});
  return inner.some(([, place]) => holdsAffected(place, rewrite, seen));
}

/** Are there entries of the component to rewrite? */
const isEdited = (uid: string, rewrite: Rewrite, seen?: Set<string>): boolean =>
  rewrite.names?.has(uid) === true || isAffected(uid, rewrite, seen);

const holdsAffected = (place: BlocksPlace, rewrite: Rewrite, seen?: Set<string>): boolean =>
  uidsOf(place).some((uid) => (place.kind === 'dynamiczone' ? isEdited : isAffected)(uid, rewrite, seen));

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
  if (edits.length === 0) return assertLength(inner, uid);
  const alias = identifier(`edited${depth}`);
  const value = `${alias}."value"`;
  const edited = edits.reduce((json, edit) => applyEdit(json, edit, value), value);
  return assertLength(`(SELECT ${edited} FROM (SELECT ${inner} AS "value") AS ${alias})`, uid);
}

const isOf = (entry: string, uid: string): string => `${entry} ->> '$.__component' = ${literal(uid)}`;

function rewriteEntry(components: readonly string[], entry: string, rewrite: Rewrite, depth: number): string {
  return components
    .filter((uid) => isEdited(uid, rewrite))
    .reduce((rest, uid) => {
      const one = rewriteInstance(uid, entry, rewrite, depth);
      const name = rewrite.names?.get(uid);
      const named = name === undefined ? one : `json_set(${one}, '$.__component', ${literal(name)})`;
      return `iif(${isOf(entry, uid)}, ${named}, ${rest})`;
    }, entry);
}

/** JSON text of a component or a zone after the edits; `json` is SQL for the text before them. */
export function rewriteBlocks(place: BlocksPlace, json: string, rewrite: Rewrite, depth = 0): string {
  const alias = identifier(`at${depth}`);
  const value = `${alias}."value"`;
  const one =
    place.kind === 'dynamiczone'
      ? rewriteEntry(place.components, value, rewrite, depth)
      : rewriteInstance(place.component, value, rewrite, depth);
  if (place.kind === 'component' && !place.repeatable)
    return `iif(json_type(${json}) = 'object', (SELECT ${one} FROM (SELECT ${json} AS "value") AS ${alias}), ${json})`;
  return `iif(json_type(${json}) = 'array', ${mapList(json, one, '1', alias)}, ${json})`;
}

/** Rewrites all instances that the columns of a table hold. @param rows a condition on the rows; absent: all. */
export const rewriteColumns = (table: string, places: Places, rewrite: Rewrite, rows?: string): readonly string[] =>
  blocksOf(places).flatMap(([, place]) => {
    if (!holdsAffected(place, rewrite)) return [];
    const column = identifier(place.column);
    const held = `${column} IS NOT NULL${rows ? ` AND ${rows}` : ''}`;
    return [`UPDATE ${identifier(table)} SET ${column} = ${rewriteBlocks(place, column, rewrite)} WHERE ${held}`];
  });

/** An attribute of a component, as it was before the migration. */
interface Wanted {
  readonly uid: string;
  readonly name: string;
  /** A condition on the JSON text of a value that is not empty; absent: each counts. */
  readonly goes?: ToSql | undefined;
}

/** One condition; none if no value can be there. */
const anyOf = (conditions: readonly string[]): readonly string[] =>
  conditions.length > 0 ? [`(${conditions.join(' OR ')})`] : [];

function isHeld({ name, goes }: Wanted, source: string): string {
  const value = `${source} -> ${jsonPath(name)}`;
  const held = `coalesce(${value}, 'null') NOT IN ('null', '[]')`;
  return goes ? `(${held} AND ${goes(value)})` : held;
}

/** A condition on an instance of `uid`, the JSON `source`. */
function inInstance(layout: Layout, wanted: Wanted, uid: string, source: string, depth: number): readonly string[] {
  const nested = blocksOf(layout.components[uid] ?? {}).flatMap(([name, place]) =>
    depth < MAX_DEPTH ? inBlocks(layout, wanted, place, `${source} -> ${jsonPath(name)}`, depth + 1) : [],
  );
  const found = anyOf(uid === wanted.uid ? [isHeld(wanted, source), ...nested] : nested);
  return found.map((condition) => assertLength(condition, uid));
}

function inBlocks(layout: Layout, wanted: Wanted, place: BlocksPlace, json: string, depth = 0): readonly string[] {
  const isIn = (uid: string, source: string) => inInstance(layout, wanted, uid, source, depth);
  if (place.kind === 'component' && !place.repeatable) return isIn(place.component, json);
  const alias = identifier(`at${depth}`);
  const value = `${alias}."value"`;
  const found =
    place.kind === 'component'
      ? isIn(place.component, value)
      : anyOf(place.components.flatMap((uid) => isIn(uid, value).map((is) => `(${isOf(value, uid)} AND ${is})`)));
  return found.map((condition) => `EXISTS (SELECT 1 FROM json_each(${json}) AS ${alias} WHERE ${condition})`);
}

/**
 * Statements that count, before a migration, the rows which hold a value of a component's attribute: one for each table.
 * @param rows a condition for each table that counts; absent: all rows of all tables.
 */
export const instanceCounts = ({ former }: Work, wanted: Wanted, rows?: ReadonlyMap<string, string>) =>
  Object.values(former.types).flatMap(({ table, attributes }) => {
    if (rows && !rows.has(table)) return [];
    const places = blocksOf(attributes).map(([, place]) => place);
    const held = anyOf(places.flatMap((place) => inBlocks(former, wanted, place, columnIn(table, place.column))));
    return held.map((condition) => countRows(table, rows ? `${rows.get(table)} AND ${condition}` : condition));
  });

/**
 * Rewrites the instances of changed components while the columns are those of `work.layout`. What only the previous version
 * reads is removed after the deployment, from the columns of `work.next`: attributes, and entries of zones.
 */
export function changeComponents(work: Work, renames: readonly AttributeRename[]): void {
  const late = new Map<string, Edit[]>();
  const now = rewriteOf(work.layout, (places, uid) => {
    const next = work.next.components[uid];
    return Object.entries(next ? places : {}).flatMap(([from, before]): readonly Edit[] => {
      const to = renames.find((rename) => rename.type === uid && rename.from === from)?.to ?? from;
      const after = next?.[to];
      const isLate = !after || (before.kind === 'dynamiczone' && after.kind === 'dynamiczone');
      const subject = `${uid}.${after ? to : from}`;
      const lose: Lose = (reason, { goes, isKept, byHand } = {}) => {
        const counts = instanceCounts(work, { uid: formerComponent(work, uid), name: from, goes });
        const losses = isLate ? work.lateLosses : work.losses;
        (isKept ? work.conversions : losses).push({ subject, reason, counts, ...(byHand && { byHand }) });
      };
      const changed = change(before, after, lose, work);
      const isOpen = changed === 'emptied' && work.isByHand;
      if (isOpen)
        work.last.push(openPlace(subject, 'change its values in the JSON of each column that has the component'));
      const emptied = isOpen || !after ? undefined : () => emptyJson(after);
      const convert = changed === 'emptied' ? emptied : changed;
      const edit = convert === 'removed' ? { from } : { from, to, ...(convert && { convert }) };
      if (!isLate) return convert || from !== to ? [edit] : [];
      // By then the attribute has its new name.
      if (convert) late.set(uid, [...(late.get(uid) ?? []), after ? { ...edit, from: to } : edit]);
      return after && from !== to ? [{ from, to }] : [];
    });
  });
  for (const { before, type } of keptTypes(work)) {
    work.statements.push(...rewriteColumns(type.table, before.attributes, now));
    work.late.push(...rewriteColumns(type.table, type.attributes, { layout: work.next, edits: late }));
  }
}

/** Gives components random ids, as new ones get. */
export const newIds = (layout: Layout): Rewrite =>
  rewriteOf(layout, () => [{ from: 'id', to: 'id', convert: () => `abs(random() % ${Number.MAX_SAFE_INTEGER}) + 1` }]);

/** Leaves out the ids of components, for comparisons. */
export const withoutIds = (layout: Layout): Rewrite => rewriteOf(layout, () => [{ from: 'id' }]);
