/**
 * @module Migrates a local database that `npm run dev` has changed: it has a part of the changes of the pending migrations
 * already, so it is changed to the layout of the files instead.
 */
import { holderOf } from '../core/storage/lock.ts';
import { withStorage } from '../core/storage/storage.ts';
import { progress, UserError } from '../core/terminal.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import { localHistory, runAll } from '../migrations/apply.ts';
import { readSchema } from '../migrations/local-schema.ts';
import { readSources } from '../project/sources.ts';
import { planPush } from './push.ts';

/**
 * Does a running `npm run dev` follow the migrations of this local database?
 * @throws UserError with `allowDrop`, which would be lost on it
 */
export function isFollowed(root: string, target: Target, allowDrop: boolean): boolean {
  const url = holderOf(root, target)?.url;
  if (url === undefined) return false;
  if (allowDrop) throw new UserError(`${url} serves this project; stop npm run dev first`);
  progress(`npm run dev serves ${url}; it follows migrations by itself`);
  return true;
}

/**
 * @returns false for a database that only migrations have changed; it is left alone.
 * @throws UserError for changes that drop content, without `allowDrop` and in no migration
 */
export async function catchUpDatabase(root: string, db: D1Database, allowDrop: boolean): Promise<boolean> {
  const local = await readSchema(db);
  const { foreign } = await localHistory(root, db);
  if (!local || (!local.pushed && foreign.length === 0)) return false;
  const allowed = { allowConvert: true, allowDrop };
  const { what, statements } = await planPush(root, db, local, await readSources(root), allowed);
  await runAll(db, 'content-types/', statements);
  progress(`local database: ${what ?? 'up to date'}`);
  return true;
}

/** Opens the local database for it, if no server has it open. */
export async function catchUp(root: string, target: Target, allowDrop: boolean): Promise<boolean> {
  if (target.remote) return false;
  if (isFollowed(root, target, allowDrop)) return true;
  return withStorage(root, target, ({ db }) => catchUpDatabase(root, db, allowDrop));
}
