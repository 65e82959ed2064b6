/**
 * @module Uploads of private files: which are, and what becomes of a file that changes.
 */
import { mayFindFiles } from '../../../access/grants.ts';
import { ApiError, invalid } from '../../../common/errors.ts';
import { PRIVATE_SUFFIX } from '../../../schema/names.ts';
import type { Settings } from '../../../schema/settings/config.ts';
import { keysOf, type PrivateUploads, type UploadCall, urlOf } from '../call.ts';
import { type FileInfo, PRIVATE_FIELD } from '../file-info.ts';
import { isPrivateKey, newHash } from '../names.ts';
import type { ObjectWriter } from '../received.ts';
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

/** @param isBound has the Worker the bucket of private files? */
export function privateUploads({ upload }: Settings, isBound: boolean): PrivateUploads {
  const all = upload.private === 'all';
  /** @param otherwise without `private` in the info */
  const decide = (info: FileInfo, otherwise: boolean): boolean => {
    const wanted = wantedBy(info);
    const isPrivate = wanted ?? otherwise;
    if (wanted === false && all)
      throw invalid('Every file is private: see upload.private in the settings', PRIVATE_FIELD);
    if (isPrivate && !isBound)
      throw invalid('Private files need the binding PRIVATE_MEDIA: see docs/media.md', PRIVATE_FIELD);
    return isPrivate;
  };
  return {
    suffix(fields, count, target) {
      const infos = fields.get('fileInfo') ?? [];
      const mayBe = all || !isComplete(infos, count) || /private|folder|\\u/.test(JSON.stringify(infos));
      return isBound && (mayBe || (target && isPrivateKey(target.hash))) ? PRIVATE_SUFFIX : '';
    },
    async placed(file, info, call, transaction, target) {
      const { name, extension, mime } = file;
      const isPrivate = decide(info, target ? isPrivateKey(target.hash) : all);
      if (target && upload.replace === 'same-url') {
        if (isPrivate === isPrivateKey(target.hash)) return file;
        throw invalid('Send `private` without bytes: with upload.replace "same-url", the address stays', PRIVATE_FIELD);
      }
      if (file.hash !== undefined && isPrivateKey(file.hash) === isPrivate) return file;
      const { complete, ...placed } = { ...file, hash: hashOf(info.name || name, extension, isPrivate) };
      if (file.hash === undefined) return placed;
      const misplaced = `${file.hash}${extension}`;
      await complete?.();
      await copy(misplaced, `${placed.hash}${extension}`, mime, call, transaction);
      await deleteObjects(call.bucket, [misplaced]);
      return placed;
    },
    async moved(file, info, call, progress) {
      const isPrivate = isPrivateKey(file.hash);
      const wanted = wantedBy(info);
      if (wanted === undefined || decide(info, isPrivate) === isPrivate) return undefined;
      if (progress.copied !== file.updatedAt) {
        // Other bytes came meanwhile.
        const former = progress.replacement as StoredFile | undefined;
        progress.replacement = await copyFile(file, wanted, call, progress.transaction);
        progress.copied = file.updatedAt;
        if (former) await deleteObjects(call.bucket, keysOf(former));
      }
      return progress.replacement;
    },
    isKnown: ({ hash }, { grants }) => !isPrivateKey(hash) || mayFindFiles(grants),
  };
}
