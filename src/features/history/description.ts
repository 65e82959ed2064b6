/**
 * @module The history of a document in the OpenAPI document.
 */
import { actionId } from '../../access/grants.ts';
import type { ContentType } from '../../schema/model.ts';
import { keptVersions } from '../../schema/settings/derived.ts';
import BODIES from '../description/body-schemas.json' with { type: 'json' };
import {
  documentPath,
  type FeatureDescription,
  type Operation,
  queryParameter,
  type Subject,
  type TypeSubject,
  tagged,
  typeOperation,
} from '../description/granted-operation.ts';
import {
  arrayOf,
  booleanSchema,
  common,
  integerSchema,
  type JsonSchema,
  nullable,
  objectOf,
  ref,
  text,
  time,
} from '../description/json-schema.ts';
import { shownParameters } from '../description/openapi-parameters.ts';
import { dataResponse, requestBody, responses } from '../description/openapi-responses.ts';
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
const PAGE = [queryParameter('pagination[limit]', integerSchema), queryParameter('pagination[after]')];
const PAGINATION = objectOf({ pagination: withAll({ limit: integerSchema, next: nullable(text) }) });

function documentOperations(subject: TypeSubject): readonly Operation[] {
  const { shape, type, settings } = subject;
  if (!keptVersions(settings, type.uid)) return [];
  const path = documentPath(subject);
  const shown = dataResponse('As it was', ref(shape.name), objectOf({ history: VERSION, ...LOST }));
  const restored = dataResponse('The draft', ref(shape.name), objectOf(LOST));
  return [
    typeOperation(subject, `GET ${path}/history`, 'history', 'listHistory', 'List former versions', {
      parameters: PAGE,
      responses: responses('200', dataResponse('The newest first', arrayOf(VERSION), PAGINATION), 'NotFound'),
    }),
    typeOperation(subject, `GET ${path}/history/{revision}`, 'history', 'showHistory', 'Show a former version', {
      parameters: shownParameters(shape),
      responses: responses('200', shown, 'NotFound'),
    }),
    typeOperation(subject, `POST ${path}/actions/restore`, 'restore', 'restore', 'Restore a former version', {
      parameters: [...shownParameters(shape), common('IfMatch')],
      requestBody: requestBody(BODIES.restore),
      responses: responses('200', restored, 'NotFound', 'PreconditionFailed'),
    }),
  ];
}

const TAG = 'history';

/** `GET /api/history`, for a reader who may see the history of any type. */
function listChanges({ settings }: Subject, types: readonly ContentType[]): Operation {
  const kept = types.filter(({ uid }) => keptVersions(settings, uid));
  const actions = kept.map(({ uid }) => actionId(uid, 'history'));
  return tagged(TAG)('GET /api/history', actions, 'listChanges', 'List the last changes', {
    parameters: [
      queryParameter('type'),
      queryParameter('operation', arrayOf({ enum: HISTORY_OPERATIONS })),
      queryParameter('by', arrayOf({ enum: HISTORY_ACTORS })),
      queryParameter('from', time),
      queryParameter('to', time),
      ...PAGE,
    ],
    responses: responses('200', dataResponse('The newest first', arrayOf(CHANGE), PAGINATION)),
  });
}

export const HISTORY: FeatureDescription = {
  tag: { name: TAG, description: 'Former versions of documents' },
  documentOperations,
  operations: (subject, types) => [listChanges(subject, types)],
};
