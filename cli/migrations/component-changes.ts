/**
 * @module Finds the instances of components in every column and at every depth: rewrites those whose attributes were renamed,
 * removed or changed, and counts those that hold a value. Instances are JSON: values under the names of their attributes, in
 * the form that responses show.
 */

import { MAX_ARGUMENTS, MAX_SQL_BYTES } from '../../src/common/d1-limits.ts';
import { groupsOf } from '../../src/common/groups.ts';
import { balanced, columnIn, identifier, jsonPath, literal } from '../core/sql/sql-text.ts';
import { UserError } from '../core/terminal.ts';
import { change, type Edit, emptyJson, type Lose, mapList, type ToSql } from './component-edits.ts';
import { type BlocksPlace, blocksOf, isZonePlace, type Layout, MAX_DEPTH, type Places, uidsOf } from './layout.ts';
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

/** Characters of a rewritten value, with room for the rest of its statement, and for letters of several bytes. */
const MAX_VALUE = 80_000;

/** Ends the walk over components that contain one another. @throws UserError for SQL that D1 does not take */
function assertLength(sql: string, uid: string): string {
  if (sql.length <= MAX_SQL_BYTES) return sql;
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

/** JSON text of a value after an edit; `source` is SQL for the instance before all of them. */
function editedValue({ from, to, convert }: Edit, source: string): string {
  const before = `coalesce(${source} -> ${jsonPath(from)}, 'null')`;
  const value = convert ? convert(before) : before;
  if (to === undefined || from === to) return value;
  // An instance of a local database may hold a value under the new name already.
  const other = `coalesce(${source} -> ${jsonPath(to)}, ${value})`;
  return `iif(${before} IN ('null', '[]'), ${other}, ${value})`;
}

/** Calls a function of JSON as often as its arguments after the first one need. @param size arguments that stay together */
function callJson(name: string, json: string, all: readonly (readonly string[])[], size: number): string {
  const groups = groupsOf(all, Math.floor((MAX_ARGUMENTS - 1) / size));
  return groups.reduce((inner, group) => `${name}(${[inner, ...group.flat()].join(', ')})`, json);
}

const removeKeys = (json: string, keys: readonly string[]): string =>
  callJson(
    'json_remove',
    json,
    keys.map((key) => [jsonPath(key)]),
    1,
  );

/** @param values keys, with SQL for JSON texts */
const setKeys = (json: string, values: readonly (readonly [key: string, value: string])[]): string =>
  callJson(
    'json_set',
    json,
    values.map(([key, value]) => [jsonPath(key), `json(${value})`]),
    2,
  );

function applyEdits(edits: readonly Edit[], source: string): string {
  const removed = edits.flatMap(({ from, to }) => (from === to ? [] : [from]));
  const set = edits.flatMap((edit) => (edit.to === undefined ? [] : [[edit.to, editedValue(edit, source)] as const]));
  return setKeys(removeKeys(source, removed), set);
}

/** JSON text of an instance after the edits; `source` is SQL for the JSON text of the instance. */
function rewriteInstance(uid: string, source: string, rewrite: Rewrite, depth: number): string {
  const nested = blocksOf(rewrite.layout.components[uid] ?? {}).filter(
    ([, place]) => depth < MAX_DEPTH && holdsAffected(place, rewrite),
  );
  const values = nested.map(([name, place]) => {
    const value = rewriteBlocks(place, `${source} -> ${jsonPath(name)}`, rewrite, depth + 1);
    return [name, `coalesce(${value}, 'null')`] as const;
  });
  const inner = setKeys(source, values);
  const edits = rewrite.edits.get(uid) ?? [];
  if (edits.length === 0) return assertLength(inner, uid);
  const alias = identifier(`edited${depth}`);
  const value = `${alias}."value"`;
  return assertLength(`(SELECT ${applyEdits(edits, value)} FROM (SELECT ${inner} AS "value") AS ${alias})`, uid);
}

const isOf = (entry: string, uid: string): string => `${entry} ->> '$.__component' = ${literal(uid)}`;

function rewriteEntry(components: readonly string[], entry: string, rewrite: Rewrite, depth: number): string {
  const cases = components
    .filter((uid) => isEdited(uid, rewrite))
    .map((uid) => {
      const one = rewriteInstance(uid, entry, rewrite, depth);
      const name = rewrite.names?.get(uid);
      const named = name === undefined ? one : `json_set(${one}, '$.__component', ${literal(name)})`;
      return `WHEN ${literal(uid)} THEN ${named}`;
    });
  return cases.length === 0 ? entry : `CASE ${entry} ->> '$.__component' ${cases.join(' ')} ELSE ${entry} END`;
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

/** Values of a column after the edits, one after the other: statements of a zone may each rewrite some of its components. */
function columnValues(place: BlocksPlace, rewrite: Rewrite): readonly string[] {
  const all = rewriteBlocks(place, identifier(place.column), rewrite);
  if (all.length <= MAX_VALUE || place.kind === 'component') return [all];
  const edited = place.components.filter((uid) => isEdited(uid, rewrite));
  const halves = groupsOf(edited, Math.ceil(edited.length / 2));
  if (halves.length < 2) return [all];
  return halves.flatMap((components) => columnValues({ ...place, components }, rewrite));
}

/** Rewrites all instances that the columns of a table hold. @param rows a condition on the rows; absent: all. */
export const rewriteColumns = (table: string, places: Places, rewrite: Rewrite, rows?: string): readonly string[] =>
  blocksOf(places).flatMap(([, place]) => {
    if (!holdsAffected(place, rewrite)) return [];
    const column = identifier(place.column);
    const held = `${column} IS NOT NULL${rows ? ` AND ${rows}` : ''}`;
    return columnValues(place, rewrite).map(
      (value) => `UPDATE ${identifier(table)} SET ${column} = ${value} WHERE ${held}`,
    );
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
  conditions.length > 0 ? [balanced(conditions, 'OR')] : [];

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
      const isLate = !after || (isZonePlace(before) && isZonePlace(after));
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
