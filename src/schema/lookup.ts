/**
 * @module Lookups: `slug:night` in a path, in place of a documentId.
 */
import { isHidden, isScalar } from './attribute-kinds.ts';
import { FIELDS } from './fields.ts';
import type { Attribute, ContentType, ScalarAttribute } from './model.ts';

/** An attribute and a value, in the form of its column. */
export interface Lookup {
  readonly attribute: ScalarAttribute;
  readonly value: string | number;
}

/** No documentId has a colon. */
const FORM = /^([A-Za-z][\w-]*):(.*)$/s;

export const isLookup = (segment: string): boolean => FORM.test(segment);

/** Do its values name documents? `generate` gives unique attributes an index, except those of the overflow column. */
export const namesDocuments = (attribute: Attribute | undefined): attribute is ScalarAttribute =>
  isScalar(attribute) && attribute.unique && !attribute.overflow && !isHidden(attribute);

/** Returns undefined for a text that is no value of the attribute. */
function storedOf({ type }: ScalarAttribute, text: string): Lookup['value'] | undefined {
  try {
    return FIELDS[type].operand(text, '');
  } catch {
    return undefined;
  }
}

/**
 * Returns undefined if no document of the type can have the value, or the attribute names none.
 * @param segment decoded
 */
export function lookupOf(segment: string, { attributes }: ContentType): Lookup | undefined {
  const [, name = '', text = ''] = FORM.exec(segment) ?? [];
  const attribute = attributes.get(name);
  const value = namesDocuments(attribute) ? storedOf(attribute, text) : undefined;
  return namesDocuments(attribute) && value !== undefined ? { attribute, value } : undefined;
}
