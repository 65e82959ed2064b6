/**
 * @module `/api/upload` and `/uploads` as HTTP.
 */
import type { StatusCode } from 'hono/utils/http-status';
import { memoized } from '../../common/cache.ts';
import { ApiError, invalid } from '../../common/errors.ts';
import { withoutSourceMap } from '../../common/source-map.ts';
import { rowNamed } from '../../content/request/plain-params.ts';
import { newDocumentId } from '../../content/runtime/document-id.ts';
import { withKey } from '../../content/runtime/idempotency.ts';
import { bindingOf } from '../../http/bindings.ts';
import { bookmarked, callOf } from '../../http/call.ts';
import { type App, type AppContext, isRead, OF_TOOL } from '../../http/context.ts';
import type { Deployment } from '../../http/deployment.ts';
import { addRoutes, otherMethod, rejectBadPath } from '../../http/methods.ts';
import { hintAt } from '../../http/report.ts';
import { addressOf, lastSegment, segmentAsSent } from '../../http/request-url.ts';
import { respond } from '../../http/respond.ts';
import { cacheControlOf } from './caching.ts';
import type { UploadCall } from './call.ts';
import { deleteFile } from './delete-file.ts';
import { pictureHint } from './pictures/picture-params.ts';
import { servePicture } from './pictures/routes.ts';
import { bucketsOf, privateSource } from './private/source.ts';
import { findFile, listFiles, pageOfFiles } from './read-files.ts';
import { serveFile, UNCACHED } from './serve.ts';
import { upload } from './upload-files.ts';

type Handler = (call: UploadCall, context: AppContext) => Promise<Response>;

export async function uploadCallOf(context: AppContext, deployment: Deployment): Promise<UploadCall> {
  const { IMAGES } = context.env as Env & { readonly IMAGES?: ImagesBinding };
  const id = context.req.param('id') ?? '';
  return {
    ...(await callOf(context, deployment)),
    contentType: context.req.header('content-type') ?? '',
    body: context.req.raw.body,
    text: memoized(() => limitedText(context, deployment.settings.api.rest.limits.bodyBytes)),
    newDocumentId,
    id,
    row: rowNamed(segmentAsSent(context.req.raw, id, 'files'), deployment.settings),
    images: IMAGES,
    ...bucketsOf(context.env, deployment.settings),
    idempotencyKey: context.req.method === 'POST' ? context.req.header('idempotency-key') : undefined,
    addressed: context.env[OF_TOOL]?.addressed,
  };
}

/** @throws ApiError 413 */
async function limitedText({ req }: AppContext, max: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of req.raw.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > max) throw new ApiError({ kind: 'too-large' });
  }
  return text + decoder.decode();
}

const json =
  (work: (call: UploadCall) => Promise<unknown>): Handler =>
  async (call, context) =>
    respond(context, await work(call));

/** Continues when the client disconnects, so that it is completed or undone. */
const uploading: Handler = async (call, context) => {
  const work = withKey(call, call.idempotencyKey, () => upload(call));
  call.waitUntil(work.catch(() => undefined));
  const { status, body, replayed } = await work;
  if (replayed) context.header('idempotency-replayed', 'true');
  return respond(context, body, status);
};

/** Requires a file: `POST` creates new ones. */
const changing: Handler = (call, context) => {
  if (!call.query().id) throw invalid('File id is required and must be a single value', { key: 'id', source: 'query' });
  return uploading(call, context);
};

export const UPLOAD_PATH = '/api/upload';
/** Where addresses for one upload lie. */
export const ADDRESSED_UPLOADS = '/mcp/uploads';

const ROUTES = [
  { method: 'POST', path: UPLOAD_PATH, handler: uploading },
  { method: 'PUT', path: UPLOAD_PATH, handler: changing },
  { method: 'GET', path: '/api/upload/files', handler: json(listFiles) },
  { method: 'GET', path: '/api/upload/files/page', handler: json((call) => pageOfFiles(call)) },
  { method: 'GET', path: '/api/upload/files/:id', handler: json(findFile) },
  { method: 'DELETE', path: '/api/upload/files/:id', handler: json(deleteFile) },
] as const;

async function served(context: AppContext, deployment: Deployment): Promise<Response> {
  // For errors; the headers of bytes replace it.
  context.header('cache-control', UNCACHED);
  rejectBadPath(context);
  if (!isRead(context)) return otherMethod(context, 'HEAD, GET');
  const request = context.req.raw;
  const { pathname, search } = addressOf(request);
  const address = withoutSourceMap(pathname + search);
  if (address !== pathname + search) return context.redirect(address);
  const key = lastSegment(request);
  const { settings } = deployment;
  const source = (await privateSource(context, deployment, key)) ?? {
    bucket: bindingOf(context.env, 'MEDIA'),
    cacheControl: cacheControlOf(settings.upload),
  };
  const file = (await servePicture(context, source, settings)) ?? (await serveFile(key, request, source));
  const hint = pictureHint(search, settings.upload);
  if (hint !== undefined) hintAt(context, deployment, hint);
  // Keeps headers that were set before, such as `Vary`: caches must not serve one origin's response to another.
  return context.newResponse(file.body, { status: file.status as StatusCode, headers: file.headers });
}

export function addUploadRoutes(app: App, deployment: Deployment): void {
  addRoutes(app, ROUTES, ({ handler }) => [
    async (context) => {
      const call = await uploadCallOf(context, deployment);
      return bookmarked(context, call, () => handler(call, context));
    },
  ]);
  app.all('/uploads/:key', (context) => served(context, deployment));
}
