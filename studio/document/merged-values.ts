/**
 * @module The values that a form begins with, and goes on with where others have written meanwhile.
 */
import type { Attributes } from '../model/attribute.ts';
import { type ContentType, isAttributeLocalized, type Model, type Values } from '../model/model.ts';
import { copiedValue, type FormValues, fromDocument, isSame } from './fields/form-values.ts';
import { fieldName } from './fields/owner.ts';
import type { ReadVersion } from './version.ts';

/** Returns the values that a new version inherits from one in another locale. */
export function sharedValues(
  model: Model,
  type: ContentType,
  attributes: Attributes,
  other: ReadVersion | null,
): FormValues {
  if (!other) return {};
  const shared = Object.entries(attributes).filter(([, attribute]) => !isAttributeLocalized(type, attribute));
  const values = fromDocument(model, Object.fromEntries(shared), other.document);
  return Object.fromEntries(
    shared.flatMap(([name, attribute]) => {
      const value = copiedValue(model, attribute, values[fieldName(name)]);
      return value === undefined ? [] : [[fieldName(name), value]];
    }),
  );
}

/**
 * Returns the values that were changed, and for the others those of another base.
 * @param kept what the changed ones are taken from
 */
export const merge = (
  attributes: Attributes,
  values: Values,
  before: Values,
  after: Values,
  kept = values,
): FormValues =>
  Object.fromEntries(
    Object.keys(attributes).map((name) => {
      const field = fieldName(name);
      return [field, isSame(values[field], before[field]) ? after[field] : kept[field]];
    }),
  );
