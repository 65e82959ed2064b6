/**
 * @module Asks the user to confirm what cannot be undone, by typing a number.
 */
import { askTerminal, UserError } from './terminal.ts';

/** Asks on the terminal; absent where nobody sits at one. */
export type Ask = ((question: string) => Promise<string>) | undefined;

/**
 * Has a number typed back.
 * @param option says the same without a question.
 * @throws UserError when it is another one, or nobody is there to type it.
 */
export async function confirmNumber(
  count: number,
  what: string,
  option: string,
  ask: Ask = process.stdin.isTTY ? askTerminal : undefined,
): Promise<void> {
  if (!ask) throw new UserError(`Nothing was changed: ${count} ${what}. To go ahead: ${option}`);
  const answer = await ask(`${count} ${what}. Type ${count} to go ahead: `);
  if (answer.trim() !== String(count)) throw new UserError('Nothing was changed');
}

/** The same where `--yes` may have said the number. @throws UserError when it says another one. */
export async function confirmYes(count: number, what: string, yes: number | undefined): Promise<void> {
  if (yes === undefined) await confirmNumber(count, what, `--yes ${count}`);
  else if (yes !== count) throw new UserError(`Nothing was changed: --yes says ${yes}, but ${count} ${what}`);
}
