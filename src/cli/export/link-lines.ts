/**
 * @module Links as lines of an archive: from the owning side, with the places that its kind of relation has.
 */
import type { ContentType, Registry, RelationAttribute } from '../../registry/model.ts';
import { LINK_STEP } from '../../registry/names.ts';
import { FILE_UID, ROLE_UID } from '../../registry/system-types.ts';
import type { Status } from '../../request/query-params.ts';
import type { Row } from '../../sql/statement.ts';
import { linkTablesOf } from '../core/sql/type-tables.ts';
import { linksOf } from './read-tables.ts';
import type { RowIndex } from './row-index.ts';

interface End {
  readonly type: string;
  readonly field: string;
  readonly ref: number;
  readonly pos: number;
}

const ORDERED_OUT: ReadonlySet<string> = new Set(['manyToMany', 'oneToMany']);
const ORDERED_IN: ReadonlySet<string> = new Set(['manyToMany', 'manyToOne']);

/** `left` is the owning side. */
export function relationLink(attribute: RelationAttribute, left: End, right: Omit<End, 'field'>): object {
  const { relation, inverse } = attribute;
  const { pos: place, ...near } = left;
  const { pos: inversePlace, ...far } = right;
  return {
    kind: near.type === far.type ? 'relation.circular' : 'relation.basic',
    relation,
    left: { ...near, ...(ORDERED_OUT.has(relation) && { pos: place }) },
    right: {
      ...far,
      ...(inverse !== undefined && { field: inverse }),
      ...(inverse !== undefined && ORDERED_IN.has(relation) && { pos: inversePlace }),
    },
  };
}

/** A file is the owner of its uses. */
export const mediaLink = (file: number, use: End): object => ({
  kind: 'relation.morph',
  relation: 'morphToMany',
  left: { type: FILE_UID, field: 'related', ref: file },
  right: { ref: use.ref, pos: use.pos, type: use.type, field: use.field },
});

const place = (position: unknown): number => Number(position) / LINK_STEP;

const versionOf = (type: ContentType, status: Status): Status => (type.draftAndPublish ? status : 'published');

interface Context {
  readonly registry: Registry;
  readonly index: RowIndex;
}

function rowLink(row: Row, source: ContentType, name: string, { registry, index }: Context): object | undefined {
  const attribute = source.attributes.get(name);
  const targetUid = attribute?.kind === 'relation' ? attribute.target : FILE_UID;
  const target = registry.contentTypes.get(targetUid);
  if (!target) return undefined;
  const status = row.status as Status;
  const find = (type: ContentType, end: 'source' | 'target') =>
    index.find(type.uid, String(row[`${end}_document_id`]), String(row[`${end}_locale`]), versionOf(type, status));
  const near = find(source, 'source');
  const far = find(target, 'target');
  if (near === undefined || far === undefined) return undefined;
  const end: End = { type: source.uid, field: name, ref: near, pos: place(row.position) };
  if (attribute?.kind === 'media') return mediaLink(far, end);
  if (attribute?.kind !== 'relation') return undefined;
  // Strapi's users know their role from both sides.
  const declared = targetUid === ROLE_UID ? { ...attribute, inverse: 'users' } : attribute;
  return relationLink(declared, end, { type: targetUid, ref: far, pos: place(row.inverse_position) });
}

/** The links of the tables that a type owns. */
export async function* linkLines(db: D1Database, source: ContentType, context: Context): AsyncGenerator<object> {
  for (const [name, table] of linkTablesOf(source))
    for await (const page of linksOf(db, table))
      for (const row of page) {
        const link = rowLink(row, source, name, context);
        if (link) yield link;
      }
}
