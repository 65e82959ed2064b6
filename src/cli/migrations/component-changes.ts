/**
 * @module What a migration does about a component whose attributes were renamed, removed or changed: every instance, in
 * every column and at every depth, is rewritten. Instances are JSON, attributes under their names, values as answers
 * show them.
 */
import { instanceCounts } from './component-counts.ts';
import { type Convert, convertShown, emptyJson } from './convert-shown.ts';
import type { Layout, Place, Places } from './layout.ts';
import { formerComponent, type Loss, type Work } from './migration-work.ts';
import type { AttributeRename } from './renames.ts';
import { identifier, jsonPath, literal } from './sql-text.ts';

type ComponentPlace = Extract<Place, { kind: 'component' }>;
type ZonePlace = Extract<Place, { kind: 'dynamiczone' }>;

interface Edit {
  readonly from: string;
  /** The attribute that takes the value; absent: the value goes. */
  readonly to?: string;
  /** JSON text of the new value from that of the old one; absent: as it is. */
  readonly convert?: Convert;
}

interface Rewrite {
  /** As the instances are when they are rewritten. */
  readonly layout: Layout;
  readonly edits: ReadonlyMap<string, readonly Edit[]>;
}

/** @param from what the attribute was called before the migration. */
type Lose = (name: string, reason: string, from: string) => void;

const targetOf = (place: Place): string | undefined => (place.kind === 'links' ? place.target : undefined);

/** The edit of one attribute that both sides have, if it needs one. */
function editOf(from: string, to: string, before: Place, after: Place, lose: Lose): Edit | undefined {
  const renamed = from === to ? undefined : { from, to };
  if (before.kind === 'scalar' && after.kind === 'scalar') {
    if (before.type === after.type) return renamed;
    const { convert, loss } = convertShown(before.type, after.type);
    if (loss) lose(to, `${before.type} becomes ${after.type}: ${loss}`, from);
    return { from, to, convert };
  }
  if (before.kind === 'component' && after.kind === 'component') return nestedEdit(from, to, before, after, lose);
  if (before.kind === after.kind && targetOf(before) === targetOf(after)) return renamed;
  const what = before.kind === after.kind ? 'points to another type' : `${before.kind} becomes ${after.kind}`;
  lose(to, `${what}: nothing that is stored can be kept`, from);
  return { from };
}

function nestedEdit(from: string, to: string, before: ComponentPlace, after: ComponentPlace, lose: Lose) {
  if (before.component !== after.component) {
    lose(to, `component ${before.component} becomes ${after.component}`, from);
    return { from, to, convert: () => emptyJson(after.repeatable) };
  }
  if (before.repeatable === after.repeatable) return from === to ? undefined : { from, to };
  if (after.repeatable)
    return {
      from,
      to,
      convert: (json: string) => `iif(json_type(${json}) = 'object', json_array(json(${json})), '[]')`,
    };
  lose(to, 'repeatable becomes single: all but the first component go', from);
  return { from, to, convert: (json: string) => `coalesce(${json} -> '$[0]', 'null')` };
}

function editsOf(before: Places, after: Places, renames: ReadonlyMap<string, string>, lose: Lose): readonly Edit[] {
  return Object.entries(before).flatMap(([name, place]) => {
    const to = renames.get(name) ?? name;
    const next = after[to];
    return next ? (editOf(name, to, place, next, lose) ?? []) : [];
  });
}

const nestedOf = (places: Places): [string, ComponentPlace][] =>
  Object.entries(places).flatMap(([name, place]) => (place.kind === 'component' ? [[name, place]] : []));

/** Has the component edits, or a component in it? A component that contains itself is looked at once. */
function isAffected(uid: string, rewrite: Rewrite, seen: readonly string[] = []): boolean {
  if ((rewrite.edits.get(uid)?.length ?? 0) > 0) return true;
  if (seen.includes(uid)) return false;
  const nested = nestedOf(rewrite.layout.components[uid] ?? {});
  return nested.some(([, place]) => isAffected(place.component, rewrite, [...seen, uid]));
}

/** Deeper instances of a component that contains itself stay as they are. */
const MAX_DEPTH = 8;

const columnOf = (alias: string): string => `${alias}."value"`;
const aliasOf = (depth: number): string => identifier(`at${depth}`);

function applyEdit(json: string, { from, to, convert }: Edit, source: string): string {
  const removed = from === to ? json : `json_remove(${json}, ${jsonPath(from)})`;
  if (to === undefined) return removed;
  const before = `coalesce(${source} -> ${jsonPath(from)}, 'null')`;
  return `json_set(${removed}, ${jsonPath(to)}, json(${convert ? convert(before) : before}))`;
}

/** JSON text of an instance after the edits; `source` is SQL for the JSON text of the instance. */
function rewriteInstance(uid: string, source: string, rewrite: Rewrite, depth: number): string {
  const nested = nestedOf(rewrite.layout.components[uid] ?? {}).filter(
    ([, place]) => depth < MAX_DEPTH && isAffected(place.component, rewrite),
  );
  const inner = nested.reduce((json, [name, place]) => {
    const value = rewriteComponent(place, `${source} -> ${jsonPath(name)}`, rewrite, depth + 1);
    return `json_set(${json}, ${jsonPath(name)}, json(coalesce(${value}, 'null')))`;
  }, source);
  const edits = rewrite.edits.get(uid) ?? [];
  if (edits.length === 0) return inner;
  const alias = identifier(`edited${depth}`);
  const edited = edits.reduce((json, edit) => applyEdit(json, edit, columnOf(alias)), columnOf(alias));
  return `(SELECT ${edited} FROM (SELECT ${inner} AS "value") AS ${alias})`;
}

const eachOf = (json: string, alias: string, item: string): string =>
  `(SELECT json_group_array(json(${item}) ORDER BY ${alias}."key") FROM json_each(${json}) AS ${alias})`;

function rewriteComponent({ component, repeatable }: ComponentPlace, json: string, rewrite: Rewrite, depth: number) {
  const alias = aliasOf(depth);
  const one = rewriteInstance(component, columnOf(alias), rewrite, depth);
  if (repeatable) return `iif(json_type(${json}) = 'array', ${eachOf(json, alias, one)}, ${json})`;
  const single = `(SELECT ${one} FROM (SELECT ${json} AS "value") AS ${alias})`;
  return `iif(json_type(${json}) = 'object', ${single}, ${json})`;
}

function rewriteZone({ components }: ZonePlace, json: string, rewrite: Rewrite): string {
  const value = columnOf(aliasOf(0));
  const item = components
    .filter((uid) => isAffected(uid, rewrite))
    .reduce((rest, uid) => {
      const one = rewriteInstance(uid, value, rewrite, 0);
      return `iif(${value} ->> '$.__component' = ${literal(uid)}, ${one}, ${rest})`;
    }, value);
  return eachOf(json, aliasOf(0), item);
}

function rewriteColumn(table: string, place: Place, rewrite: Rewrite): readonly string[] {
  if (place.kind !== 'component' && place.kind !== 'dynamiczone') return [];
  const uids = place.kind === 'component' ? [place.component] : place.components;
  if (!uids.some((uid) => isAffected(uid, rewrite))) return [];
  const column = identifier(place.column);
  const json =
    place.kind === 'component' ? rewriteComponent(place, column, rewrite, 0) : rewriteZone(place, column, rewrite);
  return [`UPDATE ${identifier(table)} SET ${column} = ${json} WHERE ${column} IS NOT NULL`];
}

/** Removed attributes, which go late, when the others have their new names and forms. */
function removals(before: Places, after: Places, renames: ReadonlyMap<string, string>, lose: Lose): readonly Edit[] {
  return Object.keys(before).flatMap((name) => {
    if (after[renames.get(name) ?? name]) return [];
    lose(name, 'removed', name);
    return [{ from: name }];
  });
}

type FindEdits = typeof editsOf;

function editsBy(find: FindEdits, work: Work, next: Layout, renames: readonly AttributeRename[], losses: Loss[]) {
  const edits = Object.entries(work.layout.components).map(([uid, before]) => {
    const after = next.components[uid];
    const lose: Lose = (name, reason, from) => {
      const counts = instanceCounts(work, formerComponent(work, uid), from);
      losses.push({ subject: `${uid}.${name}`, reason, counts });
    };
    const own = new Map(renames.filter(({ type }) => type === uid).map(({ from, to }) => [from, to]));
    return [uid, after ? find(before, after, own, lose) : []] as const;
  });
  return new Map(edits);
}

/**
 * Rewrites the instances of changed components, while the columns still are what `work.layout` says. Removed attributes
 * go late, from columns as `next` has them.
 */
export function changeComponents(work: Work, next: Layout, renames: readonly AttributeRename[]): void {
  const now = { layout: work.layout, edits: editsBy(editsOf, work, next, renames, work.losses) };
  const late = { layout: next, edits: editsBy(removals, work, next, renames, work.lateLosses) };
  for (const [uid, { table, attributes }] of Object.entries(next.types)) {
    const before = work.layout.types[uid];
    if (!before) continue;
    for (const place of Object.values(before.attributes)) work.statements.push(...rewriteColumn(table, place, now));
    for (const place of Object.values(attributes)) work.late.push(...rewriteColumn(table, place, late));
  }
}
