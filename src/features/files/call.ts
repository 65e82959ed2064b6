/**
 * @module Requests about files, and files in responses.
 */

import { requireGrant } from '../../access/grants.ts';
import { type ApiError, invalid } from '../../common/errors.ts';
import type { Document } from '../../content/document/document.ts';
import { shownDocuments } from '../../content/operations/response.ts';
import type { ReadPlan } from '../../content/plan/model/read-plan.ts';
import type { InputData } from '../../content/request/body.ts';
import { type Authorized, type Call, isSigned, type PictureStore } from '../../content/runtime/call.ts';
import { type Caller, type CallerOptions, withCredential } from '../../content/runtime/caller.ts';
import type { Row, Statement } from '../../content/sql/statement.ts';
import type { ContentType } from '../../schema/model.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { FILE_UID, systemType } from '../../schema/system-types.ts';
import type { AddressedFile } from './addressed-file.ts';
import type { FileInfo } from './file-info.ts';
import { isPrivateKey } from './names.ts';
import type { ObjectWriter, Received, Replacement } from './received.ts';
import type { StoredFile, StoredObject } from './sql/files.ts';

/** Infos with the paths of the folders that they name. */
export interface PlacedInfos {
  readonly infos: readonly FileInfo[];
  /** Abort the batch if a folder has gone, was moved, or is no longer as private as it was. */
  readonly guards: readonly Statement[];
}

export interface Folders {
  /** New files of a private folder are private. @throws ApiError 400 for an unknown folder */
  resolve(infos: readonly FileInfo[], caller: Caller, isNew: boolean): Promise<PlacedInfos>;
}

/** What uploads need to know of private files. */
export interface PrivateUploads {
  /**
   * What the hash of a private file ends in, if a file may be one by the fields before its bytes.
   * @param count of the files so far, with this one
   * @param target whose bytes it replaces
   */
  suffix(fields: ReadonlyMap<string, readonly unknown[]>, count: number, target: StoredFile | undefined): string;
  /**
   * Returns a file with the hash that says whether it is private; its parts are copied if they came before that was known.
   * @param target whose bytes it replaces
   * @throws ApiError 400 for what the settings or the bindings do not allow
   */
  placed(
    file: Received,
    info: FileInfo,
    call: UploadCall,
    transaction: ObjectWriter,
    target?: StoredFile,
  ): Promise<Received>;
  /** Copies the bytes of a file if its info changes who may read it. Returns its new values. @throws ApiError 400 */
  moved(file: StoredFile, info: FileInfo, call: UploadCall, progress: Replacement): Promise<InputData | undefined>;
  /** Does the caller know of a file? Others than those who may find files do not learn of private ones. */
  isKnown(file: StoredFile, caller: Authorized): boolean;
}

export interface UploadCall extends Call {
  readonly contentType: string;
  /** Can be read once; null without a body. */
  readonly body: ReadableStream<Uint8Array> | null;
  /** Returns the body. @throws ApiError 413 beyond `bodyBytes` */
  readonly text: () => Promise<string>;
  readonly newDocumentId: () => string;
  /** `:id` of the path. */
  readonly id: string;
  readonly bucket: R2Bucket;
  readonly images: ImagesBinding | undefined;
  /** Absent if no file may be private. */
  readonly privateFiles?: PrivateUploads | undefined;
  /** Absent without folders. */
  readonly folders?: Folders | undefined;
  /** The header, of POST. */
  readonly idempotencyKey: string | undefined;
  /** Absent for requests to `/api/upload` itself. */
  readonly addressed?: AddressedFile | undefined;
}

/** Runs a block. @throws ApiError 401, and 403 without the grant `plugin::upload.content-api.<action>` */
export const withUploadGrant = <T>(
  call: UploadCall,
  action: 'find' | 'findOne' | 'upload' | 'destroy',
  options: CallerOptions,
  block: (caller: Caller) => Promise<T>,
): Promise<T> =>
  withCredential(call, options, async (caller) => {
    requireGrant(caller.grants, `plugin::upload.content-api.${action}`);
    return block(caller);
  });

/** Names a key of a JSON body. */
export const invalidKeyOf = (key: string, expected: string): ApiError =>
  invalid(`Invalid ${key}. Expected ${expected}`, { key, source: 'body' });

export const fileType = ({ registry }: Pick<UploadCall, 'registry'>): ContentType => systemType(registry, FILE_UID);

/** Does the caller know of a file? */
export const isKnown = (file: StoredFile, { privateFiles }: UploadCall, caller: Authorized): boolean =>
  privateFiles?.isKnown(file, caller) ?? true;

/** Returns files as responses show them. */
export const shown =
  (call: Call) =>
  (rows: readonly Row[], plan: ReadPlan): readonly Document[] =>
    shownDocuments(rows, plan, call).map((file) => ({ ...file, isUrlSigned: isSigned(String(file.url)) }));

export const urlOf = (key: string, { publicUrl }: Settings['upload']): string =>
  publicUrl === '' || isPrivateKey(key) ? `/uploads/${key}` : `${publicUrl}/${key}`;

type PicturesCall = PictureStore & Pick<Call, 'features'>;

/** Deletes the pictures on request of files. @throws the error of the bucket */
export async function deletePicturesOf(call: PicturesCall, files: readonly StoredObject[]): Promise<void> {
  const names = files.map(({ hash, ext }) => `${hash}${ext}`);
  for (const feature of call.features) await feature.dropPictures?.(call, names);
}

/** Deletes the pictures on request of files that have changed. Logs failures. */
export const dropPictures = (call: PicturesCall, files: readonly StoredObject[]): Promise<void> =>
  deletePicturesOf(call, files).catch(({ message: cause }: Error) =>
    console.error(JSON.stringify({ message: 'pictures of files were left', of: files.map(({ hash }) => hash), cause })),
  );

/** Returns the keys of a file's objects: its bytes, then its formats. */
export const keysOf = ({ hash, ext, formats }: Pick<StoredFile, 'hash' | 'ext' | 'formats'>): readonly string[] => [
  `${hash}${ext}`,
  ...Object.values(formats).map((format) => `${format.hash}${format.ext}`),
];
