/**
 * @module The actions of publication in the OpenAPI document.
 */
import { PUBLICATION_ACTIONS, PUBLICATIONS, type PublicationAction, pathOfAction } from '../../schema/publication.ts';
import BODIES from '../description/body-schemas.json' with { type: 'json' };
import {
  documentPath,
  type FeatureDescription,
  type Operation,
  type TypeSubject,
  typeOperation,
} from '../description/granted-operation.ts';
import { type JsonSchema, objectOf, ref } from '../description/json-schema.ts';
import { publicationParameters } from '../description/openapi-parameters.ts';
import { dataResponse, requestBody, responses } from '../description/openapi-responses.ts';
import { SCHEDULED_ENTRY, SCHEDULED_TAG, scheduledOperations } from './description-of-schedules.ts';

const WORDS: Readonly<Record<PublicationAction, { readonly summary: string; readonly shown: string }>> = {
  publish: { summary: 'Publish the draft in one locale', shown: 'The published version' },
  unpublish: { summary: 'Remove the published version in one locale', shown: 'The draft' },
  discardDraft: { summary: 'Make the draft equal to the published version in one locale', shown: 'The draft' },
};

/** The document, or what was scheduled. */
const eitherOf = (name: string): JsonSchema => ({ anyOf: [ref(name), SCHEDULED_ENTRY] });

function documentOperations(subject: TypeSubject): readonly Operation[] {
  const { shape, type } = subject;
  if (!type.draftAndPublish) return [];
  return PUBLICATION_ACTIONS.map((action) => {
    const { summary, shown } = WORDS[action];
    const { isTimed } = PUBLICATIONS[action];
    const success = isTimed ? eitherOf(shape.name) : ref(shape.name);
    return typeOperation(
      subject,
      `POST ${documentPath(subject)}/actions/${pathOfAction(action)}`,
      action,
      action,
      summary,
      {
        parameters: publicationParameters(shape, action),
        requestBody: requestBody(isTimed ? BODIES.publication : objectOf({ data: objectOf({}) }), false),
        responses: responses('200', dataResponse(shown, success), 'NotFound', 'PreconditionFailed'),
      },
    );
  });
}

export const PUBLICATION: FeatureDescription = {
  tag: SCHEDULED_TAG,
  documentOperations,
  operations: (_, types) => scheduledOperations(types),
};
