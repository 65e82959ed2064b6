/**
 * @module Asks before a deployed database is migrated: data losses are named and counted, the command that restores the
 * database is printed, and nothing is applied without confirmation.
 */
import { type Ask, confirmNumber } from '../core/confirm.ts';
import { executeSql } from '../core/storage/execute-sql.ts';
import { progress } from '../core/terminal.ts';
import { envArgs, type Target, timeTravelBookmark, type Wrangler } from '../core/wrangler/wrangler.ts';
import { type Project, readProject } from './apply.ts';
import { pendingOf } from './history.ts';
import { countLosses, lossTexts, lossWords } from './losses.ts';
import { type MigrationFolder, pendingLosses, readRevisions } from './revisions.ts';

export interface Consent {
  /** `--allow-drop`: are the reported data losses accepted? */
  readonly allowDrop: boolean;
  readonly ask?: Ask;
}

/**
 * Reads a project whose pending migrations may be applied: their data losses are confirmed. Nothing is written. A database
 * without migrations has nothing to lose.
 * @param planned the folder that the project will have; absent: the one on disk.
 * @throws UserError when losses are not confirmed, when no bookmark can be read, or for migrations that were changed.
 */
export async function agreedProject(
  root: string,
  target: Target,
  { allowDrop, ask }: Consent,
  execute: Wrangler,
  planned?: MigrationFolder,
): Promise<Project> {
  const project = await readProject(root, target, execute, planned?.migrations);
  const { migrations, history } = project;
  if (history.applied.length === 0 || pendingOf(migrations, history).length === 0) return project;
  const named = await pendingLosses(planned ?? { migrations, revisions: readRevisions(root) }, history.applied);
  const losses = await countLosses(named, (statements) => executeSql(statements, target, execute));
  const words = lossWords(losses.length);
  const restore = ['d1', 'time-travel', 'restore', 'DB', ...envArgs(target)].join(' ');
  const bookmark = await timeTravelBookmark(target, execute);
  if (losses.length > 0) progress(`${losses.length} ${words}:`);
  for (const line of lossTexts(losses, target)) progress(line);
  progress(`To restore the database as it is now: npx wrangler ${restore} --bookmark=${bookmark}`);
  if (losses.length > 0 && !allowDrop) await confirmNumber(losses.length, words, '--allow-drop', ask);
  return project;
}
