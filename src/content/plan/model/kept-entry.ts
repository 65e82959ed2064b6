/**
 * @module What an entry of the history has: the values of a row, the links that its document owns, the types of both.
 */
import { memoized } from '../../../common/cache.ts';
import { hasColumn, isComponent, isOwner, isScalar, isZone } from '../../../schema/attribute-kinds.ts';
import type { Stored } from '../../../schema/fields.ts';
import type { Attribute, ColumnAttribute, ContentType } from '../../../schema/model.ts';

export interface Entry {
  /** By column. */
  readonly values: Readonly<Record<string, Stored>>;
  /** By attribute: status, documentId, locale, two positions, and the type in a polymorphic relation. */
  readonly links: Readonly<Record<string, readonly (readonly Stored[])[]>>;
  /** Types of the attributes, by name. */
  readonly types: Readonly<Record<string, string>>;
  /** How many steps of renames came before it. */
  readonly renames: number;
}

/** The attributes whose value stands in the row itself. */
export const rowAttributes = memoized(
  ({ attributes }: ContentType): readonly ColumnAttribute[] => [...attributes.values()].filter(hasColumn),
  new WeakMap(),
);

/** Those whose values are kept: never a password, nor a component that has one. */
export const keptAttributes = memoized(
  (type: ContentType): readonly ColumnAttribute[] => rowAttributes(type).filter(({ name }) => !type.secret?.has(name)),
  new WeakMap(),
);

function typeOf(attribute: Attribute): string | undefined {
  if (isScalar(attribute)) return attribute.type;
  if (isComponent(attribute)) return `${attribute.repeatable ? 'list of ' : ''}${attribute.component}`;
  return isZone(attribute) || isOwner(attribute) ? attribute.kind : undefined;
}

/** The types of attributes by name, to tell later which of them have changed. */
export const typesOf = ({ attributes, secret }: ContentType): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...attributes.values()].flatMap((attribute) => {
      const type = secret?.has(attribute.name) ? undefined : typeOf(attribute);
      return type === undefined ? [] : [[attribute.name, type]];
    }),
  );
