/**
 * @module What shared caches keep of answers is dropped when a commit makes them untrue. The cache in front of a Worker
 * (https://developers.cloudflare.com/workers/cache/) is not there on local servers.
 */
import { type Action, actionId, type Grants, roleGrants } from '../auth/grants.ts';
import type { Settings } from '../config.ts';
import { FILE_UID } from '../registry/system-types.ts';
import type { AppContext } from './context.ts';
import { report } from './report.ts';

/** A tag of `Cache-Tag` for a stamp; tags have no spaces. */
export const cacheTag = (name: string): string => name.replace(' ', ':');

const TRIES = 3;
const PAUSE = 1_000;

/** So many tags go into one request: https://developers.cloudflare.com/cache/how-to/purge-cache/#availability-and-limits */
const MOST_TAGS = 100;

/** What is kept was made for the public: it has nothing of types that the public may not find, nor drafts that it may not read. */
function mayBeKept({ allows }: Grants, name: string): boolean {
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

/** After the answer to the write; what fails is logged, and what is kept ends by itself. */
export function purgeCache(context: AppContext, settings: Settings, names: readonly string[]): void {
  if (Object.keys(settings.cache).length === 0) return;
  const tags = names.filter((name) => mayBeKept(roleGrants(settings, 'public'), name)).map(cacheTag);
  for (let start = 0; start < tags.length; start += MOST_TAGS) {
    const work = purgeTags(context.executionCtx as ExecutionContext, tags.slice(start, start + MOST_TAGS));
    context.executionCtx.waitUntil(work.catch((error) => report(error, context)));
  }
}
