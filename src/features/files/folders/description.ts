/**
 * @module Folders of files in the OpenAPI document.
 */

import { FILE_UID, FOLDER_UID } from '../../../schema/system-types.ts';
import { type FeatureDescription, operation, pathItem, type Subject } from '../../description/granted-operation.ts';
import {
  arrayOf,
  booleanSchema,
  integerSchema,
  type JsonSchema,
  objectOf,
  ref,
  text,
  time,
} from '../../description/json-schema.ts';
import { filePageParameters } from '../../description/openapi-parameters.ts';
import { dataResponse, json, pageResponse, responses } from '../../description/openapi-responses.ts';

const TAG = 'upload';
const PARENT = { ...objectOf({ id: integerSchema, documentId: text, name: text }), type: ['object', 'null'] };
const FOLDER = objectOf({
  ...{ id: integerSchema, documentId: text, name: text, pathId: integerSchema, path: text, private: booleanSchema },
  ...{ createdAt: time, updatedAt: time, parent: PARENT },
});
const INPUT = { name: text, parent: { type: ['integer', 'null'] }, private: booleanSchema };
const NUMBER = { name: 'id', in: 'path', required: true, schema: integerSchema };
const PLACE = { ...NUMBER, description: '`root` for files in no folder', schema: text };

const body = (required: readonly string[]) => ({ required: true, content: json(objectOf(INPUT, required)) });
const folder = dataResponse('The folder', FOLDER);

const folderOperation = (subject: Subject, action: string, operationId: string, summary: string, rest: JsonSchema) =>
  operation(subject, { operationId, tag: TAG, action: `${FOLDER_UID}.${action}`, summary }, rest);

export const FOLDERS: FeatureDescription = {
  paths(subject) {
    const all = dataResponse('All folders', arrayOf(FOLDER));
    const list = folderOperation(subject, 'find', 'listFolders', 'List folders', { responses: responses('200', all) });
    const create = folderOperation(subject, 'create', 'createFolder', 'Create a folder', {
      requestBody: body(['name']),
      responses: responses('201', folder),
    });
    const get = folderOperation(subject, 'find', 'getFolder', 'Read a folder', {
      responses: responses('200', folder, 'NotFound'),
    });
    const update = folderOperation(subject, 'update', 'updateFolder', 'Rename or move a folder', {
      requestBody: body([]),
      responses: responses('200', folder, 'NotFound'),
    });
    const remove = folderOperation(subject, 'delete', 'deleteFolder', 'Delete a folder with its files', {
      responses: responses('200', folder, 'NotFound'),
    });
    const shape = subject.shapes.of(FILE_UID);
    const named = {
      operationId: 'pageFolderFiles',
      tag: TAG,
      action: 'plugin::upload.content-api.find',
      summary: 'List the files of a folder',
    };
    const files = operation(subject, named, {
      parameters: filePageParameters(shape),
      responses: responses('200', pageResponse('A page of files', ref('AnsweredFile')), 'NotFound'),
    });
    return [
      ...pathItem('/api/upload/folders', { get: list, post: create }),
      ...pathItem('/api/upload/folders/{id}', { get, put: update, delete: remove }, [NUMBER]),
      ...pathItem('/api/upload/folders/{id}/files', { get: files }, [PLACE]),
    ];
  },
};
