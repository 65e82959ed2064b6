/**
 * @module `/api/content-type-builder` as OpenAPI.
 */

import { type DescribedPath, operation, pathItem, type Subject } from './granted-operation.ts';
import { arrayOf, type JsonSchema, objectOf, text } from './json-schema.ts';
import { json, responses } from './openapi-responses.ts';

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

function pathsOf(subject: Subject, kind: string, all: string, one: string): readonly DescribedPath[] {
  const read = (action: string, summary: string, data: JsonSchema, ...missing: readonly 'NotFound'[]) =>
    operation(
      subject,
      { operationId: action, tag: TAG, action: `plugin::content-type-builder.${kind}.${action}`, summary },
      {
        responses: responses('200', { description: summary, content: json(objectOf({ data }, ['data'])) }, ...missing),
      },
    );
  const path = `/api/content-type-builder/${kind}`;
  const uid = { name: 'uid', in: 'path', required: true, schema: text };
  const name = kind.replace('-', ' ');
  const listed = read(all, `List the ${name}`, arrayOf(ENTRY));
  const parameters = kind === 'content-types' && { parameters: [KIND] };
  return [
    ...pathItem(path, { get: listed && { ...listed, ...parameters } }),
    ...pathItem(`${path}/{uid}`, { get: read(one, `Read one of the ${name}`, ENTRY, 'NotFound') }, [uid]),
  ];
}

export const schemaPaths = (subject: Subject): readonly DescribedPath[] => [
  ...pathsOf(subject, 'content-types', 'getContentTypes', 'getContentType'),
  ...pathsOf(subject, 'components', 'getComponents', 'getComponent'),
];
