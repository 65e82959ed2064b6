/**
 * @module What the reference shows of an OpenAPI description.
 */
import { type JsonSchema, type OpenApi, resolve } from '../model/model.ts';
import { text } from '../texts/text.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Returns the operations. `text`: what a search looks in, in lower case. `parameters`: those of the path, too. */
export const operationsOf = ({ paths }: OpenApi) =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((name) => {
      const node = item[name] as JsonSchema;
      const method = name.toUpperCase();
      const summary = String(node.summary ?? '');
      const id = String(node.operationId ?? `${method} ${path}`);
      const tag = String((node.tags as readonly string[] | undefined)?.[0] ?? 'other');
      const text = `${method} ${path} ${summary} ${id}`.toLowerCase();
      const parameters = [item.parameters, node.parameters].flat().filter(Boolean) as JsonSchema[];
      return { id, method, path, summary, tag, text, parameters, node };
    }),
  );

export type DescribedOperation = ReturnType<typeof operationsOf>[number];

const alternativesOf = ({ anyOf, oneOf, allOf }: JsonSchema) =>
  (anyOf ?? oneOf ?? allOf) as readonly JsonSchema[] | undefined;

/** `{"type": ["string", "null"]}` → `string | null`; a `$ref` → its name */
export function typeText(schema: JsonSchema): string {
  const { $ref, type = 'any', items, format } = schema;
  const values = (schema.enum ?? ('const' in schema ? [schema.const] : undefined)) as unknown[] | undefined;
  if (typeof $ref === 'string') return $ref.replace(/.*\//, '');
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (items) return text('list of {type}', { type: typeText(items as JsonSchema) });
  const types = alternativesOf(schema)?.map(typeText) ?? [type].flat();
  return `${types.join(' | ')}${format ? ` (${format})` : ''}`;
}

const INSIDES = ['$ref', 'properties', 'items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'];

/** Returns what is inside of a schema: its properties, or its alternatives where several have an inside. */
export function insideOf(description: OpenApi, schema: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  const { properties = {}, items, additionalProperties: others, ...rest } = resolve(description, schema);
  if (items) return insideOf(description, items as JsonSchema);
  const alternatives = (alternativesOf(rest) ?? []).filter((one) => INSIDES.some((key) => key in one));
  if (alternatives[0] && alternatives.length === 1) return insideOf(description, alternatives[0]);
  return [
    ...alternatives.map((one) => [typeText(one), one] as const),
    ...(Object.entries(properties as object) as [string, JsonSchema][]),
    ...(typeof others === 'object' ? [[text('any name'), others as JsonSchema] as const] : []),
  ];
}

const RULES = 'minLength maxLength minimum maximum minItems maxItems pattern default examples'.split(' ');

/** Returns the description of a schema and its rules in one line. */
export function schemaRules(schema: JsonSchema): string {
  const rules = RULES.filter((rule) => rule in schema).map((rule) => `${rule} ${JSON.stringify(schema[rule])}`);
  return [schema.description, rules.join(', ')].filter(Boolean).join(' ');
}
