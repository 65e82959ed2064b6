/**
 * @module What shared caches keep of answers is dropped when a commit makes them untrue. The cache in front of a Worker
 * (https://developers.cloudflare.com/workers/cache/) is not there on local servers.
 */
import type { Settings } from '../config.ts';
import type { AppContext } from './content.ts';
import { report } from './report.ts';

/** A tag of `Cache-Tag` for a stamp; tags have no spaces. */
export const cacheTag = (name: string): string => name.replace(' ', ':');

const TRIES = 3;
const PAUSE = 1_000;

async function purgeTags({ cache }: ExecutionContext, tags: string[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const done = await cache?.purge({ tags });
    if (!done || done.success) return;
    if (tries === TRIES) throw new Error(`The cache did not drop ${tags.join(', ')}: ${JSON.stringify(done.errors)}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE * tries));
  }
}

/** After the answer to the write; what fails is logged, and what is kept ends by itself. */
export function purge(context: AppContext, { cache }: Settings, names: readonly string[]): void {
  if (names.length === 0 || Object.keys(cache).length === 0) return;
  const work = purgeTags(context.executionCtx as ExecutionContext, names.map(cacheTag));
  context.executionCtx.waitUntil(work.catch((error) => report(error, context)));
}
