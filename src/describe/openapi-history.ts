/**
 * @module The history of a document in the OpenAPI document.
 */
import { actionId } from '../auth/grants.ts';
import { keptVersions } from '../settings/derived.ts';
import {
  type DescribedPath,
  operation,
  type PartDescription,
  pathItem,
  type TypeSubject,
} from './granted-operation.ts';
import { arrayOf, objectOf, ref, text, time } from './json-schema.ts';
import { common, DOCUMENT_ID_PARAMETER, shownParameters } from './openapi-parameters.ts';
import { dataResponse, json, responses } from './openapi-responses.ts';

const textOrNull = { type: ['string', 'null'] };
const VERSION = objectOf(
  {
    revision: text,
    documentId: text,
    locale: textOrNull,
    version: { enum: ['draft', 'published'] },
    operation: { enum: ['before', 'create', 'update', 'publish', 'unpublish', 'discardDraft', 'restore', 'delete'] },
    at: time,
    by: objectOf(
      { kind: { enum: ['user', 'token', 'public', 'schedule', 'code'] }, id: textOrNull, name: textOrNull },
      ['kind', 'id', 'name'],
    ),
    hasValues: { type: 'boolean', description: 'Whether the version can be read and restored' },
  },
  ['revision', 'documentId', 'locale', 'version', 'operation', 'at', 'by', 'hasValues'],
);
const MISSING = arrayOf(objectOf({ path: text, documentId: text }, ['path', 'documentId']));
const REVISION = { name: 'revision', in: 'path', required: true, schema: text };
const AFTER = {
  name: 'pagination[after]',
  in: 'query',
  schema: text,
  description: '`meta.pagination.next` of the page before this one',
};

function documentPaths(subject: TypeSubject): readonly DescribedPath[] {
  const { segment, shape, type, settings } = subject;
  if (!keptVersions(settings, type.uid)) return [];
  const isSingle = type.kind === 'singleType';
  const named = (name: string, action: 'history' | 'restore', summary: string) => ({
    ...{ operationId: `${name}${shape.name}`, tag: segment, action: actionId(type.uid, action), summary },
  });
  const page = objectOf({ pagination: objectOf({ limit: { type: 'integer' }, next: textOrNull }, ['limit', 'next']) });
  const shown = objectOf({ history: VERSION, missing: MISSING });
  const restored = objectOf({ missing: MISSING, changed: arrayOf(text) });
  const list = operation(subject, named('listHistory', 'history', 'List the former versions, the newest first'), {
    parameters: [AFTER],
    responses: responses('200', dataResponse('The versions', arrayOf(VERSION), page), 'NotFound'),
  });
  const show = operation(subject, named('showHistory', 'history', 'Show the document as it was'), {
    parameters: shownParameters(shape),
    responses: responses('200', dataResponse('The document as it was', ref(shape.name), shown), 'NotFound'),
  });
  const restore = operation(subject, named('restore', 'restore', 'Write a former version again'), {
    parameters: [...shownParameters(shape), common('IfMatch')],
    requestBody: {
      required: true,
      content: json(objectOf({ data: objectOf({ revision: text }, ['revision']) }, ['data'])),
    },
    responses: responses('200', dataResponse('The draft', ref(shape.name), restored), 'NotFound', 'PreconditionFailed'),
  });
  const path = `/api/${segment}${isSingle ? '' : '/{documentId}'}`;
  const id = isSingle ? [] : [DOCUMENT_ID_PARAMETER];
  return [
    ...pathItem(`${path}/history`, { get: list }, id),
    ...pathItem(`${path}/history/{revision}`, { get: show }, [...id, REVISION]),
    ...pathItem(`${path}/actions/restore`, { post: restore }, id),
  ];
}

export const HISTORY: PartDescription = { documentPaths };
