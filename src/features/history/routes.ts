/**
 * @module `GET …/history`, `GET …/history/:revision`, `POST …/actions/restore` and `GET /api/history` as HTTP.
 */
import { invalid } from '../../common/errors.ts';
import { parseFixedBody } from '../../content/request/body.ts';
import type { DocumentCall } from '../../content/runtime/content-call.ts';
import { bookmarked, callOf } from '../../http/call.ts';
import { updated, withIfMatch } from '../../http/content.ts';
import type { App, AppContext } from '../../http/context.ts';
import type { ActionHandler, Deployment } from '../../http/deployment.ts';
import { addRoutes } from '../../http/methods.ts';
import { requestBody } from '../../http/request-body.ts';
import { respond } from '../../http/respond.ts';
import { historyPathProblem } from '../../schema/build.ts';
import { listChanges, listFormerVersions } from './list-former-versions.ts';
import { restore } from './restore.ts';
import { RESTORE_BODY } from './restore-body.ts';
import { showFormerVersion } from './show-former-version.ts';

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

/** @throws ApiError 400 for another body than `{"data": {"revision": "…"}}` */
function revisionIn(body: unknown): string {
  const { data: parsed, success } = RESTORE_BODY.safeParse(body);
  if (!success) throw invalid('Invalid body. Expected {"data": {"revision": "…"}}', { source: 'body' });
  return parsed.data.revision;
}

export const respondRestore: ActionHandler = async (context, call) => {
  const { text, contentType } = await requestBody(context);
  const revision = () => revisionIn(parseFixedBody(text, contentType, call.settings.api.rest.limits));
  return updated(context, await restore({ ...withIfMatch(context, call), revision }));
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
