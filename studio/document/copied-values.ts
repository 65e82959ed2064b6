/**
 * @module The values of a copy: those of a form, with new ones where they are unique.
 */
import { type Attribute, type Attributes, TEXT_TYPES } from '../model/attribute.ts';
import type { Model, Values } from '../model/model.ts';
import { attributesOf, componentOf, entriesOf, type FormValues, isList } from './fields/form-values.ts';
import { fieldName } from './fields/owner.ts';

/** Whether a target has one such relation at most: a copy would take it away from the original. */
const isExclusive = ({ relation = '', inversedBy, mappedBy }: Attribute): boolean =>
  /^morph(One|Many)$/.test(relation) ||
  (/^one/.test(relation) && (mappedBy !== undefined || (relation === 'oneToOne' && inversedBy !== undefined)));

/** Returns another value that the rules of the attribute allow; undefined where only a person finds one. */
export function proposal(attribute: Attribute, value: unknown, count: number): unknown {
  const { type, regex, maxLength = type === 'string' ? 255 : Number.POSITIVE_INFINITY } = attribute;
  if (typeof value !== 'string' || !TEXT_TYPES.includes(type) || type === 'enumeration') return undefined;
  const number = count > 1 ? count : '';
  const joined = (start: string, end: string) => start.slice(0, Math.max(maxLength - end.length, 0)) + end;
  const proposed =
    type === 'uid'
      ? joined(value, number ? `-copy-${number}` : '-copy')
      : type === 'email'
        ? value.replace(/@/, `+copy${number}@`)
        : joined(value, number ? ` (copy ${number})` : ' (copy)');
  return proposed.length <= maxLength && (!regex || new RegExp(regex).test(proposed)) ? proposed : undefined;
}

function copyOfValue(model: Model, attribute: Attribute, value: unknown, count: number): unknown {
  const { type, unique } = attribute;
  if (type === 'password' || isExclusive(attribute)) return undefined;
  if (value === null || value === undefined) return value;
  if (unique || type === 'uid') return proposal(attribute, value, count);
  if (type !== 'component' && type !== 'dynamiczone') return value;
  const entries = entriesOf(value).map((entry) => ({
    ...(entry.__component !== undefined && { __component: entry.__component }),
    ...copyOfValues(model, attributesOf(model, componentOf(attribute, entry)), entry, count),
  }));
  return isList(attribute) ? entries : entries[0];
}

/** Returns the values of a form that stores a copy of what another form has. @param count of the copies, from 1 */
export const copyOfValues = (model: Model, attributes: Attributes, values: Values, count: number): FormValues =>
  Object.fromEntries(
    Object.entries(attributes)
      .map(([name, attribute]) => [fieldName(name), copyOfValue(model, attribute, values[fieldName(name)], count)])
      .filter(([, value]) => value !== undefined),
  );
