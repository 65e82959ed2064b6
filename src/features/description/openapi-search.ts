/**
 * @module `search` as OpenAPI.
 */
import { queryParameter, type TypeSubject } from './granted-operation.ts';
import { common, type JsonSchema, text } from './json-schema.ts';

export const WORD_SEARCH: JsonSchema = {
  ...queryParameter('search', text),
  description:
    'Words that the document has, each at the beginning of a word. Without `sort` the order is `_rank`, the best first.',
};

/** The parameter of lists of a type that the setting `search` has. */
export const searchParameter = ({ type, settings }: TypeSubject): readonly JsonSchema[] =>
  type.searchable && settings.api.rest.extensions ? [common('WordSearch')] : [];
