/**
 * @module Which renames a database has still to make: one may have the new name already, or never have had the old one.
 */
import type { Registry } from '../../registry/model.ts';
import { UserError } from '../core/terminal.ts';
import { renamedLayout, type SchemaState } from './migration.ts';
import { NO_RENAMES, type Renames } from './renames.ts';

/** Those of the renames that lead from a state towards a registry. */
export function openRenames(state: SchemaState, registry: Registry, renames: Renames): Renames {
  const isOpen = (some: Partial<Renames>): boolean => {
    try {
      renamedLayout(state, registry, { ...NO_RENAMES, ...some }, true);
      return true;
    } catch (error) {
      if (error instanceof UserError) return false;
      throw error;
    }
  };
  const tables = renames.tables.filter((rename) => isOpen({ tables: [rename] }));
  const components = renames.components.filter((rename) => isOpen({ components: [rename] }));
  const attributes = renames.attributes.filter((rename) => isOpen({ tables, components, attributes: [rename] }));
  return { tables, components, attributes };
}
