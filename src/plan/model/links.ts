/**
 * @module Relations and media attributes, the links of documents, and the tables that hold them.
 */
import type { Attribute, ContentType, MediaAttribute, RelationAttribute } from '../../registry/model.ts';
import { FILE_UID } from '../../registry/system-types.ts';

export type LinkAttribute = RelationAttribute | MediaAttribute;

export const targetUid = (attribute: LinkAttribute): string =>
  attribute.kind === 'media' ? FILE_UID : attribute.target;

export const linkAttributes = (attributes: ReadonlyMap<string, Attribute>): readonly LinkAttribute[] =>
  [...attributes.values()].filter((attribute) => attribute.kind === 'relation' || attribute.kind === 'media');

/** A target as a link names it. `''` as locale: the target has none, or follows the locale of the row that links. */
export interface Link {
  readonly documentId: string;
  readonly locale: string;
}

/** A row of a target type, as far as links are concerned. */
export interface TargetRow {
  readonly id: number;
  readonly documentId: string;
  readonly locale: string;
  readonly published: boolean;
}

/** The link table of a relation, seen from one of its sides. */
export interface LinkTable {
  readonly name: string;
  /** The type whose rows are the sources of the links. */
  readonly source: ContentType;
  readonly target: ContentType;
  /** Do both ends know the relation? A link that only its source knows is published with the source alone. */
  readonly mutual: boolean;
  /** May a source have one link alone? */
  readonly single: boolean;
  /** Which ends are exclusive: what such an end links to is unlinked from its other holders. */
  readonly exclusive: { readonly source: boolean; readonly target: boolean };
}

/** A link table as one of its ends sees it. */
export interface LinkEnd {
  readonly table: LinkTable;
  /** Is the end at hand the source? */
  readonly owner: boolean;
}
