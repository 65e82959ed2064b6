/**
 * @module Attributes as `schema.json` declares them.
 */
import type { AttributeType } from '../../src/schema/model.ts';
import { type Text, text } from '../texts/text.ts';
import { TYPES } from './attribute-types.ts';

export interface Attribute {
  readonly type: AttributeType;
  readonly required?: boolean;
  readonly unique?: boolean;
  readonly private?: boolean;
  readonly default?: unknown;
  /** Numbers: least and greatest value. Lists: least and greatest number of entries. */
  readonly min?: number | string;
  readonly max?: number | string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly regex?: string;
  readonly enum?: readonly string[];
  readonly targetField?: string;
  readonly multiple?: boolean;
  readonly allowedTypes?: readonly string[];
  readonly relation?: string;
  readonly target?: string;
  /** The attribute of the target that the relation owns. */
  readonly inversedBy?: string;
  /** The attribute of the target that owns the relation. */
  readonly mappedBy?: string;
  readonly component?: string;
  readonly repeatable?: boolean;
  readonly components?: readonly string[];
  /** A condition in JSON Logic under which the attribute is shown. */
  readonly conditions?: { readonly visible?: unknown };
  readonly pluginOptions?: { readonly i18n?: { readonly localized?: boolean } };
}

export type Attributes = Readonly<Record<string, Attribute>>;

/** Whether the API shows the attribute only with `populate`. */
export const isPopulated = ({ type }: Attribute): boolean => TYPES[type].isPopulated === true;

export const isPassword = ({ type }: Attribute): boolean => TYPES[type].isPassword === true;

/** Whether the value is stored, but in no response. */
export const isNeverShown = (attribute: Attribute): boolean => isPassword(attribute) || attribute.private === true;

/** Whether a relation has many targets. */
export const isToMany = ({ relation = '' }: Attribute): boolean => /ToMany$|^manyWay$|^morphMany$/.test(relation);

export const isPolymorphic = ({ relation = '' }: Attribute): boolean => relation.startsWith('morphTo');

/** The attributes that no schema declares. */
const SYSTEM_LABELS = new Map<string, Text>([
  ['createdAt', 'Created'],
  ['updatedAt', 'Updated'],
  ['publishedAt', 'Published'],
  ['locale', 'Locale'],
]);

/** `readingMinutes` → `Reading minutes` */
export function labelOf(name: string): string {
  const known = SYSTEM_LABELS.get(name);
  if (known) return text(known);
  const words = name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
