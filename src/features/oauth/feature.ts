/**
 * @module Clients that people connect to `/mcp` by OAuth 2.1, with the setting `oauth`.
 */
import type { Feature } from '../../http/deployment.ts';
import { CLIENTS } from './description.ts';
import { challenge, OPEN_PATHS } from './metadata.ts';
import { addOAuthRoutes } from './routes.ts';
import { readAccessToken } from './tokens.ts';

export const oauth: Feature = {
  isOn: (settings) => settings.oauth !== null,
  addRoutes: addOAuthRoutes,
  description: CLIENTS,
  toolClients: { read: readAccessToken, challenge },
  openPaths: OPEN_PATHS,
};
