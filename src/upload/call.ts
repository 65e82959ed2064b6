/**
 * @module What every request about files starts from, and how a file is shown.
 */
import type { Credential } from '../auth/credential.ts';
import type { Grants } from '../auth/grants.ts';
import type { Session } from '../auth/perform.ts';
import type { Settings } from '../config.ts';
import { assemble, type Document } from '../document/assemble.ts';
import { forbidden } from '../errors.ts';
import { planOne, type Reader } from '../plan/plan-read.ts';
import type { ReadPlan } from '../plan/read-plan.ts';
import type { ContentType, Registry } from '../registry/model.ts';
import { FILE_UID } from '../registry/system-types.ts';
import { NO_PARAMS } from '../request/plain-params.ts';
import type { RawQuery } from '../request/query-string.ts';
import type { Row } from '../sql/batch.ts';
import type { Format } from './formats.ts';

export interface UploadCall extends Session {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly credential: Credential;
  readonly query: () => RawQuery;
  readonly contentType: string;
  /** The body, which can be read once; null when there is none. */
  readonly body: ReadableStream<Uint8Array> | null;
  /** The body as text. @throws ApiError 413 beyond the limit of bodies. */
  readonly text: () => Promise<string>;
  readonly newDocumentId: () => string;
  /** `:id` of the path. */
  readonly id: string;
  readonly bucket: R2Bucket;
  readonly images: ImagesBinding | undefined;
}

/** @throws ApiError 403 unless `plugin::upload.content-api.<action>` is granted. */
export function refuse({ allows }: Grants, action: 'find' | 'findOne' | 'upload' | 'destroy'): void {
  if (!allows(`plugin::upload.content-api.${action}`)) throw forbidden();
}

export function fileType({ registry }: Pick<UploadCall, 'registry'>): ContentType {
  const type = registry.contentTypes.get(FILE_UID);
  if (!type) throw new Error(`${FILE_UID} is no content type`);
  return type;
}

export const readerOf = ({ registry, settings }: UploadCall, { grants }: Credential): Reader => ({
  registry,
  settings,
  grants,
});

/** URLs are never signed here: the bytes are public. */
export const shown = (row: Row, plan: ReadPlan): Document => ({ ...assemble(row, plan), isUrlSigned: false });

/** A whole row of the table, without what it is related to. */
export const shownRow = (row: Row, call: UploadCall, credential: Credential): Document =>
  shown(row, planOne(NO_PARAMS, fileType(call), undefined, readerOf(call, credential)));

/** Where the bytes of a key are to be had. */
export const urlOf = (key: string, { publicUrl }: Settings['upload']): string =>
  publicUrl === '' ? `/uploads/${key}` : `${publicUrl}/${key}`;

/** A file as it is stored. */
export interface StoredFile {
  readonly id: number;
  readonly documentId: string;
  readonly updatedAt: number;
  readonly hash: string;
  readonly ext: string;
  readonly formats: Readonly<Record<string, Pick<Format, 'hash' | 'ext'>>>;
  readonly row: Row;
}

export function storedFile(row: Row | undefined): StoredFile | undefined {
  if (!row) return undefined;
  const formats: unknown = typeof row.formats === 'string' ? JSON.parse(row.formats) : null;
  return {
    id: Number(row.id),
    documentId: String(row.document_id),
    updatedAt: Number(row.updated_at),
    hash: String(row.hash),
    ext: String(row.ext ?? ''),
    formats: (formats ?? {}) as StoredFile['formats'],
    row,
  };
}

/** The objects that belong to a file: its bytes, then its formats. */
export const keysOf = ({ hash, ext, formats }: Pick<StoredFile, 'hash' | 'ext' | 'formats'>): readonly string[] => [
  `${hash}${ext}`,
  ...Object.values(formats).map((format) => `${format.hash}${format.ext}`),
];

export const fileById = (id: number) => ({ sql: 'select * from "files" where "id" = ? limit 1', params: [id] });
