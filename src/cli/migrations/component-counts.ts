/**
 * @module Which rows hold a value of a component's attribute, in whatever column and at whatever depth: statements that
 * count them before a migration.
 */
import type { Layout, Place, Places } from './layout.ts';
import { countRows, type Work } from './migration-work.ts';
import { identifier, jsonPath, literal } from './sql-text.ts';

type ComponentPlace = Extract<Place, { kind: 'component' }>;
type ZonePlace = Extract<Place, { kind: 'dynamiczone' }>;

interface Wanted {
  readonly layout: Layout;
  readonly uid: string;
  readonly name: string;
}

/** Deeper instances of a component that contains itself are not looked at, as they are not rewritten. */
const MAX_DEPTH = 8;

const anyOf = (conditions: readonly string[]): string | undefined =>
  conditions.length > 0 ? `(${conditions.join(' OR ')})` : undefined;

const present = (condition: string | undefined): readonly string[] => (condition === undefined ? [] : [condition]);

/** A condition on an instance of `uid`, the JSON `source`; undefined: such an instance cannot hold what is wanted. */
function inInstance(wanted: Wanted, uid: string, source: string, depth: number): string | undefined {
  const own = `coalesce(${source} -> ${jsonPath(wanted.name)}, 'null') NOT IN ('null', '[]')`;
  const nested = Object.entries<Place>(wanted.layout.components[uid] ?? {}).flatMap(([name, place]) =>
    place.kind === 'component' && depth < MAX_DEPTH
      ? present(inComponent(wanted, place, `${source} -> ${jsonPath(name)}`, depth + 1))
      : [],
  );
  return anyOf(uid === wanted.uid ? [own, ...nested] : nested);
}

const among = (json: string, alias: string, condition: string): string =>
  `EXISTS (SELECT 1 FROM json_each(${json}) AS ${alias} WHERE ${condition})`;

function inComponent(wanted: Wanted, { component, repeatable }: ComponentPlace, json: string, depth: number) {
  const alias = identifier(`at${depth}`);
  const condition = inInstance(wanted, component, repeatable ? `${alias}."value"` : json, depth);
  return condition && repeatable ? among(json, alias, condition) : condition;
}

function inZone(wanted: Wanted, { components }: ZonePlace, json: string): string | undefined {
  const alias = identifier('at0');
  const value = `${alias}."value"`;
  const entries = components.flatMap((uid) => {
    const condition = inInstance(wanted, uid, value, 0);
    return condition ? [`(${value} ->> '$.__component' = ${literal(uid)} AND ${condition})`] : [];
  });
  const condition = anyOf(entries);
  return condition && among(json, alias, condition);
}

function inColumn(wanted: Wanted, place: Place): string | undefined {
  if (place.kind === 'component') return inComponent(wanted, place, identifier(place.column), 0);
  return place.kind === 'dynamiczone' ? inZone(wanted, place, identifier(place.column)) : undefined;
}

const inAnyColumn = (wanted: Wanted, attributes: Places): string | undefined =>
  anyOf(Object.values(attributes).flatMap((place) => present(inColumn(wanted, place))));

/** One statement for each table; `uid` and `name` as they were before the migration. */
export function instanceCounts(work: Work, uid: string, name: string): readonly string[] {
  const wanted = { layout: work.former, uid, name };
  return Object.values(work.former.types).flatMap(({ table, attributes }) => {
    const condition = inAnyColumn(wanted, attributes);
    return condition ? [countRows(table, condition)] : [];
  });
}
