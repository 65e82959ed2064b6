/**
 * @module The clients that users have connected, in the OpenAPI document. The way to a connection is not in it: that is OAuth,
 * which its own documents describe, with a page of Studio.
 */
import { LEVELS } from '../../access/delegation.ts';
import { type FeatureDescription, pathParameter, tagged } from '../description/granted-operation.ts';
import { arrayOf, type JsonSchema, objectOf, text, time } from '../description/json-schema.ts';
import { jsonResponse, responses } from '../description/openapi-responses.ts';
import { TAG } from '../users/description.ts';

const GRANTS = '/api/auth/oauth/grants';

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

const GRANT = objectOf({
  ...{ id: text, clientId: text, host: text, name: text, level: { type: 'string', enum: LEVELS } },
  ...{ types: orNull(arrayOf(text)), createdAt: time, lastUsedAt: orNull(time) },
});

const declare = tagged(TAG);
const success = (summary: string, data: JsonSchema) => jsonResponse(summary, objectOf({ data }, ['data']));
const [LIST, END] = ['List the clients that the user has connected', 'Disconnect one of them'];

export const CLIENTS: FeatureDescription = {
  operations: () => [
    declare(`GET ${GRANTS}`, undefined, 'listConnectedClients', LIST, {
      ...{ isForUsers: true, responses: responses('200', success(LIST, arrayOf(GRANT))) },
    }),
    declare(`DELETE ${GRANTS}/{id}`, undefined, 'disconnectClient', END, {
      ...{ isForUsers: true, pathParameters: [pathParameter('id')] },
      responses: responses('200', success(END, objectOf({})), 'NotFound'),
    }),
  ],
};
