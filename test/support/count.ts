/**
 * @module Options of scripts that are numbers.
 */
import { InvalidArgumentError } from 'commander';

/** Parses the value of an option. @throws InvalidArgumentError for another value. */
export function count(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('Expected a whole number above 0.');
  return number;
}
