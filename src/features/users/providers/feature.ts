/**
 * @module Signing in by providers, with `users.providers`.
 */
import type { Feature } from '../../../http/deployment.ts';
import { PROVIDERS } from './description.ts';
import { addProviderRoutes } from './routes.ts';

export const providers: Feature = {
  isOn: ({ users }) => Object.keys(users.providers).length > 0,
  addRoutes: addProviderRoutes,
  description: PROVIDERS,
};
