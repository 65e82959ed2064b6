/**
 * @module Before a deployed database is migrated: what goes is named and counted, the way back is printed, and nothing goes
 * unless that is confirmed.
 */
import { createInterface } from 'node:readline/promises';
import { type Target, timeTravelBookmark, type Wrangler } from '../platform/wrangler.ts';
import { progress, UserError } from '../terminal.ts';
import { appliedNames } from './applied.ts';
import { countLosses, lossesIn, lossTexts } from './losses.ts';
import { readMigrations } from './migration-files.ts';
import type { Migration } from './when.ts';

export interface Consent {
  /** `--allow-drop`: content may be lost, as far as the messages say. */
  readonly allowDrop: boolean;
  /** Asks on the terminal; absent where there is none. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
}

/** A question on the terminal; undefined where nobody sits at one. */
export const terminalQuestion: Consent['ask'] = process.stdin.isTTY
  ? async (question) => {
      const terminal = createInterface({ input: process.stdin, output: process.stderr });
      try {
        return await terminal.question(question);
      } finally {
        terminal.close();
      }
    }
  : undefined;

async function confirm(count: number, { allowDrop, ask }: Consent): Promise<void> {
  if (allowDrop) return;
  if (!ask) throw new UserError('Nothing was changed. To go ahead without a question: --allow-drop');
  const answer = await ask(`To go ahead, type the number of changes that lose content (${count}): `);
  if (answer.trim() !== String(count)) throw new UserError('Nothing was changed.');
}

async function agreeToLosses(
  pending: readonly Migration[],
  target: Target,
  consent: Consent,
  execute: Wrangler,
): Promise<void> {
  const named = pending.flatMap(({ text }) => lossesIn(text));
  const losses = await countLosses(named, target, execute);
  const bookmark = await timeTravelBookmark(execute);
  if (losses.length > 0) progress(`${losses.length} change(s) lose stored content:`);
  for (const line of lossTexts(losses, target)) progress(line);
  progress(
    `to bring the database back to where it is now: npx wrangler d1 time-travel restore DB --bookmark=${bookmark}`,
  );
  if (losses.length > 0) await confirm(losses.length, consent);
}

/**
 * The migrations that a database does not have. Before it tells them it names what they lose, prints the command that
 * brings it back, and has it confirmed. A database that has none yet has nothing to lose.
 * @throws UserError when it is not confirmed, or when there is no way back.
 */
export async function agreeToPending(
  root: string,
  target: Target,
  consent: Consent,
  execute: Wrangler,
): Promise<readonly Migration[]> {
  const applied = await appliedNames(target, execute);
  const pending = readMigrations(root).filter(({ name }) => !applied.includes(name));
  if (applied.length > 0 && pending.length > 0) await agreeToLosses(pending, target, consent, execute);
  return pending;
}
