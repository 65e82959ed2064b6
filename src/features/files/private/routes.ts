/**
 * @module Private files as HTTP: who may read the bytes, and signed addresses.
 */
import { mayFindFiles } from '../../../access/grants.ts';
import { notFound } from '../../../common/errors.ts';
import { withCredential } from '../../../content/runtime/caller.ts';
import { REVALIDATED } from '../../../http/cache-headers.ts';
import { bookmarked, callOf } from '../../../http/call.ts';
import { type App, type AppContext, secretOf } from '../../../http/context.ts';
import type { Deployment, PrivateFiles } from '../../../http/deployment.ts';
import { addRoutes } from '../../../http/methods.ts';
import { addressOf } from '../../../http/request-url.ts';
import { respond } from '../../../http/respond.ts';
import { cacheControlOfSigned } from '../caching.ts';
import { isPrivateKey } from '../names.ts';
import { uploadCallOf } from '../routes.ts';
import { validFor } from './address.ts';
import { bothBuckets } from './buckets.ts';
import { signFile } from './sign-file.ts';
import { privateUploads } from './uploads.ts';

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
const bucketOf = (env: Env): R2Bucket => bothBuckets(env.MEDIA, privateBucket(env) ?? env.MEDIA) as R2Bucket;

export const privateFiles: PrivateFiles = {
  uploads: (env, settings) => ({
    bucket: bucketOf(env),
    privateFiles: privateUploads(settings, privateBucket(env) !== undefined),
  }),
  async sourceOf(context, deployment, key) {
    if (!isPrivateKey(key)) return undefined;
    return { bucket: bucketOf(context.env), cacheControl: await admit(context, deployment) };
  },
};

export function addSignRoute(app: App, deployment: Deployment): void {
  const routes = [{ method: 'POST', path: '/api/upload/files/:id/actions/sign' }];
  addRoutes(app, routes, () => [
    async (context) => {
      const call = await uploadCallOf(context, deployment);
      return bookmarked(context, call, async () => respond(context, await signFile(call)));
    },
  ]);
}
