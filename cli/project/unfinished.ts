/**
 * @module Files of a migration that a command which was killed has not completed. They do not count, and the next command that
 * writes removes them, so that none of another number or name stands beside them.
 */
import { progress } from '../core/terminal.ts';
import { unfinishedFiles } from '../migrations/revisions.ts';
import { writeFiles } from './write-files.ts';

/** Removes them, while no other command writes to the project. */
export function removeUnfinished(root: string): void {
  const removed = writeFiles(
    root,
    unfinishedFiles(root).map((path) => ({ path, text: null })),
  );
  if (removed.length > 0) progress(`removed a migration that was not completed: ${removed.join(', ')}`);
}
