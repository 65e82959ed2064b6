/**
 * @module Before a deployed database is migrated: what goes is named and counted, the way back is printed, and nothing goes
 * unless that is confirmed.
 */
import { type Ask, confirmNumber } from '../confirm.ts';
import { envArgs, type Target, timeTravelBookmark, type Wrangler } from '../platform/wrangler.ts';
import { progress } from '../terminal.ts';
import { type Project, readProject } from './apply.ts';
import { pendingOf } from './history.ts';
import { countLosses, lossesIn, lossTexts, lossWords } from './losses.ts';
import type { Migration } from './when.ts';

export interface Consent {
  /** `--allow-drop`: content may be lost, as far as the messages say. */
  readonly allowDrop: boolean;
  readonly ask?: Ask;
}

async function agreeToLosses(
  pending: readonly Migration[],
  target: Target,
  { allowDrop, ask }: Consent,
  execute: Wrangler,
): Promise<void> {
  const named = pending.flatMap(({ text }) => lossesIn(text));
  const losses = await countLosses(named, target, execute);
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
 * @param migrations those that the project has, or will have.
 * @throws UserError when it is not confirmed, when there is no way back, or when migrations are not what was applied.
 */
export async function agreedProject(
  root: string,
  target: Target,
  consent: Consent,
  execute: Wrangler,
  migrations?: readonly Migration[],
): Promise<Project> {
  const project = await readProject(root, target, execute, migrations);
  const pending = pendingOf(project.migrations, project.history);
  if (project.history.applied.length > 0 && pending.length > 0) await agreeToLosses(pending, target, consent, execute);
  return project;
}
