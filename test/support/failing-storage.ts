/**
 * @module A database and a bucket of which one call fails: the batches of D1 and the calls of R2 are counted together.
 */

/** `before`: nothing was done. `after`: it was done, and the answer was lost. */
export type Moment = 'before' | 'after';

export interface FailingStorage {
  readonly database: D1Database;
  readonly bucket: R2Bucket;
  /** What was called, in order. */
  readonly calls: readonly string[];
}

const LOST = 'D1_ERROR: Network connection lost.';

/**
 * @param failing number of the call that fails, from 0.
 * @param always do all later calls of the same side fail too?
 */
export function failingStorage(
  real: { readonly database: D1Database; readonly bucket: R2Bucket },
  failing: number,
  moment: Moment,
  always = false,
): FailingStorage {
  const calls: string[] = [];
  let broken: string | undefined;
  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const [side = ''] = name.split('.');
    const fails = calls.push(name) - 1 === failing || (always && side === broken);
    if (!fails) return work();
    broken = side;
    if (moment === 'after') await work();
    throw new Error(side === 'd1' ? LOST : 'put: We encountered an internal error. Please try again. (10001)');
  };
  const upload = (given: R2MultipartUpload): R2MultipartUpload =>
    ({
      uploadPart: (number: number, value: Uint8Array) => step('r2.uploadPart', () => given.uploadPart(number, value)),
      complete: (parts: R2UploadedPart[]) => step('r2.complete', () => given.complete(parts)),
      abort: () => step('r2.abort', () => given.abort()),
    }) as never;
  const { bucket, database } = real;
  return {
    calls,
    database: {
      withSession: (constraint?: string) => {
        const session = database.withSession(constraint);
        return {
          prepare: (sql: string) => session.prepare(sql),
          batch: (statements: D1PreparedStatement[]) => step('d1.batch', () => session.batch(statements)),
          getBookmark: () => session.getBookmark(),
        };
      },
    } as never,
    bucket: {
      put: (key: string, value: Uint8Array, options?: R2PutOptions) =>
        step('r2.put', () => bucket.put(key, value, options)),
      get: (key: string, options?: R2GetOptions) => step('r2.get', () => bucket.get(key, options)),
      delete: (keys: string[]) => step('r2.delete', () => bucket.delete(keys)),
      createMultipartUpload: async (key: string, options?: R2MultipartOptions) =>
        upload(await step('r2.create', () => bucket.createMultipartUpload(key, options))),
    } as never,
  };
}
