/**
 * @module Renames and data loss in a local database that is ahead of the migrations: attributes and types that it alone has
 * are handled like those of the migrations.
 */
import type { Registry } from '../../registry/model.ts';
import type { Run } from '../core/sql/database.ts';
import { type CountedLoss, storedLosses } from '../migrations/losses.ts';
import { diffSchemas, openRenames, renamedLayout, type SchemaState, stateOf } from '../migrations/migration.ts';
import { type Renames, resolveRenames } from '../migrations/rename-options.ts';
import { type Sources, wantedOf } from './sources.ts';

const without = (renames: Renames, others: Renames): Renames => ({
  attributes: renames.attributes.filter((each) => !others.attributes.includes(each)),
  tables: renames.tables.filter((each) => !others.tables.includes(each)),
  components: renames.components.filter((each) => !others.components.includes(each)),
});

/**
 * Splits renames into those of what migrations have made, and those of what the local database alone has.
 * @param state of the migrations @param ahead state of the local database
 */
export function splitRenames(renames: Renames, state: SchemaState, ahead: SchemaState, declared: Registry) {
  const own = without(openRenames(ahead, declared, renames), openRenames(state, declared, renames));
  return {
    made: resolveRenames(without(renames, own), state.layout, declared),
    own: resolveRenames(own, ahead.layout, declared),
  };
}

/** Returns what the files drop from the local database. @param renames all renames of the migration */
export async function localLosses(
  ahead: SchemaState,
  { declared, ...sources }: Sources,
  renames: Renames,
  run: Run,
  defaultLocale: string,
): Promise<readonly CountedLoss[]> {
  const open = resolveRenames(openRenames(ahead, declared, renames), ahead.layout, declared);
  const { registry } = wantedOf({ declared, ...sources }, renamedLayout(ahead, declared, open, true));
  const { parts } = await diffSchemas(ahead, stateOf(registry), { renames: open, defaultLocale, isForced: true });
  const losses = parts.flatMap((part) => part.losses);
  return storedLosses(losses, run);
}
