/**
 * @module Folders of files in the OpenAPI document.
 */

import { FILE_UID, FOLDER_UID } from '../../../schema/system-types.ts';
import { type FeatureDescription, pathParameter, tagged } from '../../description/granted-operation.ts';
import { arrayOf, booleanSchema, integerSchema, objectOf, ref, text, time } from '../../description/json-schema.ts';
import { filePageParameters } from '../../description/openapi-parameters.ts';
import { dataResponse, pageResponse, requestBody, responses } from '../../description/openapi-responses.ts';

const FIND_FILES = 'plugin::upload.content-api.find';
const folders = tagged('upload');

const PARENT = { ...objectOf({ id: integerSchema, documentId: text, name: text }), type: ['object', 'null'] };
const FOLDER = objectOf({
  ...{ id: integerSchema, documentId: text, name: text, pathId: integerSchema, path: text, private: booleanSchema },
  ...{ createdAt: time, updatedAt: time, parent: PARENT },
});
const INPUT = { name: text, parent: { type: ['integer', 'null'] }, private: booleanSchema };
const folder = dataResponse('The folder', FOLDER);

export const FOLDERS: FeatureDescription = {
  operations: ({ shapes }) => [
    folders('GET /api/upload/folders', `${FOLDER_UID}.find`, 'listFolders', 'List folders', {
      responses: responses('200', dataResponse('All folders', arrayOf(FOLDER))),
    }),
    folders('POST /api/upload/folders', `${FOLDER_UID}.create`, 'createFolder', 'Create a folder', {
      requestBody: requestBody(objectOf(INPUT, ['name'])),
      responses: responses('201', folder),
    }),
    folders('GET /api/upload/folders/{id}', `${FOLDER_UID}.find`, 'getFolder', 'Read a folder', {
      responses: responses('200', folder, 'NotFound'),
    }),
    folders('PUT /api/upload/folders/{id}', `${FOLDER_UID}.update`, 'updateFolder', 'Rename or move a folder', {
      requestBody: requestBody(objectOf(INPUT)),
      responses: responses('200', folder, 'NotFound'),
    }),
    folders(
      'DELETE /api/upload/folders/{id}',
      `${FOLDER_UID}.delete`,
      'deleteFolder',
      'Delete a folder with its files',
      {
        responses: responses('200', folder, 'NotFound'),
      },
    ),
    folders('GET /api/upload/folders/{id}/files', FIND_FILES, 'pageFolderFiles', 'List the files of a folder', {
      pathParameters: [{ ...pathParameter('id'), description: '`root` for files in no folder' }],
      parameters: filePageParameters(shapes.of(FILE_UID)),
      responses: responses('200', pageResponse('A page of files', ref('AnsweredFile')), 'NotFound'),
    }),
  ],
};
