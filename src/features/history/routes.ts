/**
 * @module `GET …/history`, `GET …/history/:revision`, `POST …/actions/restore` and `GET /api/history` as HTTP.
 */
import * as z from 'zod/mini';
import type { DocumentCall } from '../../content/runtime/content-call.ts';
import { bookmarked, callOf } from '../../http/call.ts';
import { updated, withIfMatch } from '../../http/content.ts';
import type { App, AppContext } from '../../http/context.ts';
import type { ActionHandler, Deployment } from '../../http/deployment.ts';
import { addRoutes } from '../../http/methods.ts';
import { requestBody, validBody } from '../../http/request-body.ts';
import { respond } from '../../http/respond.ts';
import { historyPathProblem } from '../../schema/build.ts';
import { listChanges, listFormerVersions } from './list-former-versions.ts';
import { restore } from './restore.ts';
import { showFormerVersion } from './show-former-version.ts';

const revision = z.string({ error: 'the revision of a former version' });
export const RESTORE_BODY = z.strictObject({ data: z.strictObject({ revision }, { error: 'an object' }) });

const NOT_STORED = 'private, no-store';

export async function respondHistory(
  context: AppContext,
  call: DocumentCall,
  revision: string | undefined,
): Promise<Response> {
  context.header('cache-control', NOT_STORED);
  const body = revision === undefined ? listFormerVersions(call) : showFormerVersion(call, revision);
  return respond(context, await body);
}

export const respondRestore: ActionHandler = async (context, call) => {
  const body = await requestBody(context);
  const revision = () => validBody(body, RESTORE_BODY, call.settings).data.revision;
  return updated(context, await restore(withIfMatch(context, call), revision));
};

/** Adds `GET /api/history`. @throws Error if a content type has that path */
export function addHistoryRoute(app: App, deployment: Deployment): void {
  const problem = historyPathProblem(deployment.registry);
  if (problem !== undefined) throw new Error(problem);
  addRoutes(app, [{ method: 'GET', path: '/api/history' }], () => [
    async (context) => {
      const call = await callOf(context, deployment);
      context.header('cache-control', NOT_STORED);
      return bookmarked(context, call, async () => respond(context, await listChanges(call)));
    },
  ]);
}
