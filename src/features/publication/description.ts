/**
 * @module The actions of publication in the OpenAPI document.
 */
import { actionId } from '../../access/grants.ts';
import { PUBLICATION_ACTIONS, type PublicationAction, pathOfAction } from '../../schema/publication.ts';
import {
  type DescribedPath,
  type FeatureDescription,
  operation,
  pathItem,
  type TypeSubject,
} from '../description/granted-operation.ts';
import { type JsonSchema, objectOf, ref } from '../description/json-schema.ts';
import { DOCUMENT_ID_PARAMETER, publicationParameters } from '../description/openapi-parameters.ts';
import { dataResponse, json, responses } from '../description/openapi-responses.ts';
import { SCHEDULED_ENTRY, SCHEDULED_TAG, scheduledPaths } from './description-of-schedules.ts';

const WORDS: Readonly<Record<PublicationAction, { readonly summary: string; readonly shown: string }>> = {
  publish: { summary: 'Publish the draft in one locale', shown: 'The published version' },
  unpublish: { summary: 'Remove the published version in one locale', shown: 'The draft' },
  discardDraft: { summary: 'Make the draft equal to the published version in one locale', shown: 'The draft' },
};

const AT: JsonSchema = { type: 'string', format: 'date-time', description: 'A time to come: schedules the action' };

/** The document, or what was scheduled. */
const eitherOf = (name: string): JsonSchema => ({ anyOf: [ref(name), SCHEDULED_ENTRY] });

function documentPaths(subject: TypeSubject): readonly DescribedPath[] {
  const { segment, shape, type } = subject;
  if (!type.draftAndPublish) return [];
  const isSingle = type.kind === 'singleType';
  return PUBLICATION_ACTIONS.flatMap((action) => {
    const { summary, shown } = WORDS[action];
    const isTimed = action !== 'discardDraft';
    const success = isTimed ? eitherOf(shape.name) : ref(shape.name);
    const named = { operationId: `${action}${shape.name}`, tag: segment, action: actionId(type.uid, action), summary };
    const post = operation(subject, named, {
      parameters: publicationParameters(shape, action),
      requestBody: { required: false, content: json(objectOf({ data: objectOf(isTimed ? { at: AT } : {}) })) },
      responses: responses('200', dataResponse(shown, success), 'NotFound', 'PreconditionFailed'),
    });
    const path = `/api/${segment}${isSingle ? '' : '/{documentId}'}/actions/${pathOfAction(action)}`;
    return pathItem(path, { post }, isSingle ? [] : [DOCUMENT_ID_PARAMETER]);
  });
}

export const PUBLICATION: FeatureDescription = { tag: SCHEDULED_TAG, documentPaths, paths: scheduledPaths };
