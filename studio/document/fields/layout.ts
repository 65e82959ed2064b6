/**
 * @module Where the inputs of a form stand: in a grid of 12 columns, as on Strapi's screens.
 */
import type { Attribute, Attributes } from '../../model/attribute.ts';
import { TYPES } from '../../model/attribute-types.ts';
import type { Layout } from '../../model/model.ts';

const isWide = ({ type, multiple }: Attribute): boolean => TYPES[type].isWide === true || multiple === true;

/**
 * Returns the attributes in the order of the layout, each with its `grid-column`. Those that the layout does not name
 * follow it: long values are as wide as the form, short ones half as wide.
 */
export function arranged(attributes: Attributes, layout: Layout = []): readonly (readonly [string, string])[] {
  const rows = layout.map((row) => row.filter(({ name }) => Object.hasOwn(attributes, name)));
  const named = rows.flatMap((row) =>
    row.map(({ name, size }, index) => [name, `${index === 0 ? '1 / ' : ''}span ${size}`] as const),
  );
  const names = new Set(named.map(([name]) => name));
  const others = Object.entries(attributes).filter(([name]) => !names.has(name));
  return [...named, ...others.map(([name, attribute]) => [name, `span ${isWide(attribute) ? 12 : 6}`] as const)];
}
