/**
 * @module Signed addresses of private files as HTTP.
 */
import { bookmarked } from '../../../http/call.ts';
import type { App } from '../../../http/context.ts';
import type { Deployment } from '../../../http/deployment.ts';
import { addRoutes } from '../../../http/methods.ts';
import { respond } from '../../../http/respond.ts';
import { uploadCallOf } from '../routes.ts';
import { signFile } from './sign-route.ts';

export function addSignRoute(app: App, deployment: Deployment): void {
  const routes = [{ method: 'POST', path: '/api/upload/files/:id/actions/sign' }];
  addRoutes(app, routes, () => [
    async (context) => {
      const call = await uploadCallOf(context, deployment);
      return bookmarked(context, call, async () => respond(context, await signFile(call)));
    },
  ]);
}
