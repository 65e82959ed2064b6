/**
 * @module A file that was received, and where it is put.
 */
import type { InputData } from '../../content/request/body.ts';
import type { Dimensions } from './pictures.ts';
import type { StoredFile } from './sql/files.ts';

/** A complete file. */
export interface Received {
  readonly name: string;
  readonly extension: string;
  readonly mime: string;
  readonly size: number;
  readonly dimensions?: Dimensions;
  /** Absent: they are in the bucket, under `hash`. */
  readonly bytes?: Uint8Array;
  readonly hash?: string;
  /** Creates the object of parts in the bucket. */
  readonly complete?: () => Promise<void>;
}

/** Puts objects that are deleted if the request fails. */
export interface ObjectWriter {
  put(key: string, bytes: Uint8Array | ReadableStream, mime: string): Promise<void>;
}

/** A file whose objects get other keys. */
export interface Replacement {
  readonly transaction: ObjectWriter;
  /** Its values under the new keys. */
  replacement?: InputData;
  /** When the file whose objects were copied was written. */
  copied?: StoredFile['updatedAt'];
}
