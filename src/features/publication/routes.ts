/**
 * @module The actions of publication and `/api/scheduled` as HTTP.
 */
import type * as z from 'zod/mini';
import { memoized } from '../../common/cache.ts';
import { type ApiError, invalid } from '../../common/errors.ts';
import { parseFixedBody } from '../../content/request/body.ts';
import type { DocumentCall } from '../../content/runtime/content-call.ts';
import { bookmarked, callOf } from '../../http/call.ts';
import { updated, withIfMatch } from '../../http/content.ts';
import type { App, AppContext } from '../../http/context.ts';
import type { Deployment, Feature } from '../../http/deployment.ts';
import { addRoutes } from '../../http/methods.ts';
import { requestBody } from '../../http/request-body.ts';
import { respond } from '../../http/respond.ts';
import {
  PUBLICATION_ACTIONS,
  PUBLICATION_BODY,
  type PublicationAction,
  type PublicationBody,
} from '../../schema/publication.ts';
import type { Limits } from '../../schema/settings/config.ts';
import { cancelScheduled, changeOrSchedule, listScheduled } from './schedule.ts';

function rejectionOf(issue: z.core.$ZodIssue): ApiError {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') {
    const param = path.join('.');
    const expected = param === 'data.at' ? 'a time such as 2027-01-01T09:00:00Z' : 'an object';
    return invalid(param === '' ? 'Expected a JSON object' : `Invalid ${param}. Expected ${expected}`, {
      source: 'body',
      ...(param !== '' && { param }),
    });
  }
  const [key = ''] = issue.keys;
  const param = [...path, key].join('.');
  return invalid(`Invalid key ${param}`, { key, path: path.join('.') || null, source: 'body', param });
}

/** @throws ApiError 400 for an unknown key or a wrong value */
async function publicationBody(context: AppContext, limits: Limits): Promise<PublicationBody> {
  const { text, contentType } = await requestBody(context);
  const { data = {}, error } = PUBLICATION_BODY.safeParse(parseFixedBody(text, contentType, limits));
  const [issue] = error?.issues ?? [];
  if (issue) throw rejectionOf(issue);
  return data;
}

/** `POST …/actions/:action` */
async function act(context: AppContext, action: PublicationAction, call: DocumentCall): Promise<Response> {
  const body = memoized(() => publicationBody(context, call.settings.api.rest.limits));
  return updated(context, await changeOrSchedule({ ...withIfMatch(context, call), action, body }));
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
