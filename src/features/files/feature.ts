/**
 * @module Files: `/api/upload` and `/uploads`.
 */
import type { Feature } from '../../http/deployment.ts';
import { deleteLeftFiles } from './left-files.ts';
import { bucketsOf } from './private/source.ts';
import { addUploadRoutes } from './routes.ts';

export const files: Feature = {
  isOn: () => true,
  addRoutes: addUploadRoutes,
  cron: (call, env) => deleteLeftFiles({ ...call, ...bucketsOf(env, call.settings) }),
};
