/**
 * @module Which migrations a deployment applies before traffic goes to the new version, and which when it serves.
 */
import type { When } from './migration.ts';
import type { Migration } from './migration-files.ts';

/** A migration without the comment, such as one written by hand, may break the previous version. */
export const whenOf = (text: string): When =>
  (/^-- deploy: (before|during|after)$/m.exec(text)?.[1] as When | undefined) ?? 'during';

/** Keeps the order of migrations: a late one is early if others come after it. */
export function scheduleOf(pending: readonly Migration[]) {
  const last = pending.findLastIndex(({ text }) => whenOf(text) !== 'after');
  const early = pending.slice(0, last + 1);
  return {
    /** To be applied before traffic goes to the new version. */
    early,
    /** To be applied when the new version serves. */
    late: pending.slice(last + 1),
    /** Of the early ones, those that may break the previous version. */
    felt: early.filter(({ text }) => whenOf(text) !== 'before'),
  };
}

export type Schedule = ReturnType<typeof scheduleOf>;
