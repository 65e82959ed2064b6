/**
 * @module Failures that pass: what fails for one of them is tried again, each time later.
 */
import { UserError } from '../terminal.ts';

const TRIES = 6;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 60_000;

export type Pause = (milliseconds: number) => Promise<void>;

/** Something that may be otherwise in a moment. */
export class Passing extends Error {
  /** How long the server wants to be left alone, in milliseconds. */
  readonly after: number | undefined;

  constructor(message: string, after?: number) {
    super(message);
    this.after = after;
  }
}

/** `Retry-After`: seconds, or a date. */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), LONGEST_PAUSE);
}

const pauseAfter = (tries: number): number => FIRST_PAUSE * 2 ** (tries - 1) * (0.75 + Math.random() / 2);

/** @throws UserError when it has failed as often as it is tried; whatever does not pass at once. */
export async function insistently<T>(attempt: () => Promise<T>, pause: Pause): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Passing)) throw error;
      if (tries === TRIES) throw new UserError(`${error.message}; it was tried ${TRIES} times`);
      await pause(error.after ?? pauseAfter(tries));
    }
  }
}
