/**
 * @module Links to previews in the OpenAPI document.
 */
import { actionId } from '../../access/grants.ts';
import { pathOfAction } from '../../schema/publication.ts';
import { previewedType } from '../../schema/settings/derived.ts';
import {
  type DescribedPath,
  type FeatureDescription,
  operation,
  pathItem,
  type TypeSubject,
} from '../description/granted-operation.ts';
import { objectOf, text, time } from '../description/json-schema.ts';
import { DOCUMENT_ID_PARAMETER, previewParameters } from '../description/openapi-parameters.ts';
import { dataResponse, json, responses } from '../description/openapi-responses.ts';
import { EXPIRES_IN } from './preview-body.ts';

const DURATION = { ...text, pattern: EXPIRES_IN.source };
const LINK = objectOf({ url: text, token: text, expiresAt: time }, ['url', 'token', 'expiresAt']);

function documentPaths(subject: TypeSubject): readonly DescribedPath[] {
  const { segment, shape, type, settings } = subject;
  if (!previewedType(settings, type.uid)) return [];
  const isSingle = type.kind === 'singleType';
  const named = {
    operationId: `previewLink${shape.name}`,
    tag: segment,
    action: actionId(type.uid, 'previewLink'),
    summary: 'Link to a preview',
  };
  const post = operation(subject, named, {
    parameters: previewParameters(shape),
    requestBody: { required: false, content: json(objectOf({ data: objectOf({ expiresIn: DURATION }) })) },
    responses: responses('200', dataResponse('Link', LINK), 'NotFound'),
  });
  const path = `/api/${segment}${isSingle ? '' : '/{documentId}'}/actions/${pathOfAction('previewLink')}`;
  return pathItem(path, { post }, isSingle ? [] : [DOCUMENT_ID_PARAMETER]);
}

export const PREVIEW_LINK: FeatureDescription = { documentPaths };
