/**
 * @module What an entry of the history has: the columns of a row, the links that its document owns, the types of both.
 */
import { type ContentType, isOwner, ownedTable } from '../../registry/model.ts';
import { OVERFLOW_COLUMN } from '../../registry/names.ts';

/** The columns of a type whose values are kept: never a password. */
export function keptColumns({ attributes }: ContentType): readonly string[] {
  const columns = ['id', 'document_id', 'locale'];
  for (const each of attributes.values()) {
    if (each.kind === 'scalar' && each.type !== 'password') columns.push(each.overflow ? OVERFLOW_COLUMN : each.column);
    if (each.kind === 'component' || each.kind === 'dynamiczone') columns.push(each.column);
  }
  return [...new Set(columns)];
}

/** The link tables that the documents of a type own. */
export const ownedLinks = ({ table, attributes }: ContentType): readonly { name: string; isTyped: boolean }[] =>
  [...attributes.values()]
    .filter(isOwner)
    .map((attribute) => ({ name: ownedTable(table, attribute), isTyped: attribute.kind === 'polymorphic' }));

/** Columns of integers that JSON does not hold exactly. */
export const bigColumns = ({ attributes }: ContentType): ReadonlySet<string> =>
  new Set(
    [...attributes.values()].flatMap((each) =>
      each.kind === 'scalar' && each.type === 'biginteger' && !each.overflow ? [each.column] : [],
    ),
  );

const LINK = ['status', 'target_document_id', 'target_locale', 'position', 'inverse_position'];

/** The columns of a kept link. */
export const keptLinkColumns = (isTyped: boolean): readonly string[] => (isTyped ? [...LINK, 'target_type'] : LINK);

/** The types of attributes by name, to tell later which of them have changed. */
export function typesOf({ attributes }: ContentType): Readonly<Record<string, string>> {
  const all = [...attributes.values()].flatMap((each) => {
    if (each.kind === 'scalar') return each.type === 'password' ? [] : [[each.name, each.type] as const];
    if (each.kind === 'component')
      return [[each.name, `${each.repeatable ? 'list of ' : ''}${each.component}`] as const];
    return each.kind === 'dynamiczone' || isOwner(each) ? [[each.name, each.kind] as const] : [];
  });
  return Object.fromEntries(all);
}
