/**
 * @module Folders of the media library.
 */

import type { Feature } from '../../../http/deployment.ts';
import { FOLDERS } from './description.ts';
import { addFolderRoutes } from './routes.ts';

export const folders: Feature = {
  isOn: ({ upload }) => upload.folders,
  addRoutes: addFolderRoutes,
  description: FOLDERS,
};
