/**
 * @module The actions of publication and `/api/scheduled` as HTTP.
 */
import type { DocumentCall } from '../../content/runtime/content-call.ts';
import { bookmarked, callOf } from '../../http/call.ts';
import { updated, withIfMatch } from '../../http/content.ts';
import type { App, AppContext } from '../../http/context.ts';
import type { Deployment, Feature } from '../../http/deployment.ts';
import { addRoutes } from '../../http/methods.ts';
import { requestBody, validBody } from '../../http/request-body.ts';
import { respond } from '../../http/respond.ts';
import { PUBLICATION_ACTIONS, PUBLICATION_BODY, type PublicationAction } from '../../schema/publication.ts';
import { cancelScheduled, changeOrSchedule, listScheduled } from './schedule.ts';

/** `POST …/actions/:action` */
async function act(context: AppContext, action: PublicationAction, call: DocumentCall): Promise<Response> {
  const sent = await requestBody(context);
  const body = () => validBody(sent, PUBLICATION_BODY, call.settings);
  return updated(context, await changeOrSchedule({ ...withIfMatch(context, call), action }, body));
}

export const PUBLICATION_HANDLERS: NonNullable<Feature['actions']> = Object.fromEntries(
  PUBLICATION_ACTIONS.map((action) => [
    action,
    (context: AppContext, call: DocumentCall) => act(context, action, call),
  ]),
);

const ROUTES = [
  { method: 'GET', path: '/api/scheduled' },
  { method: 'DELETE', path: '/api/scheduled/:id' },
] as const;

export function addScheduleRoutes(app: App, deployment: Deployment): void {
  addRoutes(app, ROUTES, ({ method }) => [
    async (context) => {
      const call = await callOf(context as AppContext, deployment);
      return bookmarked(context as AppContext, call, async () => {
        if (method === 'GET') return respond(context as AppContext, { data: await listScheduled(call), meta: {} });
        await cancelScheduled(call, context.req.param('id') ?? '');
        return context.body(null, 204);
      });
    },
  ]);
}
