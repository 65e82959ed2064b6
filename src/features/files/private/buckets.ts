/**
 * @module Two buckets as one: the key of an object says in which of them it lies.
 */
import { isPrivateKey } from '../names.ts';

/** What uploads and downloads need of a bucket. */
type Bucket = Pick<R2Bucket, 'get' | 'head' | 'put' | 'list' | 'delete' | 'createMultipartUpload'>;

/** @param secret the bucket of private files */
export function bothBuckets(open: R2Bucket, secret: R2Bucket): Bucket {
  const bucketOf = (key: string): R2Bucket => (isPrivateKey(key) ? secret : open);
  return {
    get: (key: string, options?: R2GetOptions) => bucketOf(key).get(key, options),
    /** Of keys with a prefix that says which they are. */
    list: (options) => bucketOf(options?.prefix ?? '').list(options),
    head: (key) => bucketOf(key).head(key),
    put: (key: string, value: Parameters<R2Bucket['put']>[1], options?: R2PutOptions) =>
      bucketOf(key).put(key, value, options),
    createMultipartUpload: (key, options) => bucketOf(key).createMultipartUpload(key, options),
    async delete(keys) {
      for (const [bucket, own] of Map.groupBy([keys].flat(), bucketOf)) await bucket.delete(own);
    },
  } as Bucket;
}
