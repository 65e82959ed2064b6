/**
 * @module Until when a reading of a running Strapi has seen its changes: by the clock of that server, since its rows have
 * their times from there.
 */
import type { Remarks } from '../import/remarks.ts';
import { UserError } from '../terminal.ts';
import type { StrapiClient } from './client.ts';

/** `Date` has whole seconds, and what was being written when the reading began has an earlier time than its commit. */
const MARGIN = 60_000;

/** ISO time from which on a later reading has to ask for what changed; undefined where no answer says what time it is. */
export function nextSince({ base, earliest }: StrapiClient, remarks: Remarks): string | undefined {
  const time = earliest();
  if (time === undefined)
    remarks.note(`${base} does not say what time it is (no Date in its answers), so no --since goes on behind this`);
  return time === undefined ? undefined : new Date(time - MARGIN).toISOString();
}

/** @throws UserError for a time at which the server has not arrived: nothing could have changed since. */
export function assertPast({ base, earliest }: StrapiClient, since: string): void {
  const time = earliest();
  if (time === undefined || Date.parse(since) <= time) return;
  throw new UserError(`--since: ${since} is still to come; at ${base} it is ${new Date(time).toISOString()}`);
}
