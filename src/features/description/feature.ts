/**
 * @module Descriptions of the API: `/openapi.json`, the content-type-builder, and the page at `/`.
 */
import type { Feature } from '../../http/deployment.ts';
import { PAGE_POLICY } from '../../http/security-headers.ts';
import { addSchemaRoutes } from './content-type-builder-routes.ts';
import { favicon, landingPage } from './landing.ts';
import { DESCRIPTION_PATH, descriptionRoute } from './routes.ts';

export const description: Feature = {
  isOn: () => true,
  addRoutes(app, deployment) {
    addSchemaRoutes(app, deployment);
    if (deployment.settings.server.openapi) app.get(DESCRIPTION_PATH, descriptionRoute(deployment));
    app.get('/favicon.ico', favicon);
    app.get('/', (context) => context.html(landingPage(deployment), 200, { 'content-security-policy': PAGE_POLICY }));
  },
};
