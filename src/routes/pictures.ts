/**
 * @module `GET /uploads/:key` with parameters of a picture as HTTP.
 */
import type { Settings } from '../schema/settings/config.ts';
import { openDatabase } from '../sql/batch.ts';
import { isTransformable, respondPicture } from '../upload/made-pictures.ts';
import { typeOfExtension } from '../upload/media-types.ts';
import { extensionOf } from '../upload/names.ts';
import { readVariant } from '../upload/picture-params.ts';
import { type FileSource, KEY } from '../upload/serve.ts';
import type { AppContext } from './context.ts';
import { addressOf, lastSegment } from './request-url.ts';

/** Continues when the client disconnects, so that a picture is stored once it is made. @throws ApiError 400 */
export async function servePicture(
  context: AppContext,
  source: FileSource,
  { upload }: Settings,
): Promise<Response | undefined> {
  const request = context.req.raw;
  const name = lastSegment(request);
  const variant = readVariant(addressOf(request).search, upload);
  const type = typeOfExtension(extensionOf(name));
  // Of other types no picture is made, so none is stored.
  if (!variant || !KEY.test(name) || (type !== undefined && !isTransformable(type))) return undefined;
  const { DB, IMAGES: images } = context.env as Env & { readonly IMAGES?: ImagesBinding };
  const call = {
    ...source,
    images,
    request,
    settings: upload,
    database: openDatabase(DB, undefined, context.executionCtx),
  };
  const work = respondPicture({ ...call, now: Date.now() }, name, variant);
  context.executionCtx.waitUntil(work.catch(() => undefined));
  return work;
}
