/**
 * @module Relations and media attributes, the links of documents, and their tables.
 */
import { isLinkAttribute, isPolymorphic } from '../../../schema/attribute-kinds.ts';
import type { Attribute, ContentType, LinkAttribute } from '../../../schema/model.ts';
import { FILE_UID } from '../../../schema/system-types.ts';

/** @param named the type that a target of a polymorphic attribute names */
export function targetUid(attribute: LinkAttribute, named?: string): string {
  if (isPolymorphic(attribute)) return named ?? '';
  return attribute.kind === 'media' ? FILE_UID : attribute.target;
}

export const linkAttributes = (attributes: ReadonlyMap<string, Attribute>): readonly LinkAttribute[] =>
  [...attributes.values()].filter(isLinkAttribute);

/** A link to a document. The locale is `''` for a target without locales, or in the locale of the linking row. */
export interface Link {
  readonly documentId: string;
  readonly locale: string;
  /** uid of the target's type, in a polymorphic relation. */
  readonly type?: string;
}

/** A row of a target type. */
export interface TargetRow {
  /** `NaN` of a row that does not exist yet. */
  readonly id: number;
  readonly documentId: string;
  readonly locale: string;
  readonly published: boolean;
  /** Does a stored component link to it, and may the caller not find it? */
  readonly isHidden?: true;
}

/** The link table of a relation; of a polymorphic one, its links to one type. */
export interface LinkTable {
  readonly name: string;
  readonly source: ContentType;
  readonly target: ContentType;
  /** The uid of the target, if the table stores it. */
  readonly targetType?: string;
  /** Do both sides have the relation? Links of a one-way relation are published with their source only. */
  readonly mutual: boolean;
  /** Has a source at most one link? */
  readonly single: boolean;
  /** The sides that are exclusive: their links are removed from other documents. */
  readonly exclusive: { readonly source: boolean; readonly target: boolean };
}

/** One side of a link table, with one target each: the source if `owner`. Only a polymorphic source has several. */
export interface LinkEnd {
  readonly tables: readonly [LinkTable, ...LinkTable[]];
  readonly owner: boolean;
}
