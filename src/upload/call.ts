/**
 * @module Requests about files, and files in responses.
 */
import { requireGrant } from '../auth/grants.ts';
import { assemble } from '../document/assemble.ts';
import type { Document } from '../document/document.ts';
import type { ReadPlan } from '../plan/model/read-plan.ts';
import type { ContentType } from '../registry/model.ts';
import { FILE_UID, systemType } from '../registry/system-types.ts';
import type { Call } from '../runtime/call.ts';
import { type Caller, type CallerOptions, withCredential } from '../runtime/caller.ts';
import type { Settings } from '../settings/config.ts';
import type { StoredFile, StoredObject } from '../sql/files.ts';
import type { Row } from '../sql/statement.ts';

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
  /** The header, of POST. */
  readonly idempotencyKey: string | undefined;
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

export const fileType = ({ registry }: Pick<UploadCall, 'registry'>): ContentType => systemType(registry, FILE_UID);

/** URLs are never signed: the bytes are public. */
export const shown = (rows: readonly Row[], plan: ReadPlan): readonly Document[] =>
  assemble(rows, plan).map((document) => ({ ...document, isUrlSigned: false }));

export const urlOf = (key: string, { publicUrl }: Settings['upload']): string =>
  publicUrl === '' ? `/uploads/${key}` : `${publicUrl}/${key}`;

/** Deletes the pictures on request of a file that was deleted or has changed. */
export async function dropPictures(call: UploadCall, { hash, ext }: StoredObject): Promise<void> {
  for (const part of call.parts) await part.dropPictures?.(call, `${hash}${ext}`);
}

/** Returns the keys of a file's objects: its bytes, then its formats. */
export const keysOf = ({ hash, ext, formats }: Pick<StoredFile, 'hash' | 'ext' | 'formats'>): readonly string[] => [
  `${hash}${ext}`,
  ...Object.values(formats).map((format) => `${format.hash}${format.ext}`),
];
