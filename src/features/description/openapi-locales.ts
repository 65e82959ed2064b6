/**
 * @module `GET /api/i18n/locales` as OpenAPI.
 */
import { tagged } from './granted-operation.ts';
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
import { jsonResponse, responses } from './openapi-responses.ts';

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

export const LIST_LOCALES = tagged(TAG)(
  'GET /api/i18n/locales',
  'plugin::i18n.locales.listLocales',
  'listLocales',
  'List the locales',
  { responses: responses('200', jsonResponse('All of them', arrayOf(objectOf(LOCALE, Object.keys(LOCALE))))) },
);
