/**
 * @module `POST /api/batch` as OpenAPI, for readers who may write.
 */
import { actionId } from '../auth/grants.ts';
import { BATCH_METHODS, MAX_REQUESTS } from '../registry/batch-body.ts';
import type { ContentType } from '../registry/model.ts';
import { arrayOf, type JsonSchema, objectOf, text } from './json-schema.ts';
import { json, responses } from './openapi-responses.ts';
import { operation, type Path, pathItem, type Subject } from './operations.ts';

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

const REQUEST: JsonSchema = {
  ...objectOf({ method: { enum: BATCH_METHODS }, path: PATH, body: { type: 'object' } }, ['method', 'path']),
  additionalProperties: false,
};

const RESULT = objectOf({ status: { enum: [200, 201, 204] }, body: { type: ['object', 'null'] } }, ['status', 'body']);

/** Every request needs the grant that it needs alone; the batch needs none. */
export function batchPaths(subject: Subject, types: readonly ContentType[]): readonly Path[] {
  const actions = types.flatMap(({ uid }) =>
    (['create', 'update', 'delete'] as const).map((each) => actionId(uid, each)),
  );
  const described = actions
    .map((action) =>
      operation(
        subject,
        { operationId: 'batch', tag: TAG, action, summary: 'Write several documents' },
        {
          description: DESCRIPTION,
          requestBody: {
            required: true,
            content: json({
              ...objectOf({ requests: arrayOf(REQUEST, { minItems: 1, maxItems: MAX_REQUESTS }) }, ['requests']),
              additionalProperties: false,
            }),
          },
          responses: responses(
            '200',
            {
              description: 'The response to each request, in order',
              content: json(objectOf({ data: arrayOf(RESULT) }, ['data'])),
            },
            'NotFound',
            'TooLarge',
          ),
        },
      ),
    )
    .filter((each) => each !== undefined);
  // Optional credentials, if the public may send any of the requests.
  const post = described.find(({ security }) => Array.isArray(security) && security.length > 1) ?? described[0];
  return pathItem('/api/batch', { post });
}
