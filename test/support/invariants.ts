/**
 * @module What must hold in the database between any two requests, read from all of its tables.
 */

import { linkAttributes } from '../../src/content/plan/model/links.ts';
import { isOwner, ownedTable } from '../../src/schema/attribute-kinds.ts';
import { FIELDS } from '../../src/schema/fields.ts';
import type { ContentType, LinkAttribute, Registry, ScalarAttribute } from '../../src/schema/model.ts';
import { COUNTER_TABLE, OVERFLOW_COLUMN } from '../../src/schema/names.ts';
import { FILE_UID } from '../../src/schema/system-types.ts';
import { componentComplaints, pairComplaints } from './component-invariants.ts';
import { searchComplaints } from './search-invariants.ts';
import { type ContentRow, type LinkRow, statusOf, versionName, type World } from './stored-world.ts';

interface Relation {
  readonly name: string;
  readonly attribute: LinkAttribute;
  readonly source: ContentType;
  readonly target: ContentType;
}

function relationsOf(source: ContentType, { contentTypes }: Registry): readonly Relation[] {
  return linkAttributes(source.attributes)
    .filter(isOwner)
    .flatMap((attribute): readonly Relation[] => {
      const name = ownedTable(source.table, attribute);
      if (attribute.kind === 'polymorphic')
        return [...contentTypes.values()].map((target) => ({ name, attribute, source, target }));
      const target = contentTypes.get(attribute.kind === 'media' ? FILE_UID : attribute.target);
      return target ? [{ name, attribute, source, target }] : [];
    });
}

/** Reads all tables at once: tests do this after each of thousands of writes. */
async function readWorld(db: D1Database, registry: Registry): Promise<World> {
  const types = [...registry.contentTypes.values()];
  const links = [...new Set(types.flatMap((type) => relationsOf(type, registry).map(({ name }) => name)))];
  const tables = [COUNTER_TABLE, ...types.map(({ table }) => table), ...links];
  const found = await db.batch(tables.map((table) => db.prepare(`select * from "${table}" order by 1`)));
  const [counters = [], ...rows] = found.map(({ results }) => results);
  return {
    rows: new Map(types.map((type, at) => [type, (rows[at] ?? []) as ContentRow[]])),
    links: new Map(links.map((name, at) => [name, (rows[types.length + at] ?? []) as LinkRow[]])),
    counters: counters as World['counters'],
  };
}

/** Keys that more than one of the items has. */
function repeated<T>(items: readonly T[], keyOf: (item: T) => string): readonly string[] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).map(([key]) => key);
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function versionComplaints(type: ContentType, rows: readonly ContentRow[]): readonly string[] {
  const twice = repeated(rows, versionName).map((version) => `${type.table}: more than one row of ${version}`);
  const drafts = type.draftAndPublish ? [] : rows.filter((row) => statusOf(row) === 'draft');
  const foreign = type.localized
    ? rows.filter(({ locale }) => locale === '')
    : rows.filter(({ locale }) => locale !== '');
  return [
    ...twice,
    ...drafts.map((row) => `${type.table}: ${versionName(row)} is a draft of a type without drafts`),
    ...foreign.map((row) => `${type.table}: ${versionName(row)} has a locale that its type cannot have`),
  ];
}

function counterComplaints(type: ContentType, rows: readonly ContentRow[], { counters }: World): readonly string[] {
  const keyOf = (locale: string, status: string) => `${locale}/${status}`;
  const counted = groupBy(rows, (row) => keyOf(row.locale, statusOf(row)));
  const kept = new Map(
    counters.filter((row) => row.type === type.uid).map((row) => [keyOf(row.locale, row.status), row.total]),
  );
  return [...new Set([...counted.keys(), ...kept.keys()])]
    .filter((key) => (counted.get(key)?.length ?? 0) !== (kept.get(key) ?? 0))
    .map(
      (key) => `${type.table}: ${key} counts ${counted.get(key)?.length ?? 0}, the counter says ${kept.get(key) ?? 0}`,
    );
}

const endName = (documentId: string, locale: string): string => `${documentId}/${locale}`;

/** Both ends of a link are there, in the version of the link, or as drafts; documents with locales are linked within one. */
function endComplaints(relation: Relation, links: readonly LinkRow[], world: World): readonly string[] {
  const ends = ([relation.source, relation.target] as const).map((type) => {
    const rows = (world.rows.get(type) ?? []).map((row) => ({ name: endName(row.document_id, row.locale), row }));
    return new Set(rows.map(({ name, row }) => `${name}/${statusOf(row)}`));
  });
  // Links wait for documents that are not published any more.
  const versionsOf = (type: ContentType, { status }: LinkRow) =>
    type.draftAndPublish ? [status, 'draft'] : ['published'];
  const isThere = (end: number, type: ContentType, name: string, link: LinkRow) =>
    versionsOf(type, link).some((version) => ends[end]?.has(`${name}/${version}`));
  const follows = relation.source.localized && relation.target.localized;
  return links.flatMap((link) => {
    const source = endName(link.source_document_id, link.source_locale);
    const target = endName(link.target_document_id, link.target_locale);
    const at = `${relation.name}: the ${link.status} link from ${source} to ${target}`;
    return [
      ...(isThere(0, relation.source, source, link) ? [] : [`${at} has no source`]),
      ...(isThere(1, relation.target, target, link) ? [] : [`${at} has no target`]),
      ...(follows && link.source_locale !== link.target_locale ? [`${at} leads to another locale`] : []),
    ];
  });
}

/** A link has a version; where neither end has drafts there is one alone. */
function statusComplaints({ name, source, target }: Relation, links: readonly LinkRow[]): readonly string[] {
  const known = source.draftAndPublish || target.draftAndPublish ? ['draft', 'published'] : ['published'];
  return links
    .filter(({ status }) => !known.includes(status))
    .map(({ source_document_id, status }) => `${name}: the link of ${source_document_id} is ${status}`);
}

/** Ends with links to more than one document; where locales do not follow, those of one document count as one. */
const severalEnds = (
  links: readonly LinkRow[],
  endOf: (link: LinkRow) => string,
  otherOf: (link: LinkRow) => string,
): readonly (readonly [end: string, others: readonly string[]])[] =>
  [...groupBy(links, endOf)]
    .map(([end, group]) => [end, [...new Set(group.map(otherOf))]] as const)
    .filter(([, others]) => others.length > 1);

/** In each version a document holds what no other may hold: the target of a two-way one-to-one relation. */
function sharedEnds({ name, attribute }: Relation, links: readonly LinkRow[]): readonly string[] {
  if (attribute.kind !== 'relation' || attribute.relation !== 'oneToOne' || attribute.inverse === undefined) return [];
  const targetOf = (link: LinkRow) => `${endName(link.target_document_id, link.target_locale)}/${link.status}`;
  return severalEnds(links, targetOf, (link) => link.source_document_id).map(
    ([target, holders]) => `${name}: ${target} is held by ${holders.length} documents: ${holders.join(', ')}`,
  );
}

function linkComplaints(relation: Relation, world: World): readonly string[] {
  const { name, attribute } = relation;
  const all = world.links.get(name) ?? [];
  const links = attribute.kind === 'polymorphic' ? all.filter((link) => link.target_type === relation.target.uid) : all;
  const sourceOf = (link: LinkRow) => `${endName(link.source_document_id, link.source_locale)}/${link.status}`;
  const broken = links.filter(
    ({ position, inverse_position }) => ![position, inverse_position].every(Number.isInteger),
  );
  // Published links take their place from the draft; where another one has it already, they stand behind it.
  const drafts = links.filter(({ status }) => status === 'draft');
  const places = repeated(drafts, (link) => `${sourceOf(link)} at ${link.position}`);
  const triples = repeated(
    links,
    (link) => `${sourceOf(link)} to ${endName(link.target_document_id, link.target_locale)}`,
  );
  // Behind a single file others may wait.
  const isSingle = attribute.kind !== 'media' && !attribute.multiple;
  const sources = isSingle ? severalEnds(links, sourceOf, (link) => link.target_document_id) : [];
  return [
    ...places.map((place) => `${name}: more than one link of ${place}`),
    ...triples.map((triple) => `${name}: more than one link from ${triple}`),
    ...sources.map(([source, targets]) => `${name}: ${source} may have one link, it has ${targets.join(', ')}`),
    ...broken.map((link) => `${name}: a link of ${sourceOf(link)} has a place that is no whole number`),
    ...statusComplaints(relation, links),
    ...endComplaints(relation, links, world),
    ...sharedEnds(relation, links),
  ];
}

function isJson(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  try {
    JSON.parse(value as string);
    return typeof value === 'string';
  } catch {
    return false;
  }
}

const holdsJson = ({ kind }: { readonly kind: string }, type?: ScalarAttribute['type']): boolean =>
  kind === 'component' || kind === 'dynamiczone' || type === 'json' || type === 'blocks';

/** Every column that must hold JSON does. */
function jsonComplaints(type: ContentType, rows: readonly ContentRow[]): readonly string[] {
  const columns = [...type.attributes.values()].flatMap((attribute) => {
    if (attribute.kind === 'scalar' && attribute.overflow) return [OVERFLOW_COLUMN];
    const kind = attribute.kind === 'scalar' ? attribute.type : undefined;
    return 'column' in attribute && holdsJson(attribute, kind) ? [attribute.column] : [];
  });
  return rows.flatMap((row) =>
    [...new Set(columns)]
      .filter((column) => !isJson(row[column]))
      .map((column) => `${type.table}: ${column} of ${versionName(row)} is no JSON`),
  );
}

function storedValue(
  row: ContentRow,
  attribute: { readonly name: string; readonly column: string },
  overflow: boolean,
) {
  if (!overflow) return row[attribute.column] ?? null;
  const text = row[OVERFLOW_COLUMN];
  return typeof text === 'string' ? ((JSON.parse(text) as Record<string, unknown>)[attribute.name] ?? null) : null;
}

/** The same component has an id in each locale that inherited it. */
const withoutIds = ({ kind }: { readonly kind: string }, value: unknown): unknown =>
  holdsJson({ kind }) && typeof value === 'string'
    ? JSON.stringify(JSON.parse(value), (key, item: unknown) => (key === 'id' || item === null ? undefined : item))
    : value;

/**
 * What locales share is the same in all rows of a document without drafts. With drafts locales may differ: publishing
 * one changes its own draft and leaves those of the others alone, and publishing an earlier draft shares nothing.
 */
function sharingComplaints(type: ContentType, world: World, registry: Registry): readonly string[] {
  if (!type.localized || type.draftAndPublish) return [];
  const columns = [...type.attributes.values()].filter(
    (attribute) => 'column' in attribute && attribute.writable && !attribute.localized,
  ) as ScalarAttribute[];
  const tables = relationsOf(type, registry).filter(({ attribute }) => !attribute.localized);
  const linksOf = (name: string, { document_id, locale }: ContentRow) =>
    (world.links.get(name) ?? [])
      .filter((link) => link.status === 'published')
      .filter((link) => link.source_document_id === document_id && link.source_locale === locale)
      .sort((a, b) => a.position - b.position)
      .map((link) => [link.target_document_id, link.target_locale]);
  return [...groupBy(world.rows.get(type) ?? [], ({ document_id }) => document_id)].flatMap(([documentId, rows]) => {
    const differs = (partOf: (row: ContentRow) => unknown) =>
      new Set(rows.map((row) => JSON.stringify(partOf(row)))).size > 1;
    const names = [
      ...columns.filter((attribute) =>
        differs((row) => withoutIds(attribute, storedValue(row, attribute, attribute.overflow === true))),
      ),
      ...tables.filter(({ name }) => differs((row) => linksOf(name, row))).map(({ attribute }) => attribute),
    ];
    return names.map(({ name }) => `${type.table}: the locales of ${documentId} differ in ${name}`);
  });
}

/** Scalars are of the form that their column is read in. */
function scalarComplaints(type: ContentType, rows: readonly ContentRow[]): readonly string[] {
  const numbers = [...type.attributes.values()].filter(
    (attribute): attribute is ScalarAttribute =>
      attribute.kind === 'scalar' && !attribute.overflow && FIELDS[attribute.type].affinity !== 'text',
  );
  return rows.flatMap((row) =>
    numbers
      .filter(({ column }) => row[column] !== null && typeof row[column] !== 'number')
      .map(({ column }) => `${type.table}: ${column} of ${versionName(row)} is no number`),
  );
}

/**
 * Reads every table and tells what is wrong; an empty list when all is well. Rows of the system types are written by
 * hand in tests and are not counted.
 */
export async function checkInvariants(db: D1Database, registry: Registry): Promise<readonly string[]> {
  const world = await readWorld(db, registry);
  const searched = await Promise.all([...world.rows].map(([type, rows]) => searchComplaints(db, type, rows)));
  const stored = [...world.rows].flatMap(([type, rows]) => {
    const broken = jsonComplaints(type, rows);
    const parsed = broken.length > 0 ? [] : rows;
    return [
      ...versionComplaints(type, rows),
      ...(type.system ? [] : counterComplaints(type, rows, world)),
      ...relationsOf(type, registry).flatMap((relation) => linkComplaints(relation, world)),
      ...broken,
      ...scalarComplaints(type, rows),
      ...componentComplaints(type, parsed, registry),
      ...pairComplaints(type, parsed, registry),
      ...(broken.length > 0 ? [] : sharingComplaints(type, world, registry)),
    ];
  });
  return [...stored, ...searched.flat()];
}
