/**
 * @module Migrates a local database that `npm run dev` has changed: it has a part of the changes of the pending migrations
 * already, so it is changed to the layout of the files instead.
 */
import { holderOf } from '../core/storage/lock.ts';
import { withStorage } from '../core/storage/storage.ts';
import { progress, UserError } from '../core/terminal.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import { migrationsOf, runAll } from '../migrations/applied.ts';
import { readSchema } from '../migrations/local-schema.ts';
import { readSources } from '../project/sources.ts';
import { planPush } from './push.ts';

/**
 * @returns false for a database that only migrations have changed; it is left alone.
 * @throws UserError for changes that drop content, without `allowDrop` and in no migration
 */
export async function catchUp(root: string, target: Target, allowDrop: boolean): Promise<boolean> {
  if (target.remote) return false;
  const url = holderOf(root, target)?.url;
  if (url !== undefined) {
    if (allowDrop) throw new UserError(`${url} serves this project; stop npm run dev first`);
    progress(`npm run dev serves ${url}; it follows migrations by itself`);
    return true;
  }
  return withStorage(root, target, async ({ db }) => {
    const local = await readSchema(db);
    const { foreign } = await migrationsOf(root, db);
    if (!local || (!local.pushed && foreign.length === 0)) return false;
    const { what, statements } = await planPush(root, db, local, await readSources(root), {
      allowConvert: true,
      allowDrop,
    });
    await runAll(db, 'content-types/', statements);
    progress(`local database: ${what ?? 'up to date'}`);
    return true;
  });
}
