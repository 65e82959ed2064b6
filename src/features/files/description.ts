/**
 * @module `/api/upload` and `/uploads` as OpenAPI.
 */
import { UPLOAD_ACTION } from '../../access/actions.ts';
import { isDraftsOnly, mayAttachFiles } from '../../access/grants.ts';
import { isMedia } from '../../schema/attribute-kinds.ts';
import { FILE_UID } from '../../schema/system-types.ts';
import {
  type FeatureDescription,
  type Operation,
  pathParameter,
  rowParameter,
  type Subject,
  tagged,
} from '../description/granted-operation.ts';
import {
  arrayOf,
  booleanSchema,
  common,
  type JsonSchema,
  objectOf,
  ref,
  type Schemas,
  text,
} from '../description/json-schema.ts';
import { bareListParameters, filePageParameters } from '../description/openapi-parameters.ts';
import { jsonResponse, pageResponse, responses } from '../description/openapi-responses.ts';
import type { ApiShapes } from '../description/shapes.ts';

const TAG = 'upload';

const ACTIONS = 'plugin::upload.content-api';

const ANSWERED = 'AnsweredFile';
const INFO = 'FileInfo';

const nullableText = { type: ['string', 'null'] };
const percentage = { type: 'number', minimum: 0, maximum: 100 };

const schemas = (shapes: ApiShapes): Schemas => ({
  [ANSWERED]: { allOf: [ref(shapes.of(FILE_UID).name), objectOf({ isUrlSigned: booleanSchema })] },
  [INFO]: objectOf({
    name: nullableText,
    alternativeText: nullableText,
    caption: nullableText,
    folder: { type: ['integer', 'null'] },
    private: { type: ['boolean', 'null'], description: 'Only where files may be private' },
    focalPoint: { ...objectOf({ x: percentage, y: percentage }, ['x', 'y']), type: ['object', 'null'] },
  }),
});

const file = ref(ANSWERED);
const BINARY = { type: 'string', format: 'binary' };

const ATTACHED: JsonSchema = {
  ref: { type: 'string', description: 'Content type of a document that gets the files: its uid' },
  refId: { type: 'string', description: 'documentId of that document, or the numeric id of one version of it' },
  field: { type: 'string', description: 'Its media attribute' },
};

/** Is there a document that files can be attached to? */
const mayAttach = ({ shapes, grants }: Subject): boolean =>
  shapes.all.some(
    ({ uid, contentType, written }) => contentType && written.some(isMedia) && (!grants || mayAttachFiles(grants, uid)),
  );

function formOf(subject: Subject): JsonSchema {
  const attached = mayAttach(subject) ? ATTACHED : {};
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: objectOf({
          files: { ...arrayOf(BINARY), description: 'New files, or the bytes for `id`' },
          fileInfo: { ...arrayOf(ref(INFO)), description: 'One for each file, as JSON' },
          ...attached,
        }),
        encoding: { fileInfo: { contentType: 'application/json' } },
      },
      'application/json': { schema: objectOf({ fileInfo: ref(INFO), ...attached }, ['fileInfo']) },
    },
  };
}

const fileId = (description: string) => ({ name: 'id', in: 'query', description, schema: text });
const changed = jsonResponse('The file of `id` as changed', file);

const onlyAdds = ({ grants }: Subject): boolean => grants !== undefined && isDraftsOnly(grants, UPLOAD_ACTION);

const BYTES: JsonSchema = { '*/*': { schema: BINARY } };

function operations(subject: Subject): readonly Operation[] {
  const shape = subject.shapes.of(FILE_UID);
  const { name } = shape;
  const bytesParameters = subject.features.flatMap((feature) => feature.bytesParameters ?? []);
  const operation = tagged(TAG);
  const created = jsonResponse('The new files', arrayOf(file));
  const changing = onlyAdds(subject) ? [] : [fileId('id or documentId of a file to change, in place of a new one')];
  const change = operation('PUT /api/upload', UPLOAD_ACTION, `update${name}`, 'Change a file', {
    parameters: [{ ...fileId('id or documentId of the file'), required: true }],
    requestBody: formOf(subject),
    responses: responses('200', changed, 'NotFound', 'TooLarge'),
  });
  return [
    operation('POST /api/upload', UPLOAD_ACTION, `create${name}`, 'Upload files, or change one', {
      parameters: [...changing, common('IdempotencyKey')],
      requestBody: formOf(subject),
      responses: { '200': changed, ...responses('201', created, 'NotFound', 'KeyInUse', 'TooLarge', 'KeyReused') },
    }),
    ...(onlyAdds(subject) ? [] : [change]),
    operation('GET /api/upload/files', `${ACTIONS}.find`, `list${name}`, 'List files', {
      parameters: bareListParameters(shape),
      responses: responses('200', jsonResponse('All files that meet the conditions', arrayOf(file))),
    }),
    operation('GET /api/upload/files/page', `${ACTIONS}.find`, `page${name}`, 'List files by pages', {
      parameters: filePageParameters(shape),
      responses: responses('200', pageResponse('A page of files', file)),
    }),
    operation('GET /api/upload/files/{id}', `${ACTIONS}.findOne`, `get${name}`, 'Read what is known of a file', {
      pathParameters: [rowParameter(subject.settings)],
      parameters: [common('Populate')],
      responses: responses('200', jsonResponse('The file', file), 'NotFound'),
    }),
    operation('DELETE /api/upload/files/{id}', `${ACTIONS}.destroy`, `delete${name}`, 'Delete a file, with its bytes', {
      pathParameters: [rowParameter(subject.settings)],
      responses: responses('200', jsonResponse('The file that was', file), 'NotFound'),
    }),
    operation('GET /uploads/{key}', undefined, 'getBytes', 'Read the bytes of a file', {
      description: 'The `url` of a file leads here. Takes `Range`, `If-None-Match` and the like.',
      pathParameters: [pathParameter('key'), ...bytesParameters],
      responses: {
        '200': { description: 'The bytes', content: BYTES },
        '206': { description: 'A part of them', content: BYTES },
        '304': { description: 'They are what the caller holds' },
        '404': { $ref: '#/components/responses/NotFound' },
        default: { $ref: '#/components/responses/Failure' },
      },
    }),
  ];
}

export const FILES: FeatureDescription = { tag: { name: TAG, description: 'Media library' }, operations, schemas };
