/**
 * @module Migrations on a local database that `npm run dev` has changed: their statements would do over again what is
 * done, so it is brought to where they lead.
 */

import { servedAt } from '../core/storage/lock.ts';
import { withStorage } from '../core/storage/storage.ts';
import { progress, UserError } from '../core/terminal.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import { migrationsOf, runAll } from '../migrations/applied.ts';
import { readSchema } from '../migrations/local-schema.ts';
import { readSources } from '../project/sources.ts';
import { planPush } from './push.ts';

/**
 * @returns is the database no longer that of the migrations alone? If it is, nothing has been done.
 * @throws UserError for changes that lose something stored, without `allowDrop` and in no migration.
 */
export async function catchUp(root: string, target: Target, allowDrop: boolean): Promise<boolean> {
  if (target.remote) return false;
  const url = servedAt(root, target);
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
