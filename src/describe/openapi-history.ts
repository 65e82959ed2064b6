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
import { arrayOf, type JsonSchema, objectOf, ref, text, time } from './json-schema.ts';
import { common, DOCUMENT_ID_PARAMETER, shownParameters } from './openapi-parameters.ts';
import { dataResponse, json, responses } from './openapi-responses.ts';

const textOrNull = { type: ['string', 'null'] };
/** An object that has every property. */
const withAll = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  objectOf(properties, Object.keys(properties));

const VERSION = withAll({
  revision: text,
  documentId: text,
  locale: textOrNull,
  version: text,
  operation: text,
  at: time,
  by: withAll({ kind: text, id: textOrNull, name: textOrNull }),
  hasValues: { type: 'boolean' },
});
const MISSING = arrayOf(withAll({ path: text, documentId: text }));
const REVISION = { name: 'revision', in: 'path', required: true, schema: text };
const AFTER = { name: 'pagination[after]', in: 'query', schema: text };

function documentPaths(subject: TypeSubject): readonly DescribedPath[] {
  const { segment, shape, type, settings } = subject;
  if (!keptVersions(settings, type.uid)) return [];
  const isSingle = type.kind === 'singleType';
  const named = (name: string, action: 'history' | 'restore', summary: string) => ({
    ...{ operationId: `${name}${shape.name}`, tag: segment, action: actionId(type.uid, action), summary },
  });
  const page = objectOf({ pagination: withAll({ limit: { type: 'integer' }, next: textOrNull }) });
  const list = operation(subject, named('listHistory', 'history', 'List former versions'), {
    parameters: [AFTER],
    responses: responses('200', dataResponse('The newest first', arrayOf(VERSION), page), 'NotFound'),
  });
  const shown = dataResponse('As it was', ref(shape.name), objectOf({ history: VERSION, missing: MISSING }));
  const show = operation(subject, named('showHistory', 'history', 'Show a former version'), {
    parameters: shownParameters(shape),
    responses: responses('200', shown, 'NotFound'),
  });
  const restored = objectOf({ missing: MISSING, changed: arrayOf(text) });
  const restore = operation(subject, named('restore', 'restore', 'Restore a former version'), {
    parameters: [...shownParameters(shape), common('IfMatch')],
    requestBody: { required: true, content: json(withAll({ data: withAll({ revision: text }) })) },
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
