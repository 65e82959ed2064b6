/**
 * @module `search` and `highlights` as OpenAPI.
 */
import { queryParameter, type TypeSubject } from './granted-operation.ts';
import { arrayOf, booleanSchema, common, count, type JsonSchema, objectOf, text } from './json-schema.ts';

export const WORD_SEARCH: JsonSchema = {
  ...queryParameter('search', text),
  description: 'Words, or their beginnings. Without `sort` the order is `_rank`, the best first.',
};

const HIGHLIGHTED: JsonSchema = {
  ...queryParameter('highlights', booleanSchema),
  description: 'Shows where the words of `search` are.',
};

const RANGE = arrayOf(count, { minItems: 2, maxItems: 2 });
const SNIPPET = objectOf({ text, ranges: arrayOf(RANGE) });

export const HIGHLIGHTS: JsonSchema = arrayOf(
  objectOf({ documentId: text, locale: text, texts: { type: 'object', additionalProperties: arrayOf(SNIPPET) } }),
);

/** The parameters of lists of a type that the setting `search` has. */
export const searchParameters = ({ type, settings }: TypeSubject): readonly JsonSchema[] =>
  type.searchable && settings.api.rest.extensions ? [common('WordSearch'), HIGHLIGHTED] : [];
