/**
 * @module Signed addresses of private files in the OpenAPI document.
 */
import { anyOf, type FeatureDescription, operation, pathItem } from '../../description/granted-operation.ts';
import { integerSchema, objectOf, text, time } from '../../description/json-schema.ts';
import { dataResponse, json, responses } from '../../description/openapi-responses.ts';

const SIZE = objectOf({ w: integerSchema, h: integerSchema, fit: text, f: text, q: text });
const BODY = objectOf({ expiresIn: { type: 'integer', minimum: 1, maximum: 604_800 }, size: SIZE }, ['expiresIn']);
const ADDRESS = objectOf({ url: text, expiresAt: time }, ['url', 'expiresAt']);

export const PRIVATE_FILES: FeatureDescription = {
  bytesParameters: ['expires', 'signature'].map((name) => ({ name, in: 'query', schema: text })),
  paths(subject) {
    const action = anyOf(
      subject,
      ['findOne', 'find'].map((name) => `plugin::upload.content-api.${name}`),
    );
    if (action === undefined) return [];
    const named = { operationId: 'signFile', tag: 'upload', action, summary: 'Sign the address of a private file' };
    const post = operation(subject, named, {
      requestBody: { required: true, content: json(BODY) },
      responses: responses('200', dataResponse('The address', ADDRESS), 'NotFound'),
    });
    const id = { name: 'id', in: 'path', required: true, schema: integerSchema };
    return pathItem('/api/upload/files/{id}/actions/sign', { post }, [id]);
  },
};
