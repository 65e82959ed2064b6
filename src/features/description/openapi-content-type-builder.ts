/**
 * @module `/api/content-type-builder` as OpenAPI.
 */
import { type Operation, tagged } from './granted-operation.ts';
import { arrayOf, type JsonSchema, objectOf, text } from './json-schema.ts';
import { jsonResponse, responses } from './openapi-responses.ts';

const TAG = 'content-type-builder';
export const SCHEMAS_TAG: JsonSchema = {
  name: TAG,
  description: 'Content types and components, as their files have them',
};

const KIND = { name: 'kind', in: 'query', schema: { type: 'string', enum: ['collectionType', 'singleType'] } };

const ENTRY: JsonSchema = {
  ...objectOf({ uid: text, schema: { type: 'object' } }, ['uid', 'schema']),
  additionalProperties: true,
};

/** @param path below `/api/content-type-builder/` */
function read(path: string, id: string, summary: string, data: JsonSchema): Operation {
  const [kind = '', uid] = path.split('/');
  const success = jsonResponse(summary, objectOf({ data }, ['data']));
  const action = `plugin::content-type-builder.${kind}.${id}`;
  const missing = uid ? (['NotFound'] as const) : [];
  return tagged(TAG)(`GET /api/content-type-builder/${path}`, action, id, summary, {
    responses: responses('200', success, ...missing),
  });
}

export const SCHEMA_OPERATIONS: readonly Operation[] = [
  { ...read('content-types', 'getContentTypes', 'List the content types', arrayOf(ENTRY)), parameters: [KIND] },
  read('content-types/{uid}', 'getContentType', 'Read one of the content types', ENTRY),
  read('components', 'getComponents', 'List the components', arrayOf(ENTRY)),
  read('components/{uid}', 'getComponent', 'Read one of the components', ENTRY),
];
