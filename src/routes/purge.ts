/**
 * @module What shared caches keep of answers is dropped when a commit makes them untrue. The cache in front of a Worker
 * (https://developers.cloudflare.com/workers/cache/) is not there on local servers.
 */
import { actionId, roleGrants } from '../auth/grants.ts';
import type { Settings } from '../config.ts';
import { stampName } from '../registry/names.ts';
import type { AppContext } from './content.ts';
import { report } from './report.ts';

/** A tag of `Cache-Tag` for a stamp; tags have no spaces. */
export const cacheTag = (name: string): string => name.replace(' ', ':');

const TRIES = 3;
const PAUSE = 1_000;

/** So many tags go into one request: https://developers.cloudflare.com/cache/how-to/purge-cache/#availability-and-limits */
const MOST_TAGS = 100;

const DRAFT = stampName('', 'draft');

/** What is kept was made for the public: it has drafts of those types alone of which the public may read them. */
function mayBeKept(settings: Settings, name: string): boolean {
  if (!name.endsWith(DRAFT)) return true;
  return roleGrants(settings, 'public').allows(actionId(name.slice(0, -DRAFT.length), 'readDrafts'));
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
export function purge(context: AppContext, settings: Settings, names: readonly string[]): void {
  if (Object.keys(settings.cache).length === 0) return;
  const tags = names.filter((name) => mayBeKept(settings, name)).map(cacheTag);
  for (let start = 0; start < tags.length; start += MOST_TAGS) {
    const work = purgeTags(context.executionCtx as ExecutionContext, tags.slice(start, start + MOST_TAGS));
    context.executionCtx.waitUntil(work.catch((error) => report(error, context)));
  }
}
