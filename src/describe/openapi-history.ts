/**
 * @module The history of a document in the OpenAPI document.
 */
import { actionId } from '../auth/grants.ts';
import type { ContentType } from '../registry/model.ts';
import { HISTORY_ACTORS, HISTORY_OPERATIONS } from '../request/history-filters.ts';
import { keptVersions } from '../settings/derived.ts';
import {
  anyOf,
  type DescribedPath,
  operation,
  type PartDescription,
  pathItem,
  type Subject,
  type TypeSubject,
} from './granted-operation.ts';
import { arrayOf, type JsonSchema, objectOf, ref, text, time } from './json-schema.ts';
import { common, DOCUMENT_ID_PARAMETER, shownParameters } from './openapi-parameters.ts';
import { dataResponse, json, responses } from './openapi-responses.ts';

const textOrNull = { type: ['string', 'null'] };
/** An object that has every property. */
const withAll = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  objectOf(properties, Object.keys(properties));

const FIELDS = {
  revision: text,
  documentId: text,
  locale: textOrNull,
  version: text,
  operation: text,
  at: time,
  by: withAll({ kind: text, id: textOrNull, name: textOrNull }),
  hasValues: { type: 'boolean' },
};
const VERSION = withAll(FIELDS);
const CHANGE = withAll({ type: { ...text, description: 'uid of the content type' }, ...FIELDS });
const MISSING = arrayOf(withAll({ path: text, documentId: text }));
const REVISION = { name: 'revision', in: 'path', required: true, schema: text };
const parameter = (name: string, schema: JsonSchema = text) => ({ name, in: 'query', schema });
const AFTER = parameter('pagination[after]');
const LIMIT = parameter('pagination[limit]', { type: 'integer' });
const PAGE = objectOf({ pagination: withAll({ limit: { type: 'integer' }, next: textOrNull }) });

function documentPaths(subject: TypeSubject): readonly DescribedPath[] {
  const { segment, shape, type, settings } = subject;
  if (!keptVersions(settings, type.uid)) return [];
  const isSingle = type.kind === 'singleType';
  const named = (name: string, action: 'history' | 'restore', summary: string) => ({
    ...{ operationId: `${name}${shape.name}`, tag: segment, action: actionId(type.uid, action), summary },
  });
  const list = operation(subject, named('listHistory', 'history', 'List former versions'), {
    parameters: [LIMIT, AFTER],
    responses: responses('200', dataResponse('The newest first', arrayOf(VERSION), PAGE), 'NotFound'),
  });
  const shown = dataResponse(
    'As it was',
    ref(shape.name),
    objectOf({ history: VERSION, missing: MISSING, changed: arrayOf(text) }),
  );
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

const TAG = 'history';

/** `GET /api/history`, for a reader who may see the history of any type. */
function listPath(subject: Subject, types: readonly ContentType[]): readonly DescribedPath[] {
  const kept = types.filter(({ uid }) => keptVersions(subject.settings, uid));
  const action = anyOf(
    subject,
    kept.map(({ uid }) => actionId(uid, 'history')),
  );
  if (action === undefined) return [];
  const named = { operationId: 'listChanges', tag: TAG, action, summary: 'List the last changes' };
  const get = operation(subject, named, {
    parameters: [
      parameter('type'),
      parameter('operation', arrayOf({ enum: HISTORY_OPERATIONS })),
      parameter('by', arrayOf({ enum: HISTORY_ACTORS })),
      parameter('from', time),
      parameter('to', time),
      ...[LIMIT, AFTER],
    ],
    responses: responses('200', dataResponse('The newest first', arrayOf(CHANGE), PAGE)),
  });
  return pathItem('/api/history', { get });
}

export const HISTORY: PartDescription = {
  tag: { name: TAG, description: 'Former versions of documents' },
  documentPaths,
  paths: listPath,
};
