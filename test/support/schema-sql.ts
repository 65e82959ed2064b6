/**
 * @module The tables of content types, as an empty database gets them.
 */
import { diffSchemas, EMPTY_STATE, stateOf } from '../../cli/migrations/migration.ts';
import { NO_RENAMES } from '../../cli/migrations/rename-options.ts';
import type { Registry } from '../../src/schema/model.ts';

/** Every statement that an empty database needs for a registry, in order, without semicolons. */
export async function createSchemaSql(registry: Registry): Promise<string[]> {
  const { parts } = await diffSchemas(EMPTY_STATE, stateOf(registry), { renames: NO_RENAMES, defaultLocale: '' });
  return parts.flatMap(({ statements }) => statements);
}
