/**
 * @module `/api/upload/folders` as HTTP.
 */

import { bookmarked } from '../../../http/call.ts';
import type { App } from '../../../http/context.ts';
import type { Deployment } from '../../../http/deployment.ts';
import { addRoutes } from '../../../http/methods.ts';
import { respond } from '../../../http/respond.ts';
import type { UploadCall } from '../call.ts';
import { uploadCallOf } from '../routes.ts';
import { filesOfFolder } from './files.ts';
import { createFolder, deleteFolder, findFolder, listFolders, updateFolder } from './folders.ts';

const PATH = '/api/upload/folders';

interface Route {
  readonly method: string;
  readonly path: string;
  readonly work: (call: UploadCall) => Promise<unknown>;
  readonly status?: number;
}

const ROUTES: readonly Route[] = [
  { method: 'GET', path: PATH, work: listFolders },
  { method: 'POST', path: PATH, work: createFolder, status: 201 },
  { method: 'GET', path: `${PATH}/:id`, work: findFolder },
  { method: 'PUT', path: `${PATH}/:id`, work: updateFolder },
  { method: 'DELETE', path: `${PATH}/:id`, work: deleteFolder },
  { method: 'GET', path: `${PATH}/:id/files`, work: filesOfFolder },
];

export const addFolderRoutes = (app: App, deployment: Deployment): void =>
  addRoutes(app, ROUTES, ({ work, status }) => [
    async (context) => {
      const call = await uploadCallOf(context, deployment);
      return bookmarked(context, call, async () => respond(context, await work(call), status));
    },
  ]);
