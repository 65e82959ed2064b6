/**
 * @module What an entry of the history has: the columns of a row, the links that its document owns, the types of both.
 */
import { memoized } from '../../common/cache.ts';
import type { ColumnAttribute } from '../../plan/model/component-attributes.ts';
import { type Attribute, type ContentType, isOwner, ownedTable } from '../../registry/model.ts';

const isOfRow = (attribute: Attribute): attribute is ColumnAttribute => 'column' in attribute;

/** The attributes whose value stands in the row itself. */
export const rowAttributes = memoized(
  ({ attributes }: ContentType): readonly ColumnAttribute[] => [...attributes.values()].filter(isOfRow),
  new WeakMap(),
);

/** Those whose values are kept: never a password, nor a component that has one. */
export const keptAttributes = memoized(
  (type: ContentType): readonly ColumnAttribute[] => rowAttributes(type).filter(({ name }) => !type.secret?.has(name)),
  new WeakMap(),
);

export interface OwnedLinks {
  /** Of the attribute. */
  readonly name: string;
  /** Their table. */
  readonly links: string;
  readonly isTyped: boolean;
}

/** The links that the documents of a type own. */
export const ownedLinks = ({ table, attributes }: ContentType): readonly OwnedLinks[] =>
  [...attributes.values()].filter(isOwner).map((attribute) => ({
    name: attribute.name,
    links: ownedTable(table, attribute),
    isTyped: attribute.kind === 'polymorphic',
  }));

const LINK = ['status', 'target_document_id', 'target_locale', 'position', 'inverse_position'];

/** The columns of a kept link. */
export const keptLinkColumns = (isTyped: boolean): readonly string[] => (isTyped ? [...LINK, 'target_type'] : LINK);

/** The types of attributes by name, to tell later which of them have changed. */
export function typesOf({ attributes, secret }: ContentType): Readonly<Record<string, string>> {
  const all = [...attributes.values()].flatMap((each) => {
    if (secret?.has(each.name)) return [];
    if (each.kind === 'scalar') return [[each.name, each.type] as const];
    if (each.kind === 'component')
      return [[each.name, `${each.repeatable ? 'list of ' : ''}${each.component}`] as const];
    return each.kind === 'dynamiczone' || isOwner(each) ? [[each.name, each.kind] as const] : [];
  });
  return Object.fromEntries(all);
}
