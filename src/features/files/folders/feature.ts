/**
 * @module Folders of the media library.
 */

import type { Part } from '../../../http/deployment.ts';
import { FOLDERS } from './description.ts';
import { folders as folderPaths } from './files.ts';
import { addFolderRoutes } from './routes.ts';

export const folders: Part = { addRoutes: addFolderRoutes, folders: folderPaths, description: FOLDERS };
