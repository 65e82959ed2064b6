/**
 * @module Uploads of private files: which are, and what becomes of a file that changes.
 */
import { ApiError, invalid } from '../../../common/errors.ts';
import type { InputData } from '../../../content/request/body.ts';
import { PRIVATE_SUFFIX } from '../../../schema/names.ts';
import { keysOf, type UploadCall, urlOf } from '../call.ts';
import { type FileInfo, PRIVATE_FIELD, rejectPrivate } from '../file-info.ts';
import type { Form } from '../form.ts';
import { isPrivateKey, newHash } from '../names.ts';
import type { ObjectWriter, Received, Replacement } from '../received.ts';
import type { StoredFile } from '../sql/files.ts';
import { deleteObjects } from '../storage.ts';

const hashOf = (name: string, extension: string, isPrivate: boolean): string =>
  newHash(name, extension) + (isPrivate ? PRIVATE_SUFFIX : '');

/** Returns `private` of `fileInfo`; undefined without it. @throws ApiError 400 */
function wantedBy({ private: value }: FileInfo): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw invalid('Invalid fileInfo.private. Expected true or false', PRIVATE_FIELD);
}

/** Has each of so many files its info? A list is that of all; other keys may follow `fileInfo[caption]`. */
const isComplete = (infos: readonly unknown[], count: number): boolean =>
  infos.every((info) => typeof info === 'string') && (infos.length >= count || /^\s*\[/.test(String(infos[0])));

/** @throws ApiError 503 if there is no object: the file is being replaced */
async function copy(from: string, to: string, mime: string, { bucket }: UploadCall, transaction: ObjectWriter) {
  const object = await bucket.get(from);
  if (!object) throw new ApiError({ kind: 'overloaded', retryAfter: 1 });
  await transaction.put(to, object.body, mime);
}

/** Copies the objects of a file under new keys, which say whether it is private. Returns its new values. */
async function copyFile(file: StoredFile, isPrivate: boolean, call: UploadCall, transaction: ObjectWriter) {
  const { ext, row } = file;
  const mime = String(row.mime);
  const hash = hashOf(String(row.name), ext, isPrivate);
  const renamed = Object.entries(file.formats).map(([name, format]) => {
    const own = `${name}_${hash}`;
    return [name, { ...format, hash: own, url: urlOf(`${own}${format.ext}`, call.settings.upload) }] as const;
  });
  const values = { hash, ext, formats: Object.fromEntries(renamed), url: urlOf(`${hash}${ext}`, call.settings.upload) };
  const keys = keysOf(values);
  for (const [index, key] of keysOf(file).entries()) await copy(key, keys[index] as string, mime, call, transaction);
  return values;
}

/**
 * Is a file private?
 * @param otherwise without `private` in its info
 * @throws ApiError 400 for what the settings or the bindings do not allow
 */
function isPrivate(info: FileInfo, otherwise: boolean, { settings, isPrivateBound }: UploadCall): boolean {
  const wanted = wantedBy(info);
  if (wanted === false && settings.upload.private === 'all')
    throw invalid('Every file is private: see upload.private in the settings', PRIVATE_FIELD);
  const decided = wanted ?? otherwise;
  if (decided && !isPrivateBound)
    throw invalid(
      'Private files need the binding PRIVATE_MEDIA: see node_modules/edgewise/docs/media.md',
      PRIVATE_FIELD,
    );
  return decided;
}

/**
 * Returns what the hash of a private file ends in, if a file may be one by the fields before its bytes.
 * @param count of the files so far, with this one
 * @param target whose bytes it replaces
 */
export function suffixOf(
  fields: Form['fields'],
  count: number,
  call: UploadCall,
  target: StoredFile | undefined,
): string {
  const { private: which } = call.settings.upload;
  if (which === false || !call.isPrivateBound) return '';
  const infos = fields.get('fileInfo') ?? [];
  const mayBe = which === 'all' || !isComplete(infos, count) || /private|folder|\\u/.test(JSON.stringify(infos));
  return mayBe || (target && isPrivateKey(target.hash)) ? PRIVATE_SUFFIX : '';
}

/**
 * Returns a file with the hash that says whether it is private; its parts are copied if they came before that was known.
 * @param target whose bytes it replaces
 * @throws ApiError 400 for what the settings or the bindings do not allow
 */
export async function placeReceived(
  file: Received,
  info: FileInfo,
  call: UploadCall,
  transaction: ObjectWriter,
  target: StoredFile | undefined,
): Promise<Received> {
  const { upload } = call.settings;
  if (upload.private === false) {
    rejectPrivate(info, target);
    return file;
  }
  const { name, extension, mime } = file;
  const decided = isPrivate(info, target ? isPrivateKey(target.hash) : upload.private === 'all', call);
  if (target && upload.replace === 'same-url') {
    if (decided === isPrivateKey(target.hash)) return file;
    throw invalid('Send `private` without bytes: with upload.replace "same-url", the address stays', PRIVATE_FIELD);
  }
  if (file.hash !== undefined && isPrivateKey(file.hash) === decided) return file;
  const { complete, ...renamed } = { ...file, hash: hashOf(info.name || name, extension, decided) };
  if (file.hash === undefined) return renamed;
  const misplaced = `${file.hash}${extension}`;
  await complete?.();
  await copy(misplaced, `${renamed.hash}${extension}`, mime, call, transaction);
  await deleteObjects(call.bucket, [misplaced]);
  return renamed;
}

/** Copies the bytes of a file if its info changes who may read it. Returns its new values. @throws ApiError 400 */
export async function moveBetweenBuckets(
  file: StoredFile,
  info: FileInfo,
  call: UploadCall,
  progress: Replacement,
): Promise<InputData | undefined> {
  if (call.settings.upload.private === false) {
    rejectPrivate(info, undefined);
    return undefined;
  }
  const wanted = wantedBy(info);
  const isNow = isPrivateKey(file.hash);
  if (wanted === undefined || isPrivate(info, isNow, call) === isNow) return undefined;
  if (progress.copied !== file.updatedAt) {
    // Other bytes came meanwhile.
    const former = progress.replacement as StoredFile | undefined;
    progress.replacement = await copyFile(file, wanted, call, progress.transaction);
    progress.copied = file.updatedAt;
    if (former) await deleteObjects(call.bucket, keysOf(former));
  }
  return progress.replacement;
}
