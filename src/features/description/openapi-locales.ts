/**
 * @module `GET /api/i18n/locales` and `fallback` as OpenAPI.
 */
import { hasFallbacks } from '../../schema/settings/derived.ts';
import { queryParameter, type TypeSubject, tagged } from './granted-operation.ts';
import {
  arrayOf,
  booleanSchema,
  common,
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

export const FALLBACK: JsonSchema = {
  ...queryParameter('fallback', booleanSchema),
  description:
    'With `true`, each document comes in the first locale of the chain of `locale` that it has; its `locale` says which.',
};

/** The parameter of reads in a locale or those that stand in for it, where the settings name any. */
export const fallbackParameter = ({
  shape,
  settings,
}: Pick<TypeSubject, 'shape' | 'settings'>): readonly JsonSchema[] =>
  shape.contentType?.localized && settings.api.rest.extensions && hasFallbacks(settings) ? [common('Fallback')] : [];
