/**
 * @module `GET /api/i18n/locales` as OpenAPI.
 */
import { arrayOf, flag, integer, type JsonSchema, objectOf, type Schemas, text, time } from './json-schema.ts';
import { json, responses } from './openapi-responses.ts';
import { operation, type Path, pathItem, type Subject } from './operations.ts';

const TAG = 'locales';
export const LOCALES_TAG: JsonSchema = { name: TAG, description: 'Locales that documents may have' };

const LOCALE: Schemas = {
  id: integer,
  documentId: text,
  name: text,
  code: text,
  createdAt: time,
  updatedAt: time,
  publishedAt: time,
  isDefault: flag,
};

export function localePaths(subject: Subject): readonly Path[] {
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
