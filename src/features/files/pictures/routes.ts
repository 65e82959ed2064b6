/**
 * @module `GET /uploads/:key` with parameters of a picture as HTTP.
 */

import { openDatabase } from '../../../content/sql/batch.ts';
import { bindingOf } from '../../../http/bindings.ts';
import type { AppContext } from '../../../http/context.ts';
import { addressOf, lastSegment } from '../../../http/request-url.ts';
import type { Settings } from '../../../schema/settings/config.ts';
import { typeOfExtension } from '../media-types.ts';
import { extensionOf } from '../names.ts';
import { type FileSource, KEY } from '../serve.ts';
import { isTransformable, respondPicture } from './made-pictures.ts';
import { readVariant } from './picture-params.ts';

/** Returns undefined for anything else. Continues when the client disconnects, so that a picture is stored once it is made. @throws ApiError 400 */
export async function servePicture(
  context: AppContext,
  source: FileSource,
  { upload }: Settings,
): Promise<Response | undefined> {
  if (upload.widths.length === 0) return undefined;
  const request = context.req.raw;
  const name = lastSegment(request);
  const variant = readVariant(addressOf(request).search, upload);
  const type = typeOfExtension(extensionOf(name));
  // Of other types no picture is made, so none is stored.
  if (!variant || !KEY.test(name) || (type !== undefined && !isTransformable(type))) return undefined;
  const { IMAGES: images } = context.env as Env & { readonly IMAGES?: ImagesBinding };
  const call = {
    ...source,
    images,
    request,
    settings: upload,
    database: openDatabase(bindingOf(context.env, 'DB'), undefined, context.executionCtx),
  };
  const work = respondPicture({ ...call, now: Date.now() }, name, variant);
  context.executionCtx.waitUntil(work.catch(() => undefined));
  return work;
}
