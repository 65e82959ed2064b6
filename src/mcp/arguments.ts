/**
 * @module Checks arguments against the schema of their tool, as far as those schemas go.
 */
import { isObject } from '../common/json.ts';
import { ToolError, unknownName } from './errors.ts';

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  array: Array.isArray,
};

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** @throws ToolError with the path of the argument */
export function check(value: unknown, schema: Schema, path = ''): void {
  const name = path || 'arguments';
  const within = (key: string | number) => (path === '' ? String(key) : `${path}.${key}`);
  const { type = '', enum: values, properties, required = [], items } = schema;
  if (values && !values.some((each) => each === value))
    throw unknownName(`Invalid ${name}. Expected one of ${values.join(', ')}`, name, JSON.stringify(value), values);
  if (TYPES[type]?.(value) === false) throw new ToolError(`Invalid ${name}. Expected ${type}`, name);
  const [size, min, max] = Array.isArray(value)
    ? [value.length, schema.minItems, schema.maxItems]
    : [value, schema.minimum, schema.maximum];
  if (typeof size === 'number' && (size < (min ?? size) || size > (max ?? size)))
    throw new ToolError(`Invalid ${name}. Expected ${min} to ${max}`, name);
  // What has no schema may be nested as deeply as one likes: the API limits it.
  if (Array.isArray(value) && items) for (const [index, item] of value.entries()) check(item, items, within(index));
  if (!isObject(value) || !properties) return;
  const names = Object.keys(properties);
  for (const key of required)
    if (value[key] === undefined) throw new ToolError(`Missing ${within(key)}`, within(key), { allowed: names });
  for (const [key, each] of Object.entries(value)) {
    const own = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!own) throw unknownName(`Unknown argument ${within(key)}`, within(key) || name, key, names);
    check(each, own, within(key));
  }
}
