/**
 * @module Signing in by Cloudflare Access, with `access`.
 */
import type { Feature } from '../../../http/deployment.ts';
import { ACCESS } from './description.ts';
import { addAccessRoutes } from './routes.ts';

export const access: Feature = {
  isOn: (settings) => settings.access !== null,
  addRoutes: addAccessRoutes,
  description: ACCESS,
};
