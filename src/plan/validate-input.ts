/**
 * @module The `data` of a write → values of the right types, or everything that is wrong with it at once.
 */
import { type Issue, invalid } from '../errors.ts';
import { FIELDS, type Stored } from '../registry/fields.ts';
import type { Attribute, ContentType, ScalarAttribute } from '../registry/model.ts';
import type { InputData } from '../request/body.ts';
import { normaliseBlocks } from './blocks.ts';
import { invalidKey, type Source } from './resolve.ts';
import { checkScalar, type RuleContext } from './rules.ts';
import type { StoredValues } from './write-plan.ts';

const SOURCE: Source = { source: 'body' };

/**
 * Refuses keys that no write may set, before any value is looked at: `id` and `documentId`, then attributes the server
 * sets, then names the type does not have.
 * @throws ApiError 400 for the first of them.
 */
export function checkKeys(data: InputData, type: ContentType): void {
  for (const key of ['id', 'documentId'])
    if (Object.hasOwn(data, key)) throw invalid(`Invalid key ${key}`, { key, ...SOURCE });
  const keys = Object.keys(data);
  const attributes = new Map(keys.map((key) => [key, type.attributes.get(key)]));
  const unwritable = keys.find((key) => attributes.get(key)?.writable === false);
  if (unwritable !== undefined) throw invalidKey(unwritable, unwritable, SOURCE);
  const unknown = keys.find((key) => !attributes.get(key));
  if (unknown !== undefined) throw invalidKey(unknown, null, SOURCE);
}

/** Attributes whose values a body may set; `publishedAt` and `locale` are accepted there and ignored. */
const isInput = (attribute: Attribute): attribute is ScalarAttribute =>
  attribute.kind === 'scalar' && attribute.writable && attribute.name !== 'publishedAt' && attribute.name !== 'locale';

export const inputAttributes = (type: ContentType): readonly ScalarAttribute[] =>
  [...type.attributes.values()].filter(isInput);

export type InputValues = ReadonlyMap<ScalarAttribute, unknown>;

/** Values that were given (or come from a default on create), and all issues in the order of the attributes. */
export function validateInput(
  data: InputData,
  type: ContentType,
  context: RuleContext,
): { readonly values: InputValues; readonly issues: readonly Issue[] } {
  const values = new Map<ScalarAttribute, unknown>();
  const issues: Issue[] = [];
  for (const attribute of inputAttributes(type)) {
    const given = Object.hasOwn(data, attribute.name) ? data[attribute.name] : undefined;
    const checked = checkScalar(attribute, given, [attribute.name], context);
    if (checked.value !== undefined) values.set(attribute, checked.value);
    issues.push(...checked.issues);
  }
  return { values, issues };
}

/**
 * A checked value as its column holds it.
 * @throws ApiError 400 without details for a date or time in no known format.
 */
export function storeValue(attribute: ScalarAttribute, value: unknown): Stored {
  if (value === null || value === undefined) return null;
  return FIELDS[attribute.type].store(attribute.type === 'blocks' ? normaliseBlocks(value) : value);
}

/** All checked values as columns hold them. @throws ApiError 400 for the first date or time in no known format. */
export const storeValues = (values: InputValues): StoredValues =>
  new Map([...values].map(([attribute, value]) => [attribute, storeValue(attribute, value)]));
