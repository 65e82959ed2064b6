/**
 * @module Checks arguments against the schema of their tool, as far as those schemas go.
 */
import { isObject, type JsonObject } from '../common/json.ts';
import { ToolError, unknownName } from './errors.ts';

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  array: Array.isArray,
};

const at = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function checkObject(value: JsonObject, schema: JsonObject, path: string): void {
  const properties = schema.properties as Readonly<Record<string, JsonObject>> | undefined;
  if (!properties) return;
  const names = Object.keys(properties);
  for (const name of (schema.required as readonly string[] | undefined) ?? [])
    if (value[name] === undefined) throw new ToolError(`Missing ${at(path, name)}`, at(path, name), { allowed: names });
  for (const [name, each] of Object.entries(value)) {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!own) throw unknownName(`Unknown argument ${at(path, name)}`, at(path, name) || 'arguments', name, names);
    if (each !== undefined) check(each, own, at(path, name));
  }
}

/** @throws ToolError with the path of the argument */
export function check(value: unknown, schema: JsonObject, path = ''): void {
  const { type, minimum, maximum, minItems, maxItems } = schema as Readonly<Record<string, number>> & { type?: string };
  const values = schema.enum as readonly unknown[] | undefined;
  if (values && !values.includes(value))
    throw unknownName(
      `Invalid ${path}. Expected one of ${values.join(', ')}`,
      path,
      typeof value === 'string' ? value : '',
      values.map(String),
    );
  if (type && TYPES[type]?.(value) === false)
    throw new ToolError(`Invalid ${path || 'arguments'}. Expected ${type}`, path || 'arguments');
  const [low, high, size] = Array.isArray(value) ? [minItems, maxItems, value.length] : [minimum, maximum, value];
  if (typeof size === 'number' && (size < (low ?? size) || size > (high ?? size)))
    throw new ToolError(`Invalid ${path}. Expected ${low} to ${high}`, path);
  const { items } = schema as { readonly items?: JsonObject };
  // What has no schema may be nested as deeply as one likes: the API limits it.
  if (Array.isArray(value) && items)
    for (const [index, item] of value.entries()) check(item, items, `${path}.${index}`);
  else if (isObject(value)) checkObject(value, schema, path);
}
