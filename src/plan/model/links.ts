/**
 * @module Relations and media attributes, the links of documents, and their tables.
 */
import type { Attribute, ContentType, MediaAttribute, RelationAttribute } from '../../registry/model.ts';
import { FILE_UID } from '../../registry/system-types.ts';

export type LinkAttribute = RelationAttribute | MediaAttribute;

export const targetUid = (attribute: LinkAttribute): string =>
  attribute.kind === 'media' ? FILE_UID : attribute.target;

export const linkAttributes = (attributes: ReadonlyMap<string, Attribute>): readonly LinkAttribute[] =>
  [...attributes.values()].filter((attribute) => attribute.kind === 'relation' || attribute.kind === 'media');

/** A link to a document. The locale is `''` for a target without locales, or in the locale of the linking row. */
export interface Link {
  readonly documentId: string;
  readonly locale: string;
}

/** A row of a target type. */
export interface TargetRow {
  readonly id: number;
  readonly documentId: string;
  readonly locale: string;
  readonly published: boolean;
}

/** The link table of a relation. */
export interface LinkTable {
  readonly name: string;
  readonly source: ContentType;
  readonly target: ContentType;
  /** Do both sides have the relation? Links of a one-way relation are published with their source only. */
  readonly mutual: boolean;
  /** Has a source at most one link? */
  readonly single: boolean;
  /** The sides that are exclusive: their links are removed from other documents. */
  readonly exclusive: { readonly source: boolean; readonly target: boolean };
}

/** One side of a link table: the source if `owner`. */
export interface LinkEnd {
  readonly table: LinkTable;
  readonly owner: boolean;
}
