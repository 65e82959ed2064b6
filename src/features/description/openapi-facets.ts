/**
 * @module `facets` of lists as OpenAPI.
 */
import { hasFacet } from '../../content/plan/read/facets.ts';
import { queryParameter, type TypeSubject } from './granted-operation.ts';
import { arrayOf, count, type JsonSchema, objectOf, text } from './json-schema.ts';

export const FACETS: JsonSchema = {
  description: 'By attribute of `facets`: its ten most frequent values, or the documents that a relation leads to',
  type: 'object',
  additionalProperties: arrayOf(
    objectOf({ value: { type: ['string', 'number', 'boolean'] }, documentId: text, count }, ['count']),
  ),
};

/** The parameter of a list, if any of its attributes can be counted. */
export function facetsParameter({ shape, settings }: TypeSubject): readonly JsonSchema[] {
  const { extensions, limits } = settings.api.rest;
  const names = shape.shown.filter(hasFacet).map(({ name }) => name);
  if (!extensions || names.length === 0) return [];
  const items = { ...text, enum: names };
  const description = 'Attributes whose values are counted in all documents that the list finds: `meta.facets`.';
  const schema = arrayOf(items, { maxItems: limits.facets });
  return [{ ...queryParameter('facets', schema), description, style: 'form', explode: false }];
}
