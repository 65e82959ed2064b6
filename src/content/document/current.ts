/**
 * @module Rows of the preconditions of a write → the current document.
 */
import { readList } from '../../common/json.ts';
import { isScalar } from '../../schema/attribute-kinds.ts';
import type { Stored } from '../../schema/fields.ts';
import type { ColumnAttribute } from '../../schema/model.ts';
import type { TargetRow } from '../plan/model/links.ts';
import type { Current, PresentLink, Version } from '../plan/model/write-request.ts';
import type { LinkLookup, Preconditions } from '../plan/write/preconditions.ts';
import type { Row } from '../sql/statement.ts';
import type { PreconditionRows } from '../sql/write/preconditions.ts';
import { overflowOf } from './assemble.ts';

const isStored = (value: unknown): value is Stored => typeof value === 'string' || typeof value === 'number';

/** Returns the stored values of a version, by attribute. */
function readVersion(row: Row, columns: readonly ColumnAttribute[]): Version {
  const overflow = overflowOf(row);
  const values = columns.map((attribute) => {
    const spilled = isScalar(attribute) && attribute.overflow;
    const stored = spilled ? overflow[attribute.name] : row[attribute.column];
    return [attribute, isStored(stored) ? stored : null] as const;
  });
  return {
    documentId: String(row.document_id),
    locale: String(row.locale),
    status: row.published_at === null ? 'draft' : 'published',
    values: new Map(values),
    updatedAt: Number(row.updated_at),
    isPublished: row.is_published === 1,
  };
}

const identityOf = (row: Row) => ({
  documentId: String(row.document_id),
  locale: String(row.locale),
  published: row.published === 1,
  ...(row.hidden === 1 && { isHidden: true as const }),
});

const readTarget = (row: Row): TargetRow => ({ id: Number(row.id), ...identityOf(row) });

const readLink = (row: Row, { status }: LinkLookup): PresentLink => ({
  ...identityOf(row),
  status,
  position: Number(row.position),
  ...(typeof row.type === 'string' && { type: row.type }),
});

/** Concatenates the lists of each key, in the order of the lookups. */
function gathered<Key, T>(results: readonly (readonly [Key, readonly T[]])[]): ReadonlyMap<Key, readonly T[]> {
  const found = new Map<Key, readonly T[]>();
  for (const [key, list] of results) found.set(key, [...(found.get(key) ?? []), ...list]);
  return found;
}

/** Rows by the uid of their type. */
const readTargets = (results: PreconditionRows['targets']): Current['targets'] =>
  gathered(results.map(({ lookup, rows }) => [lookup.type.uid, rows.map(readTarget)]));

/** Present links by attribute. */
const readLinks = (results: PreconditionRows['links']): Current['links'] =>
  gathered(results.map(({ lookup, rows }) => [lookup.attribute, rows.map((row) => readLink(row, lookup))]));

/** Ends whose links are equal in both versions. */
function readEqualEnds({ lookup, rows: [row] }: PreconditionRows['copied'][number]): readonly string[] {
  const isEqual = readList(row?.equal).flat();
  return [...lookup.ends.keys()].filter((_, index) => isEqual[index] === 1);
}

/** Of links of every version, those of one. */
function linksOfVersion(results: PreconditionRows['links'], version: Version | undefined): Current['links'] {
  const isOfVersion = ({ own_locale, own_status }: Row) =>
    own_locale === version?.locale && own_status === version?.status;
  return readLinks(results.map((result) => ({ ...result, rows: result.rows.filter(isOfVersion) })));
}

/** Values by the key of their path. */
function readTaken(results: PreconditionRows['uniquePaths']): Current['takenAt'] {
  const found = results.flatMap(({ lookup, rows }) =>
    lookup.map(({ path }, index) => {
      const own = rows.filter((row) => row.place === index);
      return [path.key, new Set(own.map(({ value }) => value))] as const;
    }),
  );
  return new Map(found);
}

/** @param seen the ids of the rows that the caller sees, of which a new locale inherits; absent: all */
export function readCurrent(
  preconditions: Preconditions,
  results: PreconditionRows,
  seen?: ReadonlySet<unknown>,
): Current {
  const { row: asked, columns } = preconditions;
  const versions = results.versions.map((row) => readVersion(row, columns));
  const written = versions.filter(({ status }) => status === asked.status);
  const row = written.find(({ locale }) => locale === asked.locale);
  const [original] = written.toSorted((a, b) => (a.locale < b.locale ? -1 : 1));
  const published = versions.find(({ locale, status }) => locale === asked.locale && status === 'published');
  const source = versions[results.versions.findIndex(({ id }) => !seen || seen.has(id))];
  const taken = results.unique.flatMap(({ lookup, rows: [found] }) =>
    lookup.filter((_, index) => found?.[index] === 1).map(({ attribute }) => attribute.name),
  );
  return {
    ...(row && { row }),
    ...(published && { published }),
    ...(source && { source }),
    ...(original && { original }),
    taken: new Set(taken),
    takenAt: readTaken(results.uniquePaths),
    targets: readTargets(results.targets),
    innerTargets: readTargets([...results.targets, ...results.inner]),
    links: readLinks(results.links),
    originalLinks: linksOfVersion(results.sharedLinks, original),
    sourceLinks: linksOfVersion(results.sharedLinks, source),
    equalEnds: new Set(results.copied.flatMap(readEqualEnds)),
  };
}
