/**
 * @module `npx edgewise generate --rename …` that is run again, since it was killed at its end.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Registry } from '../../src/schema/model.ts';
import { UserError } from '../core/terminal.ts';
import { joinRenames, NO_RENAMES, type Renames, resolveRenames } from '../migrations/rename-options.ts';
import { lastState, type Revision } from '../migrations/revisions.ts';

const listed = ({ attributes, tables, components }: Renames): readonly object[] => [
  ...attributes,
  ...tables,
  ...components,
];

/** Returns no renames if the last migration has all of them; otherwise those that were given. */
export function withoutRepeated(renames: Renames, revisions: readonly Revision[], declared: Registry): Renames {
  const last = revisions.at(-1);
  if (!last) return renames;
  try {
    const { layout } = lastState(revisions.slice(0, -1));
    const done = listed(joinRenames([last.renames, last.localRenames]));
    const asked = listed(resolveRenames(renames, layout, declared));
    const isDone = (rename: object) => done.some((other) => isDeepStrictEqual(rename, other));
    return asked.length > 0 && asked.every(isDone) ? NO_RENAMES : renames;
  } catch (error) {
    // Then they are others, and rejected where they are made.
    if (error instanceof UserError) return renames;
    throw error;
  }
}
