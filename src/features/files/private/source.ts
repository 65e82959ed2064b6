/**
 * @module Private files: where their bytes are, and who may read them.
 */
import { mayFindFiles } from '../../../access/grants.ts';
import { notFound } from '../../../common/errors.ts';
import { withCredential } from '../../../content/runtime/caller.ts';
import { bindingOf } from '../../../http/bindings.ts';
import { REVALIDATED } from '../../../http/cache-headers.ts';
import { callOf } from '../../../http/call.ts';
import { type AppContext, secretOf } from '../../../http/context.ts';
import type { Deployment } from '../../../http/deployment.ts';
import { addressOf } from '../../../http/request-url.ts';
import type { Settings } from '../../../schema/settings/config.ts';
import { cacheControlOfSigned } from '../caching.ts';
import type { UploadCall } from '../call.ts';
import { isPrivateKey } from '../names.ts';
import type { FileSource } from '../serve.ts';
import { bothBuckets } from './buckets.ts';
import { validFor } from './signed-address.ts';

const privateBucket = (env: Env): R2Bucket | undefined =>
  (env as Env & { readonly PRIVATE_MEDIA?: R2Bucket }).PRIVATE_MEDIA;

/** A file that is not there, and one of others, are both a 404. */
async function admit(context: AppContext, deployment: Deployment): Promise<string> {
  const { settings } = deployment;
  const { pathname, search } = addressOf(context.req.raw);
  context.header('vary', 'Authorization', { append: true });
  const seconds = validFor(pathname + search, { settings, secret: secretOf(context) }, Date.now());
  if (seconds > 0) return cacheControlOfSigned(seconds, settings.upload);
  await withCredential(await callOf(context, deployment), {}, async (caller) => {
    if (!mayFindFiles(caller.grants)) throw notFound();
  });
  return REVALIDATED;
}

/** Without a second bucket no file is private: a private key leads to no object of the first. */
export function bucketsOf(env: Env, { upload }: Settings): Pick<UploadCall, 'bucket' | 'isPrivateBound'> {
  if (upload.private === false) return { bucket: bindingOf(env, 'MEDIA'), isPrivateBound: false };
  const open = bindingOf(env, 'MEDIA');
  const secret = privateBucket(env);
  return { bucket: bothBuckets(open, secret ?? open) as R2Bucket, isPrivateBound: secret !== undefined };
}

/** Returns undefined for a public file. @throws ApiError 404 for callers who may not read it, 401 for an invalid credential */
export async function privateSource(
  context: AppContext,
  deployment: Deployment,
  key: string,
): Promise<FileSource | undefined> {
  if (deployment.settings.upload.private === false || !isPrivateKey(key)) return undefined;
  const { bucket } = bucketsOf(context.env, deployment.settings);
  return { bucket, cacheControl: await admit(context, deployment) };
}
