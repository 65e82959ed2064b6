/**
 * @module The entries of lists and components, in documents and in forms.
 */
import type { Attribute, Attributes } from '../../model/attribute.ts';
import type { Model, Values } from '../../model/model.ts';

export const entriesOf = (value: unknown): readonly Values[] =>
  (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'object' && item !== null);

/** Whether the value is a list of components. */
export const isList = ({ type, repeatable }: Attribute): boolean => type === 'dynamiczone' || repeatable === true;

/** The attributes of a component; none where the caller may not see it. */
export const attributesOf = (model: Model, uid: unknown): Attributes =>
  model.components.get(String(uid))?.attributes ?? {};

/** The component of an entry of a list. */
export const componentOf = ({ component }: Attribute, entry: Values): unknown => component ?? entry.__component;
