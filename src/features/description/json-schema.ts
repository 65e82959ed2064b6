/**
 * @module Builders of JSON Schema, and the schemas of scalar values in responses, bodies and filters.
 */
import { FIELDS } from '../../schema/fields.ts';
import type { ScalarAttribute, ScalarType } from '../../schema/model.ts';

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

/** Where bodies and filters accept more than responses show. */
const ACCEPTED: Partial<Readonly<Record<ScalarType, JsonSchema>>> = {
  biginteger: { type: ['string', 'integer'] },
  datetime: { type: ['string', 'integer'], description: 'ISO date and time, or milliseconds since 1970' },
  time: { pattern: '^\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?$' },
};

/** Returns the schema of a scalar in requests, without the rules of an attribute. */
export const acceptedSchema = (type: ScalarType): JsonSchema => ({ ...FIELDS[type].jsonSchema, ...ACCEPTED[type] });

/** Returns the schema of a scalar in responses. More e-mail addresses are accepted than the format `email` allows. */
export const shownSchema = ({ type, enum: values }: ScalarAttribute): JsonSchema => ({
  ...(type === 'email' ? { type: 'string' } : FIELDS[type].jsonSchema),
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
  const isNumber = FIELDS[type].typeName === 'number';
  const pattern = patternOf(regex);
  return {
    ...acceptedSchema(type),
    ...(values && { enum: values }),
    ...(isNumber && min !== undefined && { minimum: min }),
    ...(isNumber && max !== undefined && { maximum: max }),
    ...(type !== 'password' && minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern !== undefined && { pattern }),
  };
}
