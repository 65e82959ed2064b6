/**
 * @module Purges the shared cache after a commit (https://developers.cloudflare.com/workers/cache/).
 */
import { type Action, actionId, type Grants, roleGrants } from '../access/grants.ts';
import type { Settings } from '../schema/settings/config.ts';
import { FILE_UID } from '../schema/system-types.ts';

/** The tag of a version stamp in `Cache-Tag`; tags have no spaces. */
export const cacheTag = (name: string): string => name.replace(' ', ':');

const TRIES = 3;
const PAUSE = 1_000;

/** Tags of one purge: https://developers.cloudflare.com/cache/how-to/purge-cache/#availability-and-limits */
const MAX_TAGS = 100;

/** Stored responses are those of the public role: they have only types and drafts that it may read. */
function mayBeStored({ allows }: Grants, name: string): boolean {
  const [uid = '', status] = name.split(' ');
  const may = (action: Action) => allows(actionId(uid, action));
  if (status === 'draft' && !may('readDrafts')) return false;
  return uid === FILE_UID || may('find') || may('findOne');
}

async function purgeTags({ cache }: ExecutionContext, tags: string[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const done = await cache?.purge({ tags }).catch((error: unknown) => ({ success: false, errors: String(error) }));
    if (!done || done.success) return;
    if (tries === TRIES) throw new Error(`The cache did not drop ${tags.join(', ')}: ${JSON.stringify(done.errors)}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE * tries));
  }
}

/** Returns whether nothing is left to purge. Logs failures: a stored response expires in any case. */
export async function purgeCache(
  executionCtx: ExecutionContext,
  settings: Settings,
  names: readonly string[],
  report: (error: unknown) => void,
): Promise<boolean> {
  if (Object.keys(settings.cache).length === 0) return true;
  const grants = roleGrants(settings, 'public');
  // A condition may depend on types that the role may not read.
  const tags = names.filter((name) => grants.rule !== undefined || mayBeStored(grants, name)).map(cacheTag);
  const purges: Promise<boolean>[] = [];
  for (let start = 0; start < tags.length; start += MAX_TAGS) {
    const purge = purgeTags(executionCtx, tags.slice(start, start + MAX_TAGS)).then(() => true);
    purges.push(
      purge.catch((error: unknown) => {
        report(error);
        return false;
      }),
    );
  }
  for (const purge of purges) executionCtx.waitUntil(purge);
  return (await Promise.all(purges)).every(Boolean);
}
