/**
 * @module Removes the names of deleted users from the former versions of documents, in steps: no response shows them meanwhile.
 */
import type { SystemCall } from '../../content/runtime/call.ts';
import { removeName, selectLeftName } from './sql/left-names.ts';

/** Steps of a run, and former versions of a step: it reads each of them. */
const MAX_STEPS = 4;
const STEP = 5_000;

export async function forgetNames({ database }: Pick<SystemCall, 'database'>): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const name = selectLeftName.decode(await database.read(selectLeftName.statements, 'primary'));
    if (!name) return;
    await database.write(removeName(name, STEP));
  }
}
