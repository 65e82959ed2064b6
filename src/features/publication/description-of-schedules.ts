/**
 * @module `/api/scheduled` in the OpenAPI document.
 */
import { actionId } from '../../access/grants.ts';
import type { ContentType } from '../../schema/model.ts';
import { anyOf, type DescribedPath, operation, pathItem, type Subject } from '../description/granted-operation.ts';
import { arrayOf, type JsonSchema, objectOf, text } from '../description/json-schema.ts';
import { json, responses } from '../description/openapi-responses.ts';

const TAG = 'scheduled';
export const SCHEDULED_TAG: JsonSchema = { name: TAG, description: 'Publications at a time to come' };

const textOrNull = { type: ['string', 'null'] };

export const SCHEDULED_ENTRY = objectOf(
  {
    id: text,
    type: { ...text, description: 'uid of the content type' },
    documentId: { ...textOrNull, description: 'null for a single type' },
    locale: textOrNull,
    action: { enum: ['publish', 'unpublish'] },
    at: { ...textOrNull, format: 'date-time', description: 'null once it has failed' },
    error: textOrNull,
  },
  ['id', 'type', 'documentId', 'locale', 'action', 'at', 'error'],
);

/** Returns the paths for a reader who may publish or unpublish any type. */
export function scheduledPaths(subject: Subject, types: readonly ContentType[]): readonly DescribedPath[] {
  const drafted = types.filter(({ draftAndPublish }) => draftAndPublish);
  const action = anyOf(
    subject,
    drafted.flatMap(({ uid }) => [actionId(uid, 'publish'), actionId(uid, 'unpublish')]),
  );
  if (action === undefined) return [];
  const list = { operationId: 'listScheduled', tag: TAG, action, summary: 'List scheduled publications' };
  const cancel = { operationId: 'cancelScheduled', tag: TAG, action, summary: 'Cancel a scheduled publication' };
  const shown = {
    description: 'The next first, then those that failed',
    content: json(objectOf({ data: arrayOf(SCHEDULED_ENTRY), meta: objectOf({}) }, ['data', 'meta'])),
  };
  const id = { name: 'id', in: 'path', required: true, schema: text };
  return [
    ...pathItem('/api/scheduled', { get: operation(subject, list, { responses: responses('200', shown) }) }),
    ...pathItem(
      '/api/scheduled/{id}',
      { delete: operation(subject, cancel, { responses: responses('204', { description: 'Cancelled' }, 'NotFound') }) },
      [id],
    ),
  ];
}
