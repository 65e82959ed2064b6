/**
 * @module The bindings of a deployment.
 */

/** The database and the bucket of a deployment, wherever they are. */
export interface Storage {
  readonly db: D1Database;
  readonly bucket: R2Bucket;
}
