/**
 * @module The bindings of a deployment.
 */

/** The bucket of private files. */
export const PRIVATE_BUCKET = 'PRIVATE_MEDIA';

/** The database and the files of a deployment, wherever they are. */
export interface Storage {
  readonly db: D1Database;
  /** Of all files, private ones included. */
  readonly bucket: R2Bucket;
  /** Is there no bucket of private files? */
  readonly lacksPrivate?: boolean;
}
