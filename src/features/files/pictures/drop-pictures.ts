/**
 * @module Deletes pictures on request that show what is no longer so.
 */
import type { Settings } from '../../../schema/settings/config.ts';
import type { StoredObject } from '../sql/files.ts';
import { deletePictures, type PictureStore } from './made-pictures.ts';

export interface PicturesCall extends PictureStore {
  readonly settings: Settings;
}

/** Deletes the pictures on request of files. @throws the error of the bucket */
export async function deletePicturesOf(call: PicturesCall, files: readonly StoredObject[]): Promise<void> {
  if (call.settings.upload.widths.length === 0) return;
  await deletePictures(
    call,
    files.map(({ hash, ext }) => `${hash}${ext}`),
  );
}

/** Deletes the pictures on request of files that have changed. Logs failures. */
export const dropPictures = (call: PicturesCall, files: readonly StoredObject[]): Promise<void> =>
  deletePicturesOf(call, files).catch(({ message: cause }: Error) =>
    console.error(JSON.stringify({ message: 'pictures of files were left', of: files.map(({ hash }) => hash), cause })),
  );
