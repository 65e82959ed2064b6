/**
 * @module Predicates of the kinds of attributes: a new kind needs a result of each.
 */
import { kindOf } from '../common/kinds.ts';
import { FIELDS } from './fields.ts';
import type {
  Attribute,
  ColumnAttribute,
  ComponentAttribute,
  DynamicZoneAttribute,
  LinkAttribute,
  ScalarAttribute,
} from './model.ts';
import { linkTable, typedLinkTable } from './names.ts';

type Kind = Attribute['kind'];
export const isScalar = kindOf('scalar');
export const isRelation = kindOf('relation');
export const isPolymorphic = kindOf('polymorphic');
export const isMedia = kindOf('media');
export const isComponent = kindOf('component');
export const isZone = kindOf('dynamiczone');
export const isRelated = kindOf('related');

/** Are its values instances of components? */
export const hasComponents = (
  attribute: Attribute | undefined,
): attribute is ComponentAttribute | DynamicZoneAttribute => isComponent(attribute) || isZone(attribute);

/** Where the values of each kind are stored: in the row itself, in a link table, or not with the attribute. */
const STORED: Record<Kind, 'column' | 'links' | 'elsewhere'> = {
  scalar: 'column',
  component: 'column',
  dynamiczone: 'column',
  relation: 'links',
  polymorphic: 'links',
  media: 'links',
  creator: 'elsewhere',
  localizations: 'elsewhere',
  related: 'elsewhere',
};

export const hasColumn = (attribute: Attribute): attribute is ColumnAttribute => STORED[attribute.kind] === 'column';

export const isLinkAttribute = (attribute: Attribute | undefined): attribute is LinkAttribute =>
  attribute !== undefined && STORED[attribute.kind] === 'links';

export const isLocales = kindOf('localizations');

/** Is its value a list of documents or files? */
export const isDocumentList = (attribute: Attribute): boolean =>
  isLocales(attribute) || (isLinkAttribute(attribute) && attribute.multiple);

/** Does the attribute's own type have its link table? */
export const isOwner = (attribute: Attribute): boolean =>
  isLinkAttribute(attribute) && (!isRelation(attribute) || attribute.owner);

/** Returns the link table that an attribute of a type owns. */
export const ownedTable = (table: string, attribute: Attribute): string =>
  isPolymorphic(attribute) ? typedLinkTable(table, attribute.name) : linkTable(table, attribute.name);

export const isPassword = (attribute: Attribute): boolean =>
  isScalar(attribute) && FIELDS[attribute.type].hashed === true;

/** Is its value a line of text, as a title is? */
export const isLine = (attribute: Attribute): attribute is ScalarAttribute =>
  isScalar(attribute) && FIELDS[attribute.type].length === 'line' && FIELDS[attribute.type].search === 'text';

/** No request may read private attributes and passwords. */
export const isHidden = (attribute: Attribute): boolean => attribute.private || isPassword(attribute);
