/**
 * @module What a change of the files means for a local database that is ahead of the migrations: its own attributes and
 * types are renamed, counted and asked for like those that migrations have made.
 */
import type { Registry } from '../../registry/model.ts';
import type { Run } from '../core/sql/database.ts';
import { type CountedLoss, storedLosses } from '../migrations/losses.ts';
import { diffSchemas, openRenames, renamedLayout, type SchemaState, stateOf } from '../migrations/migration.ts';
import { resolveRenames } from '../migrations/rename-names.ts';
import type { Renames } from '../migrations/rename-options.ts';
import { type Sources, wantedOf } from './sources.ts';

interface Split {
  /** Renames of what migrations have made, with uids and tables. */
  readonly made: Renames;
  /** Of what the local database alone has. */
  readonly own: Renames;
}

const without = (renames: Renames, others: Renames): Renames => ({
  attributes: renames.attributes.filter((each) => !others.attributes.includes(each)),
  tables: renames.tables.filter((each) => !others.tables.includes(each)),
  components: renames.components.filter((each) => !others.components.includes(each)),
});

/** @param state where the migrations lead to. @param ahead the state of the local database. */
export function splitRenames(renames: Renames, state: SchemaState, ahead: SchemaState, declared: Registry): Split {
  const own = without(openRenames(ahead, declared, renames), openRenames(state, declared, renames));
  return {
    made: resolveRenames(without(renames, own), state.layout, declared),
    own: resolveRenames(own, ahead.layout, declared),
  };
}

interface Counting {
  readonly run: Run;
  readonly defaultLocale: string;
}

/** What the local database would lose on its way to the files. @param renames all that the migration notes. */
export async function localLosses(
  ahead: SchemaState,
  { declared, ...sources }: Sources,
  renames: Renames,
  { run, defaultLocale }: Counting,
): Promise<readonly CountedLoss[]> {
  const open = resolveRenames(openRenames(ahead, declared, renames), ahead.layout, declared);
  const { registry } = wantedOf({ declared, ...sources }, renamedLayout(ahead, declared, open, true));
  const { parts } = await diffSchemas(ahead, stateOf(registry), { renames: open, defaultLocale, isForced: true });
  return storedLosses(
    parts.flatMap((part) => part.losses),
    run,
  );
}
