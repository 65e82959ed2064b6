/**
 * @module Builds the links of an archive: from the owning side, with the positions that their kind of relation has.
 */
import type { ContentType, MediaAttribute, RelationAttribute } from '../../registry/model.ts';
import { LINK_STEP } from '../../registry/names.ts';
import { FILE_UID, ROLE_UID } from '../../registry/system-types.ts';
import type { Status } from '../../request/query-params.ts';
import type { Row } from '../../sql/statement.ts';
import { linkTablesOf } from '../core/sql/type-tables.ts';
import { linksOf } from './read-tables.ts';
import type { EntityContext } from './row-index.ts';

interface Side {
  readonly type: string;
  readonly field: string;
  readonly ref: number;
  readonly pos: number;
}

const ORDERED_SOURCES: ReadonlySet<string> = new Set(['manyToMany', 'oneToMany']);
const ORDERED_TARGETS: ReadonlySet<string> = new Set(['manyToMany', 'manyToOne']);

type LinkAttribute = MediaAttribute | RelationAttribute;

function linkLine(attribute: LinkAttribute, source: Side, target: Omit<Side, 'field'>): object {
  // Strapi stores these links from the file to its uses.
  if (attribute.kind === 'media')
    return {
      kind: 'relation.morph',
      relation: 'morphToMany',
      left: { type: FILE_UID, field: 'related', ref: target.ref },
      right: source,
    };
  const { relation, inverse } = attribute;
  const { pos, ...left } = source;
  const { pos: inversePos, ...right } = target;
  return {
    kind: left.type === right.type ? 'relation.circular' : 'relation.basic',
    relation,
    left: { ...left, ...(ORDERED_SOURCES.has(relation) && { pos }) },
    right: {
      ...right,
      ...(inverse !== undefined && { field: inverse }),
      ...(inverse !== undefined && ORDERED_TARGETS.has(relation) && { pos: inversePos }),
    },
  };
}

/** The version that contains a component. */
export interface Owner {
  readonly locale: string;
  readonly status: Status;
  readonly draftAndPublish: boolean;
}

interface InnerLinks {
  readonly uid: string;
  readonly id: number;
  readonly attribute: LinkAttribute;
  readonly links: unknown;
  readonly owner: Owner;
}

interface StoredLink {
  readonly documentId: string;
  readonly locale?: string;
}

/** Returns the linked rows: a type without drafts links to both versions of a document. */
function targetRows(target: string, { documentId, locale }: StoredLink, owner: Owner, context: EntityContext) {
  const type = context.registry.contentTypes.get(target);
  const targetLocale = type?.localized ? locale || owner.locale : '';
  const find = (status: Status) => context.index.find(target, documentId, targetLocale, status) ?? [];
  if (!type?.draftAndPublish) return [find('published')].flat();
  return (owner.draftAndPublish ? [owner.status] : (['draft', 'published'] as const)).flatMap(find);
}

/** Keeps the links of a component for the links of the archive. */
export function keepInnerLinks({ uid, id, attribute, links, owner }: InnerLinks, context: EntityContext): void {
  if (!Array.isArray(links)) return;
  const target = attribute.kind === 'media' ? FILE_UID : attribute.target;
  for (const [index, link] of (links as readonly StoredLink[]).entries())
    for (const ref of targetRows(target, link, owner, context)) {
      const pos = index + 1;
      const source = { type: uid, field: attribute.name, ref: id, pos };
      context.index.keep(linkLine(attribute, source, { type: target, ref, pos }));
    }
}

function rowLink(row: Row, source: ContentType, name: string, { registry, index }: EntityContext): object | undefined {
  const attribute = source.attributes.get(name);
  if (attribute?.kind !== 'media' && attribute?.kind !== 'relation') return undefined;
  const targetUid = attribute.kind === 'relation' ? attribute.target : FILE_UID;
  const target = registry.contentTypes.get(targetUid);
  if (!target) return undefined;
  const find = ({ uid, draftAndPublish }: ContentType, side: 'source' | 'target') => {
    const status = draftAndPublish ? (row.status as Status) : 'published';
    return index.find(uid, String(row[`${side}_document_id`]), String(row[`${side}_locale`]), status);
  };
  const sourceRow = find(source, 'source');
  const ref = find(target, 'target');
  if (sourceRow === undefined || ref === undefined) return undefined;
  // In Strapi, this relation of users has two sides.
  const declared = targetUid === ROLE_UID ? { ...attribute, inverse: 'users' } : attribute;
  const side: Side = { type: source.uid, field: name, ref: sourceRow, pos: Number(row.position) / LINK_STEP };
  return linkLine(declared, side, { type: targetUid, ref, pos: Number(row.inverse_position) / LINK_STEP });
}

/** Builds the links that a type owns. */
export async function* linkLines(db: D1Database, source: ContentType, context: EntityContext): AsyncGenerator<object> {
  for (const [name, table] of linkTablesOf(source))
    for await (const row of linksOf(db, table)) {
      const link = rowLink(row, source, name, context);
      if (link) yield link;
    }
}
