/**
 * @module Small words for writing JSON Schema, and the schemas of scalar values in answers, bodies and filters.
 */
import { FIELDS } from '../registry/fields.ts';
import type { ScalarAttribute, ScalarType } from '../registry/model.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export const text: JsonSchema = { type: 'string' };
export const time: JsonSchema = { type: 'string', format: 'date-time' };
export const count: JsonSchema = { type: 'integer', minimum: 0 };

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

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

/** The schema, or null. A schema that allows anything stays as it is. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (Object.keys(schema).length === 0) return schema;
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const { enum: values } = schema;
  return { ...schema, type: [schema.type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) };
}

/** Where bodies and filters take more than answers show. */
const TAKEN: Partial<Readonly<Record<ScalarType, JsonSchema>>> = {
  biginteger: { type: ['string', 'integer'] },
  datetime: { type: ['string', 'integer'], description: 'ISO date and time, or milliseconds since 1970' },
  time: { pattern: '^\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?$' },
};

/** A scalar as requests write it, whatever the rules of its attribute. */
export const takenSchema = (type: ScalarType): JsonSchema => ({ ...FIELDS[type].jsonSchema, ...TAKEN[type] });

/** A scalar as answers show it. An address is shown as it was taken, and more are taken than readers may know the form of. */
export const shownSchema = ({ type, enum: values }: ScalarAttribute): JsonSchema => ({
  ...(type === 'email' ? { type: 'string' } : FIELDS[type].jsonSchema),
  ...(values && { enum: values }),
});

/** The pattern, if it means the same to JSON Schema, which reads patterns in Unicode mode. */
function patternOf(regex: RegExp | undefined): string | undefined {
  if (!regex) return undefined;
  try {
    return new RegExp(regex.source, 'u').source;
  } catch {
    return undefined;
  }
}

/** A scalar as a published document needs it: with the rules of its attribute. The length of passwords is not ruled. */
export function ruledSchema(attribute: ScalarAttribute): JsonSchema {
  const { type, enum: values, min, max, minLength, maxLength, regex } = attribute;
  const isNumber = FIELDS[type].typeName === 'number';
  const pattern = patternOf(regex);
  return {
    ...takenSchema(type),
    ...(values && { enum: values }),
    ...(isNumber && min !== undefined && { minimum: min }),
    ...(isNumber && max !== undefined && { maximum: max }),
    ...(type !== 'password' && minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern !== undefined && { pattern }),
  };
}
