/**
 * @module `GET /api/i18n/locales` as OpenAPI.
 */

import { type DescribedPath, operation, pathItem, type Subject } from './granted-operation.ts';
import {
  arrayOf,
  booleanSchema,
  integerSchema,
  type JsonSchema,
  objectOf,
  type Schemas,
  text,
  time,
} from './json-schema.ts';
import { json, responses } from './openapi-responses.ts';

const TAG = 'locales';
export const LOCALES_TAG: JsonSchema = { name: TAG, description: 'Locales that documents may have' };

const LOCALE: Schemas = {
  id: integerSchema,
  documentId: text,
  name: text,
  code: text,
  createdAt: time,
  updatedAt: time,
  publishedAt: time,
  isDefault: booleanSchema,
};

export function localePaths(subject: Subject): readonly DescribedPath[] {
  const schema = arrayOf(objectOf(LOCALE, Object.keys(LOCALE)));
  const named = {
    operationId: 'listLocales',
    tag: TAG,
    action: 'plugin::i18n.locales.listLocales',
    summary: 'List the locales',
  };
  const get = operation(subject, named, {
    responses: responses('200', { description: 'All of them', content: json(schema) }),
  });
  return pathItem('/api/i18n/locales', { get });
}
