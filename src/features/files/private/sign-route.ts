/**
 * @module `POST /api/upload/files/:id/actions/sign`: an address of a private file that is valid for some time.
 */
import { mayFindFiles } from '../../../access/grants.ts';
import { forbidden, invalid, notFound } from '../../../common/errors.ts';
import { isObject } from '../../../common/json.ts';
import { parseObject } from '../../../content/request/body.ts';
import { withCredential } from '../../../content/runtime/caller.ts';
import { invalidKeyOf, keysOf, type UploadCall } from '../call.ts';
import { isPrivateKey } from '../names.ts';
import { readVariant } from '../pictures/picture-params.ts';
import { fileNamed } from '../sql/files.ts';
import { signAddress } from './signed-address.ts';

/** Seconds; as long as such addresses may be at other stores of objects. */
const MAX_SECONDS = 604_800;
/** A query string with parameters of a picture on request. */
const SIZE = /^((^|&)(w|h|fit|f|q)=\w{1,10})+$/;

/** `{ w: 640, f: 'webp' }` → `?w=640&f=webp` */
function queryOf(size: unknown, { settings }: UploadCall): string {
  if (size === undefined) return '';
  const query = isObject(size) ? new URLSearchParams(size as Record<string, string>).toString() : '';
  if (!SIZE.test(query)) throw invalidKeyOf('size', 'an object with w, h, fit, f or q');
  if (settings.upload.widths.length > 0) readVariant(query, settings.upload);
  return `?${query}`;
}

/** @throws ApiError 400, 403 for a caller who may not find files, 404 */
export const signFile = (call: UploadCall) =>
  withCredential(call, {}, async (caller) => {
    if (!mayFindFiles(caller.grants)) throw forbidden();
    const body = parseObject(await call.text(), call.contentType, call.settings.api.rest.limits);
    const { expiresIn, size } = body;
    if (typeof expiresIn !== 'number' || !Number.isInteger(expiresIn) || expiresIn < 1 || expiresIn > MAX_SECONDS)
      throw invalidKeyOf('expiresIn', `whole seconds from 1 to ${MAX_SECONDS}`);
    const query = queryOf(size, call);
    const file = await caller.read(fileNamed(call.row));
    if (!file) throw notFound('file.notFound');
    const [key = ''] = keysOf(file);
    if (!isPrivateKey(key)) throw invalid('The file is public: its url needs no signature');
    const expires = Math.ceil(call.now / 1000) + expiresIn;
    const url = signAddress(`/uploads/${key}${query}`, expires, call);
    return { data: { url, expiresAt: new Date(expires * 1000).toISOString() }, meta: {} };
  });
