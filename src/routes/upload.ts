/**
 * @module `/api/upload` and `/uploads` as HTTP.
 */

import type { StatusCode } from 'hono/utils/http-status';
import { memoized } from '../cache.ts';
import { ApiError, invalid } from '../errors.ts';
import type { UploadCall } from '../upload/call.ts';
import { deleteFile } from '../upload/delete-file.ts';
import { findFile, listFiles, pageOfFiles } from '../upload/read-files.ts';
import { serveFile, UNCACHED } from '../upload/serve.ts';
import { upload } from '../upload/upload-files.ts';
import { bookmarked, callOf } from './call.ts';
import type { App, AppContext, Deployment } from './context.ts';
import { newDocumentId } from './document-id.ts';
import { addRoutes, otherMethod, refuseBadPath } from './methods.ts';
import { addressOf } from './request-url.ts';
import { respond } from './respond.ts';

type Handler = (call: UploadCall, context: AppContext) => Promise<Response>;

async function uploadCallOf(context: AppContext, deployment: Deployment): Promise<UploadCall> {
  const { MEDIA, IMAGES } = context.env as Env & { readonly IMAGES?: ImagesBinding };
  return {
    ...(await callOf(context, deployment)),
    contentType: context.req.header('content-type') ?? '',
    body: context.req.raw.body,
    text: memoized(() => limitedText(context, deployment.settings.api.rest.limits.bodyBytes)),
    newDocumentId,
    id: context.req.param('id') ?? '',
    bucket: MEDIA,
    images: IMAGES,
  };
}

/** A body that is no form has the size of other bodies. */
async function limitedText({ req }: AppContext, most: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of req.raw.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > most) throw new ApiError({ kind: 'too-large' });
  }
  return text + decoder.decode();
}

const json =
  (work: (call: UploadCall) => Promise<unknown>): Handler =>
  async (call, context) =>
    respond(context, await work(call));

/** Goes on to its end when the caller goes away: what was begun is either finished or taken back. */
const uploading: Handler = async (call, context) => {
  const work = upload(call);
  call.waitUntil(work.catch(() => undefined));
  const { status, body } = await work;
  return respond(context, body, status);
};

/** Other bytes or words for a file; new files are for `POST`. */
const changing: Handler = (call, context) => {
  if (!call.query().id) throw invalid('File id is required and must be a single value', { key: 'id', source: 'query' });
  return uploading(call, context);
};

export const UPLOAD_PATH = '/api/upload';

const ROUTES = [
  { method: 'POST', path: UPLOAD_PATH, handler: uploading },
  { method: 'PUT', path: UPLOAD_PATH, handler: changing },
  { method: 'GET', path: '/api/upload/files', handler: json(listFiles) },
  { method: 'GET', path: '/api/upload/files/page', handler: json(pageOfFiles) },
  { method: 'GET', path: '/api/upload/files/:id', handler: json(findFile) },
  { method: 'DELETE', path: '/api/upload/files/:id', handler: json(deleteFile) },
] as const;

/** Keys tell capitals from small letters, unlike the paths of the API. */
function keyOf(context: AppContext): string {
  const [, key = ''] = /^\/uploads\/([^/]+)\/?$/i.exec(addressOf(context.req.raw).pathname) ?? [];
  return key;
}

async function served(context: AppContext, { settings }: Deployment): Promise<Response> {
  // Whatever is refused from here on; bytes bring their own.
  context.header('cache-control', UNCACHED);
  refuseBadPath(context);
  const { method } = context.req;
  if (method !== 'GET' && method !== 'HEAD') return otherMethod(context, 'HEAD, GET');
  const { body, status, headers } = await serveFile(
    context.env.MEDIA,
    keyOf(context),
    context.req.raw,
    settings.upload,
  );
  // With what was set before, `Vary` among it: what one origin has cached must not be served to another.
  return context.newResponse(body, { status: status as StatusCode, headers });
}

/** Adds the routes of files and of their bytes, and refuses other methods on their paths. */
export function addUploadRoutes(app: App, deployment: Deployment): void {
  addRoutes(app, ROUTES, ({ handler }) => [
    async (context) => {
      const call = await uploadCallOf(context, deployment);
      return bookmarked(context, call, () => handler(call, context));
    },
  ]);
  app.all('/uploads/:key', (context) => served(context, deployment));
}
