/**
 * @module The history of a document in the OpenAPI document.
 */
import { actionId } from '../../access/grants.ts';
import type { ContentType } from '../../schema/model.ts';
import { keptVersions } from '../../schema/settings/derived.ts';
import {
  anyOf,
  type DescribedPath,
  type FeatureDescription,
  operation,
  pathItem,
  type Subject,
  type TypeSubject,
} from '../description/granted-operation.ts';
import {
  arrayOf,
  booleanSchema,
  integerSchema,
  type JsonSchema,
  nullable,
  objectOf,
  ref,
  text,
  time,
} from '../description/json-schema.ts';
import { common, DOCUMENT_ID_PARAMETER, shownParameters } from '../description/openapi-parameters.ts';
import { dataResponse, json, responses } from '../description/openapi-responses.ts';
import { HISTORY_ACTORS, HISTORY_OPERATIONS } from './filters.ts';

/** An object that has every property. */
const withAll = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  objectOf(properties, Object.keys(properties));

const FIELDS = {
  revision: text,
  documentId: text,
  locale: nullable(text),
  version: text,
  operation: text,
  at: time,
  by: withAll({ kind: text, id: nullable(text), name: nullable(text) }),
  hasValues: booleanSchema,
};
const VERSION = withAll(FIELDS);
const CHANGE = withAll({ type: { ...text, description: 'uid of the content type' }, ...FIELDS });
/** What a former version had, and the document has not. */
const LOST = { missing: arrayOf(withAll({ path: text, documentId: text })), changed: arrayOf(text) };
const REVISION = { name: 'revision', in: 'path', required: true, schema: text };
const parameter = (name: string, schema: JsonSchema = text) => ({ name, in: 'query', schema });
const PAGE = [parameter('pagination[limit]', integerSchema), parameter('pagination[after]')];
const PAGINATION = objectOf({ pagination: withAll({ limit: integerSchema, next: nullable(text) }) });

function documentPaths(subject: TypeSubject): readonly DescribedPath[] {
  const { segment, shape, type, settings } = subject;
  if (!keptVersions(settings, type.uid)) return [];
  const isSingle = type.kind === 'singleType';
  const named = (name: string, action: 'history' | 'restore', summary: string) => ({
    operationId: `${name}${shape.name}`,
    tag: segment,
    action: actionId(type.uid, action),
    summary,
  });
  const list = operation(subject, named('listHistory', 'history', 'List former versions'), {
    parameters: PAGE,
    responses: responses('200', dataResponse('The newest first', arrayOf(VERSION), PAGINATION), 'NotFound'),
  });
  const shown = dataResponse('As it was', ref(shape.name), objectOf({ history: VERSION, ...LOST }));
  const show = operation(subject, named('showHistory', 'history', 'Show a former version'), {
    parameters: shownParameters(shape),
    responses: responses('200', shown, 'NotFound'),
  });
  const restored = dataResponse('The draft', ref(shape.name), objectOf(LOST));
  const restore = operation(subject, named('restore', 'restore', 'Restore a former version'), {
    parameters: [...shownParameters(shape), common('IfMatch')],
    requestBody: { required: true, content: json(withAll({ data: withAll({ revision: text }) })) },
    responses: responses('200', restored, 'NotFound', 'PreconditionFailed'),
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
  const actions = kept.map(({ uid }) => actionId(uid, 'history'));
  const action = anyOf(subject, actions);
  if (action === undefined) return [];
  const named = { operationId: 'listChanges', tag: TAG, action, summary: 'List the last changes' };
  const get = operation(subject, named, {
    parameters: [
      parameter('type'),
      parameter('operation', arrayOf({ enum: HISTORY_OPERATIONS })),
      parameter('by', arrayOf({ enum: HISTORY_ACTORS })),
      parameter('from', time),
      parameter('to', time),
      ...PAGE,
    ],
    responses: responses('200', dataResponse('The newest first', arrayOf(CHANGE), PAGINATION)),
  });
  return pathItem('/api/history', { get });
}

export const HISTORY: FeatureDescription = {
  tag: { name: TAG, description: 'Former versions of documents' },
  documentPaths,
  paths: listPath,
};
