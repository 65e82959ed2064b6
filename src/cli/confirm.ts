/**
 * @module Asks whoever sits there to confirm what cannot be taken back, by a number that nobody types by habit.
 */
import { InvalidArgumentError } from 'commander';
import { askTerminal, UserError } from './terminal.ts';

/** A whole number of an option. @throws InvalidArgumentError for anything else. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number.');
  return Number(text);
}

/**
 * Has a number typed back, or compares it with that of `--yes`.
 * @throws UserError when it is another one, or nobody is there to type it.
 */
export async function confirmNumber(count: number, what: string, yes: number | undefined): Promise<void> {
  if (yes === count) return;
  if (yes !== undefined) throw new UserError(`Nothing was changed: --yes says ${yes}, but ${count} ${what}`);
  if (!process.stdin.isTTY) throw new UserError(`Nothing was changed: ${count} ${what}. To go ahead: --yes ${count}`);
  const answer = await askTerminal(`${count} ${what}. Type ${count} to go ahead: `);
  if (answer.trim() !== String(count)) throw new UserError('Nothing was changed');
}
