/**
 * @module The links that an entry of the history has.
 */
import { isOwner, isPolymorphic, ownedTable } from '../../../schema/attribute-kinds.ts';
import type { ContentType } from '../../../schema/model.ts';

interface OwnedLinks {
  /** Of the attribute. */
  readonly name: string;
  /** Their table. */
  readonly links: string;
  readonly columns: readonly string[];
}

const LINK = ['status', 'target_document_id', 'target_locale', 'position', 'inverse_position'];

/** The links that the documents of a type own, with the columns that are kept. */
export const ownedLinks = ({ table, attributes }: ContentType): readonly OwnedLinks[] =>
  [...attributes.values()].filter(isOwner).map((attribute) => ({
    name: attribute.name,
    links: ownedTable(table, attribute),
    columns: isPolymorphic(attribute) ? [...LINK, 'target_type'] : LINK,
  }));
