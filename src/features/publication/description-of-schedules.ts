/**
 * @module `/api/scheduled` in the OpenAPI document.
 */
import { actionId } from '../../access/grants.ts';
import type { ContentType } from '../../schema/model.ts';
import { type Operation, pathParameter, queryParameter, tagged } from '../description/granted-operation.ts';
import { arrayOf, type JsonSchema, objectOf, text } from '../description/json-schema.ts';
import { dataResponse, responses } from '../description/openapi-responses.ts';

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

/** Operations for readers who may publish or unpublish any type. */
export function scheduledOperations(types: readonly ContentType[]): readonly Operation[] {
  const drafted = types.filter(({ draftAndPublish }) => draftAndPublish);
  const action = drafted.flatMap(({ uid }) => [actionId(uid, 'publish'), actionId(uid, 'unpublish')]);
  const shown = dataResponse('The next first, then those that failed', arrayOf(SCHEDULED_ENTRY), objectOf({}));
  return [
    tagged(TAG)('GET /api/scheduled', action, 'listScheduled', 'List scheduled publications', {
      parameters: [queryParameter('type'), queryParameter('documentId')],
      responses: responses('200', shown),
    }),
    tagged(TAG)('DELETE /api/scheduled/{id}', action, 'cancelScheduled', 'Cancel a scheduled publication', {
      pathParameters: [pathParameter('id')],
      responses: responses('204', { description: 'Cancelled' }, 'NotFound'),
    }),
  ];
}
