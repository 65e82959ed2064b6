/**
 * @module Links to previews in the OpenAPI document.
 */
import { pathOfAction } from '../../schema/publication.ts';
import { previewedType } from '../../schema/settings/derived.ts';
import BODIES from '../description/body-schemas.json' with { type: 'json' };
import {
  documentPath,
  type FeatureDescription,
  type Operation,
  type TypeSubject,
  typeOperation,
} from '../description/granted-operation.ts';
import { objectOf, text, time } from '../description/json-schema.ts';
import { previewParameters } from '../description/openapi-parameters.ts';
import { dataResponse, requestBody, responses } from '../description/openapi-responses.ts';

const LINK = objectOf({ url: text, token: text, expiresAt: time }, ['url', 'token', 'expiresAt']);

function documentOperations(subject: TypeSubject): readonly Operation[] {
  if (!previewedType(subject.settings, subject.type.uid)) return [];
  const link = typeOperation(
    subject,
    `POST ${documentPath(subject)}/actions/${pathOfAction('previewLink')}`,
    'previewLink',
    'previewLink',
    'Link to a preview',
    {
      parameters: previewParameters(subject.shape),
      requestBody: requestBody(BODIES.previewLink, false),
      responses: responses('200', dataResponse('Link', LINK), 'NotFound'),
    },
  );
  return [link];
}

export const PREVIEW_LINK: FeatureDescription = { documentOperations };
