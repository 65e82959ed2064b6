/**
 * @module Requests about files, and files in responses.
 */

import { mayFindFiles, requireGrant } from '../../access/grants.ts';
import { type ApiError, invalid } from '../../common/errors.ts';
import type { Document } from '../../content/document/document.ts';
import { shownDocuments } from '../../content/operations/response.ts';
import type { ReadPlan } from '../../content/plan/model/read-plan.ts';
import type { RowName } from '../../content/request/plain-params.ts';
import { type Authorized, type Call, isSigned } from '../../content/runtime/call.ts';
import { type Caller, type CallerOptions, withCredential } from '../../content/runtime/caller.ts';
import type { Row } from '../../content/sql/statement.ts';
import type { AddressedFile } from '../../http/context.ts';
import type { ContentType } from '../../schema/model.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { FILE_UID, systemType } from '../../schema/system-types.ts';
import { isPrivateKey } from './names.ts';
import type { StoredFile } from './sql/files.ts';

export interface UploadCall extends Call {
  readonly contentType: string;
  /** Can be read once; null without a body. */
  readonly body: ReadableStream<Uint8Array> | null;
  /** Returns the body. @throws ApiError 413 beyond `bodyBytes` */
  readonly text: () => Promise<string>;
  readonly newDocumentId: () => string;
  /** `:id` of the path, in lower case. */
  readonly id: string;
  /** The file that the path names. */
  readonly row: RowName;
  readonly bucket: R2Bucket;
  readonly images: ImagesBinding | undefined;
  /** Has the Worker the bucket of private files? */
  readonly isPrivateBound: boolean;
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

/** Does the caller know of a file? Others than those who may find files do not learn of private ones. */
export const isKnown = ({ hash }: StoredFile, { settings }: UploadCall, { grants }: Authorized): boolean =>
  settings.upload.private === false || !isPrivateKey(hash) || mayFindFiles(grants);

/** Returns files as responses show them. */
export const shown =
  (call: Call) =>
  (rows: readonly Row[], plan: ReadPlan): readonly Document[] =>
    shownDocuments(rows, plan, call).map((file) => ({ ...file, isUrlSigned: isSigned(String(file.url)) }));

export const urlOf = (key: string, { publicUrl }: Settings['upload']): string =>
  publicUrl === '' || isPrivateKey(key) ? `/uploads/${key}` : `${publicUrl}/${key}`;

/** Returns the keys of a file's objects: its bytes, then its formats. */
export const keysOf = ({ hash, ext, formats }: Pick<StoredFile, 'hash' | 'ext' | 'formats'>): readonly string[] => [
  `${hash}${ext}`,
  ...Object.values(formats).map((format) => `${format.hash}${format.ext}`),
];
