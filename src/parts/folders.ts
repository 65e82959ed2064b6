/**
 * @module Folders of the media library.
 */
import { FOLDERS } from '../describe/openapi-folders.ts';
import type { Part } from '../routes/deployment.ts';
import { addFolderRoutes } from '../routes/folders.ts';
import { folders as folderPaths } from '../upload/folders/files.ts';

export const folders: Part = { addRoutes: addFolderRoutes, folders: folderPaths, description: FOLDERS };
