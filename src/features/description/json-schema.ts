/**
 * @module Builders of JSON Schema, and the schemas of scalar values in responses, bodies and filters.
 */
import { sameFor } from '../../common/same-for.ts';
import { FIELDS, type ScalarType } from '../../schema/fields.ts';
import type { ScalarAttribute } from '../../schema/model.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;
export type Schemas = Readonly<Record<string, JsonSchema>>;

export const text: JsonSchema = { type: 'string' };
export const time: JsonSchema = { type: 'string', format: 'date-time' };
export const booleanSchema: JsonSchema = { type: 'boolean' };
export const integerSchema: JsonSchema = { type: 'integer' };
export const count: JsonSchema = { type: 'integer', minimum: 0 };

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** A parameter of `components`. */
export const common = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` });

export const arrayOf = (items: JsonSchema, options: JsonSchema = {}): JsonSchema => ({
  type: 'array',
  items,
  ...options,
});

export const objectOf = (properties: JsonSchema, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  ...(required.length > 0 && { required }),
  properties,
});

/** Allows null, too. A schema that allows anything stays as it is. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (Object.keys(schema).length === 0) return schema;
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const { enum: values } = schema;
  return { ...schema, type: [schema.type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) };
}

interface ScalarSchemas {
  readonly shown: JsonSchema;
  /** Bodies and filters accept more than responses show. */
  readonly accepted: JsonSchema;
}

const both = (schema: JsonSchema): ScalarSchemas => ({ shown: schema, accepted: schema });
const digits = { pattern: '^-?\\d+$' };
const clock = { shown: '^\\d{2}:\\d{2}:\\d{2}\\.\\d{3}$', accepted: '^\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?$' };
const moment = { format: 'date-time', description: 'ISO date and time, or milliseconds since 1970' };

const SCALARS: Readonly<Record<ScalarType, ScalarSchemas>> = {
  ...sameFor(['string', 'text', 'richtext', 'uid', 'password', 'enumeration'], both(text)),
  // Responses may have addresses that the format does not allow.
  email: { shown: text, accepted: { ...text, format: 'email' } },
  integer: both(integerSchema),
  ...sameFor(['decimal', 'float'], both({ type: 'number' })),
  biginteger: { shown: { ...text, ...digits }, accepted: { type: ['string', 'integer'], ...digits } },
  boolean: both(booleanSchema),
  date: both({ ...text, format: 'date' }),
  time: { shown: { ...text, pattern: clock.shown }, accepted: { ...text, pattern: clock.accepted } },
  datetime: { shown: time, accepted: { type: ['string', 'integer'], ...moment } },
  json: both({}),
  blocks: both(arrayOf({ type: 'object' })),
};

/** Returns the schema of a scalar in requests, without the rules of an attribute. */
export const acceptedSchema = (type: ScalarType): JsonSchema => SCALARS[type].accepted;

/** Returns the schema of a scalar in responses. */
export const shownSchema = ({ type, enum: values }: ScalarAttribute): JsonSchema => ({
  ...SCALARS[type].shown,
  ...(values && { enum: values }),
});

/** Returns the pattern if it is valid in Unicode mode, which JSON Schema uses. */
function patternOf(regex: RegExp | undefined): string | undefined {
  if (!regex) return undefined;
  try {
    return new RegExp(regex.source, 'u').source;
  } catch {
    return undefined;
  }
}

/** Returns the schema of a scalar with the rules of its attribute. Strapi does not validate the length of passwords. */
export function ruledSchema(attribute: ScalarAttribute): JsonSchema {
  const { type, enum: values, min, max, minLength, maxLength, regex } = attribute;
  const { typeName, hashed } = FIELDS[type];
  const isNumber = typeName === 'number';
  const pattern = patternOf(regex);
  return {
    ...acceptedSchema(type),
    ...(values && { enum: values }),
    ...(isNumber && { minimum: min, maximum: max }),
    ...(!hashed && minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern !== undefined && { pattern }),
  };
}
