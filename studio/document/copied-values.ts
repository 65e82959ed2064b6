/**
 * @module The values of a copy: those of a form, with new ones where they are unique.
 */
import { sameFor } from '../../src/common/same-for.ts';
import type { AttributeType } from '../../src/schema/model.ts';
import { type Attribute, type Attributes, isPassword } from '../model/attribute.ts';
import { TYPES } from '../model/attribute-types.ts';
import type { Model, Values } from '../model/model.ts';
import { attributesOf, componentOf, entriesOf, isList } from './fields/entries.ts';
import type { FormValues } from './fields/form-values.ts';
import { fieldName } from './fields/owner.ts';

/** Whether a target has one such relation at most: a copy would take it away from the original. */
const isExclusive = ({ relation = '', inversedBy, mappedBy }: Attribute): boolean =>
  /^morph(One|Many)$/.test(relation) ||
  (/^one/.test(relation) && (mappedBy !== undefined || (relation === 'oneToOne' && inversedBy !== undefined)));

/** Returns the copy of a text, cut so that the end fits. */
type Proposal = (value: string, number: number | '', joined: (start: string, end: string) => string) => string;

const named: Proposal = (value, number, joined) => joined(value, number ? ` (copy ${number})` : ' (copy)');
const slug: Proposal = (value, number, joined) => joined(value, number ? `-copy-${number}` : '-copy');
const address: Proposal = (value, number) => value.replace(/@/, `+copy${number}@`);

/** Undefined: only a person finds another value. */
const PROPOSALS: Readonly<Record<AttributeType, Proposal | undefined>> = {
  ...sameFor(['string', 'text', 'richtext'], named),
  uid: slug,
  email: address,
  ...sameFor(['password', 'enumeration', 'boolean', 'json', 'blocks', 'date', 'time', 'datetime'], undefined),
  ...sameFor(['integer', 'biginteger', 'decimal', 'float'], undefined),
  ...sameFor(['relation', 'media', 'component', 'dynamiczone'], undefined),
};

/** Returns another value that the rules of the attribute allow; undefined where only a person finds one. */
export function proposal(attribute: Attribute, value: unknown, count: number): unknown {
  const { type, regex } = attribute;
  const { maxLength = TYPES[type].maxLength ?? Number.POSITIVE_INFINITY } = attribute;
  if (typeof value !== 'string') return undefined;
  const joined = (start: string, end: string) => start.slice(0, Math.max(maxLength - end.length, 0)) + end;
  const proposed = PROPOSALS[type]?.(value, count > 1 ? count : '', joined);
  const isAllowed = proposed !== undefined && proposed.length <= maxLength;
  return isAllowed && (!regex || new RegExp(regex).test(proposed)) ? proposed : undefined;
}

function copyOfValue(model: Model, attribute: Attribute, value: unknown, count: number): unknown {
  const { type, unique } = attribute;
  if (isPassword(attribute) || isExclusive(attribute)) return undefined;
  if (value === null || value === undefined) return value;
  if (unique || TYPES[type].isSlug) return proposal(attribute, value, count);
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
