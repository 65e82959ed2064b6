/**
 * @module The changes of a local database that may be ahead of the migrations: attributes and types that it alone has are
 * handled like those of the migrations.
 */
import type { Registry } from '../../src/schema/model.ts';
import { defaultLocale } from '../../src/schema/settings/derived.ts';
import { diffSchemas, openRenames, renamedLayout, stateOf } from '../migrations/migration.ts';
import type { SchemaState } from '../migrations/migration-work.ts';
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

/** Plans the change of a local database to the files. @param renames of migrations: those that still apply are made */
export async function planLocal(state: SchemaState, sources: Sources, renames: Renames) {
  const { declared, settings } = sources;
  const open = resolveRenames(openRenames(state, declared, renames), state.layout, declared);
  const wanted = wantedOf(sources, renamedLayout(state, declared, open, true));
  const options = { renames: open, defaultLocale: defaultLocale(settings), isForced: true };
  const diff = await diffSchemas(state, stateOf(wanted.registry), options);
  return { wanted, diff, losses: diff.parts.flatMap((part) => part.losses) };
}
