/**
 * @module What a write that was answered with 200 has to leave behind, from what there was before and from what the body
 * says: the rules of docs/writing.md and docs/storage.md, written a second time over lists in memory.
 */

import type { Body } from './written-bodies.ts';
import {
  COMPONENTS,
  type ComponentModel,
  hasDrafts,
  hasLocales,
  isShared,
  PLACES,
  RELATIONS,
  type Relation,
  SCALARS,
  TYPES,
  type TypeName,
} from './written-model.ts';
import { documentOf, type Instance, keyOf, type Ref, type State, VERSIONS, type VersionName } from './written-state.ts';

export interface Write {
  readonly type: TypeName;
  readonly ref: Ref;
  readonly status: VersionName;
  /** Absent: the locale is deleted. */
  readonly body?: Body;
}

interface Link {
  readonly table: string;
  readonly version: VersionName;
  readonly source: Ref;
  readonly target: Ref;
}

/** A relation, its table, and which end of it the type has. */
interface End extends Relation {
  readonly table: string;
}

/** What a reader may find: one of several values where a rule leaves it open, and lists in order where one says so. */
export interface Expected {
  readonly values: Map<string, Record<string, readonly unknown[]>>;
  readonly links: readonly Link[];
  readonly orders: Map<string, readonly Ref[]>;
}

/** The relations of a type, with their tables. */
export const endsOf = (type: TypeName): readonly End[] =>
  RELATIONS[type].map((relation) => {
    const { name, owner, target, inverse } = relation;
    return { ...relation, table: owner ? `${type}.${name}` : `${target}.${inverse}` };
  });

/** The end of a link that the type has, and the other one. */
export const near = (link: Link, { owner }: Pick<End, 'owner'>): Ref => (owner ? link.source : link.target);
export const far = (link: Link, { owner }: Pick<End, 'owner'>): Ref => (owner ? link.target : link.source);
const linkFrom = (me: Ref, other: Ref, { table, owner }: Pick<End, 'table' | 'owner'>, version: VersionName): Link =>
  owner ? { table, version, source: me, target: other } : { table, version, source: other, target: me };

/** Every link once, as either end shows it: an end that may have one shows one, where several locales hold it. */
export function linksOf(state: State): readonly Link[] {
  const found = new Map<string, Link>();
  for (const [key, { links }] of state) {
    const [type, documentId, locale, version] = key.split('/') as [TypeName, string, string, VersionName];
    for (const end of endsOf(type))
      for (const other of links[end.name] ?? []) {
        const link = linkFrom(`${documentId}/${locale}`, other, end, version);
        found.set(JSON.stringify(link), link);
      }
  }
  return [...found.values()];
}

const initial = (name: string): unknown => {
  const scalar = (SCALARS as Readonly<Record<string, { default?: unknown }>>)[name];
  if (scalar) return scalar.default ?? null;
  return PLACES.find((place) => place.name === name)?.list ? [] : null;
};

export const NAMES = [...Object.keys(SCALARS), ...PLACES.map(({ name }) => name)];
const SHARED = NAMES.filter(
  (name) => isShared(name) || PLACES.some((place) => place.name === name && !place.localized),
);

/** A component without the links that `keeps` drops, at every level. */
export function pruned(value: unknown, keeps: (target: Relation['target'], ref: Ref) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => pruned(item, keeps));
  if (typeof value !== 'object' || value === null || !('pins' in value)) return value;
  const { links }: ComponentModel = COMPONENTS['kit.box'];
  const lists = (links as readonly Relation[]).map(({ name, target }) => [
    name,
    ((value as Instance)[name] as readonly Ref[]).filter((ref) => keeps(target, ref)),
  ]);
  return { ...value, ...Object.fromEntries(lists) };
}

export const seen = (rows: ReadonlySet<string>, target: Relation['target'], ref: Ref, version: VersionName): boolean =>
  target === 'file' || rows.has(keyOf(target, ref, hasDrafts(target) ? version : 'published'));

/** The rows that there are afterwards. */
function rowsAfter(before: State, { type, ref, status, body }: Write): ReadonlySet<string> {
  const rows = new Set(before.keys());
  const written = hasDrafts(type) && status === 'draft' ? (['draft'] as const) : VERSIONS;
  for (const version of body ? written : VERSIONS)
    if (body) rows.add(keyOf(type, ref, version));
    else rows.delete(keyOf(type, ref, version));
  return rows;
}

/** The links of one end in one version become these; what one document alone may hold leaves the others. */
function replaced(links: readonly Link[], me: Ref, end: End, version: VersionName, others: readonly Ref[]) {
  const kept = links.filter((link) => {
    if (link.table !== end.table || link.version !== version) return true;
    if (near(link, end) === me) return false;
    const isTaken = end.exclusive && others.includes(far(link, end));
    return !isTaken || documentOf(near(link, end)) === documentOf(me);
  });
  return [...kept, ...others.map((other) => linkFrom(me, other, end, version))];
}

function published(links: readonly Link[], write: Write, rows: ReadonlySet<string>): readonly Link[] {
  const { type, ref } = write;
  const ends = TYPES.flatMap((source) => endsOf(source).map((end) => ({ ...end, source }))).filter(
    ({ source, target, owner }) => owner && (source === type || target === type),
  );
  let after = links;
  for (const { source, ...owned } of ends) {
    const sides: End[] = [];
    if (source === type) sides.push(owned);
    if (owned.target === type)
      sides.push({ ...owned, owner: false, target: source, exclusive: /^(mate|parent)/.test(owned.name) });
    for (const end of sides) {
      const drafts = after
        .filter((link) => link.table === end.table && link.version === 'draft' && near(link, end) === ref)
        .map((link) => far(link, end))
        .filter((other) => seen(rows, end.target, other, 'published'));
      if (end.owner || owned.inverse) {
        after = replaced(after, ref, end, 'published', drafts);
        continue;
      }
      // A one-way link is its holder's: the target adds itself to holders of its own type, and to those without drafts.
      if (source !== type && hasDrafts(source)) continue;
      const present = after.filter((link) => link.table === end.table && link.version === 'published');
      const added = drafts.filter((holder) =>
        owned.multiple
          ? !present.some((link) => link.source === holder && link.target === ref)
          : !present.some((link) => link.source === holder),
      );
      after = [...after, ...added.map((holder) => linkFrom(ref, holder, end, 'published'))];
    }
  }
  return after;
}

/** The other locales of the document whose versions follow what is shared. */
const siblings = (before: State, { type, ref }: Write, version: VersionName): readonly Ref[] =>
  [...before.keys()]
    .map((key) => key.split('/'))
    .filter(([of, documentId, , each]) => of === type && documentId === documentOf(ref) && each === version)
    .map(([, documentId, locale]) => `${documentId}/${locale}`)
    .filter((other) => other !== ref);

/** Values of the row that input goes to. */
function writtenValues(before: State, write: Write, body: Body): Record<string, readonly unknown[]> {
  const { type, ref } = write;
  const row = before.get(keyOf(type, ref, 'draft'));
  const others = VERSIONS.flatMap((version) =>
    siblings(before, write, version).map((other) => before.get(keyOf(type, other, version))),
  );
  return Object.fromEntries(
    NAMES.map((name) => {
      const sent = name in body.values;
      const inherits = !row && others.length > 0 && hasLocales(type) && SHARED.includes(name);
      if (inherits && (!sent || body.values[name] === null)) return [name, others.map((other) => other?.values[name])];
      if (sent) return [name, [body.values[name]]];
      return [name, [row ? row.values[name] : initial(name)]];
    }),
  );
}

export const mapped = (values: Record<string, readonly unknown[]>, change: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list.map(change)]));

function valuesAfter(before: State, write: Write, rows: ReadonlySet<string>): Expected['values'] {
  const { type, ref, status, body } = write;
  const values: Expected['values'] = new Map();
  for (const key of rows) {
    const [of, documentId, locale, version] = key.split('/') as [TypeName, string, string, VersionName];
    // A type without drafts shows what is there in the version that is asked for: its drafts show everything.
    const stored = before.get(hasDrafts(of) ? key : keyOf(of, `${documentId}/${locale}`, 'draft'));
    if (stored)
      values.set(
        key,
        mapped(Object.fromEntries(NAMES.map((name) => [name, [stored.values[name]]])), (value) =>
          pruned(value, (target, other) => seen(rows, target, other, version)),
        ),
      );
  }
  if (!body) return values;
  const written = writtenValues(before, write, body);
  const shown = (version: VersionName) =>
    mapped(written, (value) =>
      pruned(value, (target, other) => {
        const isSelf = target === type && documentOf(other) === documentOf(ref);
        return seen(rows, target, other, version) && !(isSelf && version === 'published' && hasDrafts(type));
      }),
    );
  const versions = hasDrafts(type) && status === 'draft' ? (['draft'] as const) : VERSIONS;
  for (const version of versions) {
    values.set(keyOf(type, ref, version), shown(version));
    if (!hasLocales(type) || (hasDrafts(type) && version !== status)) continue;
    for (const other of siblings(before, write, version)) {
      const key = keyOf(type, other, version);
      const own = values.get(key) ?? {};
      const shares = SHARED.map((name) => {
        const taken = shown(version)[name] ?? [];
        return [name, hasDrafts(type) || !(name in body.values) ? [...(own[name] ?? []), ...taken] : taken] as const;
      });
      values.set(key, { ...own, ...Object.fromEntries(shares) });
    }
  }
  return values;
}

export function expectedAfter(before: State, write: Write): Expected {
  const { type, ref, status, body } = write;
  const rows = rowsAfter(before, write);
  const values = valuesAfter(before, write, rows);
  const orders: Expected['orders'] = new Map();
  let links = linksOf(before);
  if (!body) {
    const isGone = (link: Link) => endsOf(type).some((end) => end.table === link.table && near(link, end) === ref);
    return { values, orders, links: links.filter((link) => !isGone(link) && !isTargetGone(link, write)) };
  }
  const ends = endsOf(type);
  for (const [name, change] of Object.entries(body.links)) {
    const end = ends.find((each) => each.name === name) as End;
    for (const version of hasDrafts(type) ? (['draft'] as const) : VERSIONS) {
      const present = before.get(keyOf(type, ref, version))?.links[name] ?? [];
      const wanted = change(present).filter((other) => seen(rows, end.target, other, version));
      links = replaced(links, ref, end, version, wanted);
      orders.set(`${keyOf(type, ref, version)}/${name}`, wanted);
    }
  }
  const publishes = hasDrafts(type) && status === 'published';
  if (publishes) links = published(links, write, rows);
  for (const { name, target, owner, inverse } of ends) {
    const key = `${keyOf(type, ref, 'draft')}/${name}`;
    const list = orders.get(key) ?? before.get(keyOf(type, ref, 'draft'))?.links[name] ?? [];
    if (publishes && (owner || inverse))
      orders.set(
        `${keyOf(type, ref, 'published')}/${name}`,
        list.filter((other) => seen(rows, target, other, 'published')),
      );
  }
  return { values, links, orders };
}

/** Of a one-way relation the other end has no attribute. */
const isTargetGone = (link: Link, { type, ref }: Write): boolean => {
  const [source = '', name] = link.table.split('.');
  const relation = RELATIONS[source as TypeName].find((each) => each.name === name);
  return relation?.target === type && link.target === ref;
};
