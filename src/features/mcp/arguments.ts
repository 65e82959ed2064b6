/**
 * @module Arguments of a tool by its schema, as far as those schemas go. Clients send null for what is absent, and JSON as
 * text: https://github.com/anthropics/claude-code/issues/59227, https://github.com/modelcontextprotocol/typescript-sdk/issues/2012
 */
import { isObject, type JsonObject } from '../../common/json.ts';
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

/** Returns the value that a text has as JSON. Without a type, it may be a text itself, which begins like no list or object. */
function decoded(value: unknown, { type, enum: values }: Schema): unknown {
  if (type === 'string') return typeof value === 'number' ? String(value) : value;
  const isJson = typeof value === 'string' && !values && (type !== undefined || /^\s*[[{]/.test(value));
  if (!isJson) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const unexpected = (name: string, type = 'a value', value: unknown): ToolError =>
  new ToolError(`Invalid ${name}. Expected ${type}, received ${kindOf(value)}`, name);

const within = (path: string, key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);

/** @throws ToolError for an unknown key, and a missing one */
function acceptObject(value: JsonObject, { properties = {}, required = [] }: Schema, path: string): JsonObject {
  const names = Object.keys(properties);
  const accepted = Object.entries(value).map(([key, each]) => {
    const at = within(path, key);
    const own = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!own) throw unknownName(`Unknown argument ${at}`, at || 'arguments', key, names);
    return [key, accept(each, own, at)] as const;
  });
  const given = Object.fromEntries(accepted.filter(([, each]) => each !== undefined));
  const missing = required.find((key) => !Object.hasOwn(given, key));
  if (missing === undefined) return given;
  const { enum: values, type } = properties[missing] ?? {};
  const at = within(path, missing);
  throw new ToolError(`Missing ${at}. Expected ${values?.join(', ') ?? type}`, at, { allowed: names });
}

/** @throws ToolError for null in the place of an item */
const acceptItems = (value: readonly unknown[], items: Schema, path: string): readonly unknown[] =>
  value.map((item, index) => {
    const at = within(path, index);
    const accepted = accept(item, items, at);
    if (accepted === undefined) throw unexpected(at, items.type, null);
    return accepted;
  });

/** Returns an argument in the form of its schema; undefined for null. @throws ToolError with the path of the argument */
function accept(given: unknown, schema: Schema, path: string): unknown {
  const name = path || 'arguments';
  const { type = '', enum: values, properties, items } = schema;
  const value = decoded(given, schema);
  if (value === null || value === undefined) return undefined;
  if (values && !values.some((each) => each === value))
    throw unknownName(`Invalid ${name}. Expected one of ${values.join(', ')}`, name, JSON.stringify(value), values);
  if (TYPES[type]?.(value) === false) throw unexpected(name, type, value);
  const [size, min, max] = Array.isArray(value)
    ? [value.length, schema.minItems, schema.maxItems]
    : [value, schema.minimum, schema.maximum];
  if (typeof size === 'number' && (size < (min ?? size) || size > (max ?? size)))
    throw new ToolError(`Invalid ${name}. Expected ${min} to ${max}`, name);
  // What has no schema may be nested as deeply as one likes: the API limits it.
  if (Array.isArray(value) && items) return acceptItems(value, items, path);
  return isObject(value) && properties ? acceptObject(value, schema, path) : value;
}

/** Returns the arguments of a call in the form of the schema. @throws ToolError with the path of the argument */
export const acceptArguments = (given: unknown, schema: Schema): JsonObject =>
  (accept(given, schema, '') ?? acceptObject({}, schema, '')) as JsonObject;
