/**
 * @module Signed addresses of private files in the OpenAPI document.
 */
import { type FeatureDescription, rowParameter, tagged } from '../../description/granted-operation.ts';
import { integerSchema, objectOf, text, time } from '../../description/json-schema.ts';
import { dataResponse, requestBody, responses } from '../../description/openapi-responses.ts';

const SIZE = objectOf({ w: integerSchema, h: integerSchema, fit: text, f: text, q: text });
const BODY = objectOf({ expiresIn: { type: 'integer', minimum: 1, maximum: 604_800 }, size: SIZE }, ['expiresIn']);
const ADDRESS = objectOf({ url: text, expiresAt: time }, ['url', 'expiresAt']);

const ACTIONS = ['findOne', 'find'].map((name) => `plugin::upload.content-api.${name}`);

export const PRIVATE_FILES: FeatureDescription = {
  bytesParameters: ['expires', 'signature'].map((name) => ({ name, in: 'query', schema: text })),
  operations: ({ settings }) => [
    tagged('upload')(
      'POST /api/upload/files/{id}/actions/sign',
      ACTIONS,
      'signFile',
      'Sign the address of a private file',
      {
        pathParameters: [rowParameter(settings)],
        requestBody: requestBody(BODY),
        responses: responses('200', dataResponse('The address', ADDRESS), 'NotFound'),
      },
    ),
  ],
};
