/**
 * @module The actions of publication and `/api/scheduled` as HTTP.
 */
import { bookmarked, callOf } from '../../http/call.ts';
import { updated, withIfMatch } from '../../http/content.ts';
import type { App, AppContext } from '../../http/context.ts';
import type { ActionHandler, Deployment } from '../../http/deployment.ts';
import { addRoutes } from '../../http/methods.ts';
import { requestBody, validBody } from '../../http/request-body.ts';
import { respond } from '../../http/respond.ts';
import { PUBLICATION_BODY, type PublicationAction } from '../../schema/publication.ts';
import { cancelScheduled, changeOrSchedule, listScheduled } from './schedule.ts';

/** `POST …/actions/:action` */
const act =
  (action: PublicationAction): ActionHandler =>
  async (context, call) => {
    const sent = await requestBody(context);
    const body = () => validBody(sent, PUBLICATION_BODY, call.settings);
    return updated(context, await changeOrSchedule({ ...withIfMatch(context, call), action }, body));
  };

export const PUBLICATION_HANDLERS: Readonly<Record<PublicationAction, ActionHandler>> = {
  publish: act('publish'),
  unpublish: act('unpublish'),
  discardDraft: act('discardDraft'),
};

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
