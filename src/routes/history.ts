/**
 * @module `GET …/history`, `GET …/history/:revision` and `POST …/actions/restore` as HTTP.
 */
import { invalid } from '../common/errors.ts';
import { listHistory, showHistory } from '../operations/history.ts';
import { restore } from '../operations/restore.ts';
import { RESTORE_BODY } from '../registry/restore-body.ts';
import { parseFixedBody } from '../request/body.ts';
import type { ContentCall } from '../runtime/content-call.ts';
import { newDocumentId } from '../runtime/document-id.ts';
import { updated, withIfMatch } from './content.ts';
import type { AppContext } from './context.ts';
import type { ActionHandler } from './deployment.ts';
import { requestBody } from './request-body.ts';
import { respond } from './respond.ts';

export async function respondHistory(
  context: AppContext,
  call: ContentCall,
  revision: string | undefined,
): Promise<Response> {
  context.header('cache-control', 'private, no-store');
  return respond(context, revision === undefined ? await listHistory(call) : await showHistory(call, revision));
}

/** @throws ApiError 400 for another body than `{"data": {"revision": "…"}}` */
export const respondRestore: ActionHandler = async (context, call) => {
  const { text, contentType } = await requestBody(context);
  const { data: parsed, success } = RESTORE_BODY.safeParse(
    parseFixedBody(text, contentType, call.settings.api.rest.limits),
  );
  if (!success) throw invalid('Invalid body. Expected {"data": {"revision": "…"}}', { source: 'body' });
  const { revision } = parsed.data;
  return updated(context, await restore({ ...withIfMatch(context, call), revision, newDocumentId: newDocumentId() }));
};
