/**
 * @module HTTP request → call of a route of accounts.
 */
import { memoized } from '../../common/cache.ts';
import { forbidden } from '../../common/errors.ts';
import { isOfClient, isPreview } from '../../content/credentials/credential.ts';
import { parseObject } from '../../content/request/body.ts';
import { rowNamed } from '../../content/request/plain-params.ts';
import { newDocumentId } from '../../content/runtime/document-id.ts';
import { callOf } from '../../http/call.ts';
import { type AppContext, secretOf } from '../../http/context.ts';
import type { Deployment } from '../../http/deployment.ts';
import { requestBody } from '../../http/request-body.ts';
import { segmentAsSent } from '../../http/request-url.ts';
import type { UserCall } from './call.ts';
import { failuresOf } from './failures.ts';
import { mailOf } from './mail.ts';
import { refreshCookieOf } from './refresh-cookie.ts';

/** Milliseconds until a response is sent, and work no longer delays it. */
const SENDING = 50;

const afterResponse = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SENDING));

/** @throws ApiError 401 for a JWT that this deployment did not sign, 403 for a preview or a client of OAuth */
export async function userCallOf(context: AppContext, deployment: Deployment): Promise<UserCall> {
  const { settings } = deployment;
  const call = await callOf(context, deployment);
  if (isPreview(call.credential) || isOfClient(call.credential)) throw forbidden();
  const id = context.req.param('id') ?? '';
  const { text, contentType } = await requestBody(context);
  return {
    ...call,
    body: memoized(() => parseObject(text, contentType, settings.api.rest.limits)),
    newDocumentId: newDocumentId(),
    id,
    row: rowNamed(segmentAsSent(context.req.raw, id, 'users'), settings),
    session: context.req.param('session') ?? '',
    provider: context.req.param('provider') ?? '',
    jwtSecret: secretOf(context),
    refreshCookie: refreshCookieOf(context, settings),
    userAgent: context.req.header('user-agent') ?? '',
    afterwards: (work) => call.waitUntil(afterResponse().then(work)),
    ...mailOf(context, deployment),
    ...failuresOf(context, deployment),
  };
}
