/**
 * @module The buckets of a deployment as one: private files lie in PRIVATE_MEDIA, all others in MEDIA.
 */
import { bothBuckets } from '../../../src/features/files/private/buckets.ts';
import { missingBinding } from '../../../src/http/bindings.ts';
import { UserError } from '../terminal.ts';
import { PRIVATE_BUCKET } from './bindings.ts';

const unbound = (env: string | undefined) => (): never => {
  throw new UserError(`Private files need a bucket of their own: ${missingBinding(PRIVATE_BUCKET, env)}`);
};

/** Without a second bucket there are no private files, and none can be written. */
const noBucket = (env: string | undefined) =>
  ({
    get: async () => null,
    head: async () => null,
    delete: async () => undefined,
    put: unbound(env),
    createMultipartUpload: unbound(env),
  }) as unknown as R2Bucket;

/** The first character of a cursor names the bucket. */
const [OPEN, SECRET] = ['o', 's'];

/** @param secret absent if wrangler.toml has none. @param env its environment. @throws UserError when a private file is put without it */
export function fileBucket(open: R2Bucket, secret: R2Bucket | undefined, env?: string): R2Bucket {
  async function list({ cursor = OPEN, ...options }: R2ListOptions = {}): Promise<R2Objects> {
    const isOpen = cursor.startsWith(OPEN);
    const inner = cursor.slice(1);
    const page = await (isOpen ? open : (secret as R2Bucket)).list({ ...options, ...(inner && { cursor: inner }) });
    const { objects, delimitedPrefixes } = page;
    if (page.truncated) return { objects, delimitedPrefixes, truncated: true, cursor: `${cursor[0]}${page.cursor}` };
    return isOpen && secret
      ? { objects, delimitedPrefixes, truncated: true, cursor: SECRET }
      : { objects, delimitedPrefixes, truncated: false };
  }
  return { ...bothBuckets(open, secret ?? noBucket(env)), list } as R2Bucket;
}
