/**
 * @module When a deployment runs a migration: a comment in the file says it.
 */
import type { When } from './migration.ts';

const WHEN = /^-- deploy: (before|during|after)$/m;

/** The line that says when a migration runs. */
export const whenLine = (when: When): string => `-- deploy: ${when}`;

/** A migration that says nothing, such as one written by hand, may be one that the version from before does not bear. */
export const whenOf = (text: string): When =>
  (WHEN.exec(text.replaceAll('\r', ''))?.[1] as When | undefined) ?? 'during';

export interface Migration {
  readonly name: string;
  readonly text: string;
}

export interface Schedule {
  /** To be applied before traffic goes to the new version, in order. */
  readonly early: readonly Migration[];
  /** To be applied when the new version serves, in order. */
  readonly late: readonly Migration[];
  /** Of the early ones, those that the version from before does not bear. */
  readonly felt: readonly Migration[];
}

/** Migrations are never applied in another order: what is to go late goes early where others come after it. */
export function scheduleOf(pending: readonly Migration[]): Schedule {
  const last = pending.findLastIndex(({ text }) => whenOf(text) !== 'after');
  const early = pending.slice(0, last + 1);
  return { early, late: pending.slice(last + 1), felt: early.filter(({ text }) => whenOf(text) !== 'before') };
}
