/**
 * @module Before a deployed database is migrated: what goes is named and counted, the way back is printed, and nothing goes
 * unless that is confirmed.
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
  /** `--allow-drop`: content may be lost, as far as the messages say. */
  readonly allowDrop: boolean;
  readonly ask?: Ask;
}

async function agreeToLosses(
  folder: MigrationFolder,
  applied: readonly string[],
  target: Target,
  { allowDrop, ask }: Consent,
  execute: Wrangler,
): Promise<void> {
  const losses = await countLosses(await pendingLosses(folder, applied), (statements) =>
    executeSql(statements, target, execute),
  );
  const bookmark = await timeTravelBookmark(target, execute);
  if (losses.length > 0) progress(`${losses.length} ${lossWords(losses.length)}:`);
  for (const line of lossTexts(losses, target)) progress(line);
  progress(
    `to bring the database back to where it is now: npx wrangler ${['d1', 'time-travel', 'restore', 'DB', ...envArgs(target)].join(' ')} --bookmark=${bookmark}`,
  );
  if (losses.length > 0 && !allowDrop)
    await confirmNumber(losses.length, lossWords(losses.length), '--allow-drop', ask);
}

/**
 * A project whose pending migrations may be applied: what they lose is named, the command that brings it back is printed,
 * and it was confirmed. A database that has no migration yet has nothing to lose. Nothing is written.
 * @param planned the folder that the project will have, where it has another one yet.
 * @throws UserError when it is not confirmed, when there is no way back, or when migrations are not what was applied.
 */
export async function agreedProject(
  root: string,
  target: Target,
  consent: Consent,
  execute: Wrangler,
  planned?: MigrationFolder,
): Promise<Project> {
  const project = await readProject(root, target, execute, planned?.migrations);
  const { migrations, history } = project;
  if (history.applied.length > 0 && pendingOf(migrations, history).length > 0) {
    const folder = planned ?? { migrations, revisions: readRevisions(root) };
    await agreeToLosses(folder, history.applied, target, consent, execute);
  }
  return project;
}
