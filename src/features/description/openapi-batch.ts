/**
 * @module `POST /api/batch` as OpenAPI, for readers who may write.
 */
import { actionId } from '../../access/grants.ts';
import { MAX_REQUESTS } from '../../content/operations/batch-body.ts';
import type { ContentType } from '../../schema/model.ts';
import BODIES from './body-schemas.json' with { type: 'json' };
import { type Operation, tagged } from './granted-operation.ts';
import { arrayOf, common, type JsonSchema, objectOf } from './json-schema.ts';
import { jsonResponse, requestBody, responses } from './openapi-responses.ts';

const TAG = 'batch';
export const BATCH_TAG: JsonSchema = { name: TAG, description: 'Several writes in one commit' };

const DESCRIPTION =
  'All requests are carried out in order, or none. In a relation, `$ref:0` is the documentId that request 0 creates. ' +
  'An error is that of the first request that fails; `details.request` is its index.';

const RESULT = objectOf({ status: { enum: [200, 201, 204] }, body: { type: ['object', 'null'] } }, ['status', 'body']);

const BODY: JsonSchema = {
  ...objectOf({ requests: arrayOf(BODIES.batchRequest, { minItems: 1, maxItems: MAX_REQUESTS }) }, ['requests']),
  additionalProperties: false,
};

const DONE = jsonResponse('The response to each request, in order', objectOf({ data: arrayOf(RESULT) }, ['data']));

/** Every request needs the grant that it needs alone; the batch needs none. */
export function batchOperation(types: readonly ContentType[]): Operation {
  const actions = types.flatMap(({ uid }) => (['create', 'update', 'delete'] as const).map((id) => actionId(uid, id)));
  return tagged(TAG)('POST /api/batch', actions, 'batch', 'Write several documents', {
    description: DESCRIPTION,
    parameters: [common('IdempotencyKey')],
    requestBody: requestBody(BODY),
    responses: responses('200', DONE, 'NotFound', 'KeyInUse', 'PreconditionFailed', 'TooLarge', 'KeyReused'),
  });
}
