/**
 * @module Files: `/api/upload` and `/uploads`.
 */
import type { Feature } from '../../http/deployment.ts';
import { FILES } from './description.ts';
import { deleteLeftFiles } from './left-files.ts';
import { bucketsOf } from './private/source.ts';
import { ADDRESSED_UPLOADS, addUploadRoutes, UPLOAD_PATH } from './routes.ts';

export const files: Feature = {
  isOn: () => true,
  streams: (path) => path === UPLOAD_PATH || path.startsWith(`${ADDRESSED_UPLOADS}/`),
  addRoutes: addUploadRoutes,
  cron: (call, env) => deleteLeftFiles({ ...call, ...bucketsOf(env, call.settings) }),
  description: FILES,
};
