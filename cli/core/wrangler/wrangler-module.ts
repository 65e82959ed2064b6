/**
 * @module What the commands use of wrangler as a module. It takes a second to load, so only what needs it imports this.
 */
import { assertFolders } from './wrangler-folders.ts';

assertFolders();
export const {
  experimental_readRawConfig,
  getPlatformProxy,
  unstable_getMiniflareWorkerOptions,
  unstable_readConfig,
  unstable_splitSqlQuery,
} = await import('wrangler');
