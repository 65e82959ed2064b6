/**
 * @module `POST /api/batch` as OpenAPI, for readers who may write.
 */
import { actionId } from '../../access/grants.ts';
import { BATCH_METHODS, MAX_REQUESTS } from '../../content/operations/batch-body.ts';
import type { ContentType } from '../../schema/model.ts';
import { anyOf, type DescribedPath, operation, pathItem, type Subject } from './granted-operation.ts';
import { arrayOf, type JsonSchema, objectOf, text } from './json-schema.ts';
import { common } from './openapi-parameters.ts';
import { json, responses } from './openapi-responses.ts';

const TAG = 'batch';
export const BATCH_TAG: JsonSchema = { name: TAG, description: 'Several writes in one commit' };

const DESCRIPTION =
  'All requests are carried out in order, or none. In a relation, `$ref:0` is the documentId that request 0 creates. ' +
  'An error is that of the first request that fails; `details.request` is its index.';

const PATH = {
  ...text,
  pattern: '^/api/[^\\s\\\\#]+$',
  description: 'Of a document or a content type, with its query',
};

const IF_MATCH = { ...text, description: 'As the header `If-Match` of PUT and DELETE' };

const REQUEST: JsonSchema = {
  ...objectOf(
    {
      method: { enum: BATCH_METHODS },
      path: PATH,
      body: { type: 'object' },
      ifMatch: IF_MATCH,
      ifNoneMatch: text,
    },
    ['method', 'path'],
  ),
  additionalProperties: false,
};

const RESULT = objectOf({ status: { enum: [200, 201, 204] }, body: { type: ['object', 'null'] } }, ['status', 'body']);

const BODY: JsonSchema = {
  ...objectOf({ requests: arrayOf(REQUEST, { minItems: 1, maxItems: MAX_REQUESTS }) }, ['requests']),
  additionalProperties: false,
};

const DONE: JsonSchema = {
  description: 'The response to each request, in order',
  content: json(objectOf({ data: arrayOf(RESULT) }, ['data'])),
};

/** Every request needs the grant that it needs alone; the batch needs none. */
export function batchPaths(subject: Subject, types: readonly ContentType[]): readonly DescribedPath[] {
  const all = types.flatMap(({ uid }) => (['create', 'update', 'delete'] as const).map((each) => actionId(uid, each)));
  const action = anyOf(subject, all);
  if (action === undefined) return [];
  const named = { operationId: 'batch', tag: TAG, action, summary: 'Write several documents' };
  const post = operation(subject, named, {
    description: DESCRIPTION,
    parameters: [common('IdempotencyKey')],
    requestBody: { required: true, content: json(BODY) },
    responses: responses('200', DONE, 'NotFound', 'KeyInUse', 'PreconditionFailed', 'TooLarge', 'KeyReused'),
  });
  return pathItem('/api/batch', { post });
}
