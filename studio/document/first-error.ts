/**
 * @module What is wrong in a form, in the order of the page.
 */
import type { UseFormReturn } from 'react-hook-form';
import type { Attributes } from '../model/attribute.ts';
import type { Layout, Model, Values } from '../model/model.ts';
import { attributesOf, componentOf, entriesOf, isList } from './fields/entries.ts';
import type { FormValues } from './fields/form-values.ts';
import { arranged } from './fields/layout.ts';
import { fieldName, joinPath } from './fields/owner.ts';
import { isShown } from './fields/validate.ts';

/** Errors as react-hook-form nests them. */
type Errors = Readonly<Record<string, unknown>>;

const nested = (errors: unknown, key: string | number): Errors | undefined => {
  const found = (errors as Errors | undefined)?.[key];
  return typeof found === 'object' && found !== null ? (found as Errors) : undefined;
};

/** Returns the path of the first input with an error, in the order of the page; undefined without any. */
export function firstError(
  model: Model,
  attributes: Attributes,
  layout: Layout | undefined,
  values: Values,
  errors: Errors,
  prefix = '',
): string | undefined {
  const shown = Object.entries(attributes).filter(([, attribute]) => isShown(attribute, attributes, values));
  for (const [name] of arranged(Object.fromEntries(shown), layout)) {
    const attribute = attributes[name];
    const error = nested(errors, fieldName(name));
    if (!attribute || !error) continue;
    const path = joinPath(prefix, fieldName(name));
    const isComponent = attribute.type === 'component' || attribute.type === 'dynamiczone';
    for (const [index, entry] of (isComponent ? entriesOf(values[fieldName(name)]) : []).entries()) {
      const inner = isList(attribute) ? nested(error, index) : error;
      const uid = componentOf(attribute, entry);
      const edit = model.components.get(String(uid))?.config?.layouts?.edit;
      const at = isList(attribute) ? joinPath(path, index) : path;
      const found = inner && firstError(model, attributesOf(model, uid), edit, entry, inner, at);
      if (found) return found;
    }
    return path;
  }
  return undefined;
}

/** Returns what a form shows as wrong. */
export const errorsIn = ({ getFieldState }: UseFormReturn<FormValues>, attributes: Attributes): Errors =>
  Object.fromEntries(Object.keys(attributes).map((name) => [fieldName(name), getFieldState(fieldName(name)).error]));
