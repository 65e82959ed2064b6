/**
 * @module Files: `/api/upload` and `/uploads`.
 */
import type { Feature } from '../../http/deployment.ts';
import { deleteLeftFiles } from './left-files.ts';
import { addUploadRoutes, privateFilesOf } from './routes.ts';

export const files: Feature = {
  isOn: () => true,
  addRoutes: addUploadRoutes,
  cron: (call, env) =>
    deleteLeftFiles({ ...call, bucket: env.MEDIA, ...privateFilesOf(call)?.uploads(env, call.settings) }),
};
