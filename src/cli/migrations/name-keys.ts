/**
 * @module Keys of names for users who were there before the table had keys.
 */
import type { Registry } from '../../registry/model.ts';
import { systemType, USER_UID } from '../../registry/system-types.ts';
import type { Snapshot } from './snapshot.ts';
import { identifier } from './sql-text.ts';

const KEYS = { username_key: 'username', email_key: 'email' } as const;

/**
 * The statements that fill keys which a migration adds. SQLite knows the case of ASCII letters alone: a name with others
 * keeps those as they are until it is saved again.
 */
export function fillNameKeys(previous: Snapshot, registry: Registry): readonly string[] {
  const { table } = systemType(registry, USER_UID);
  const before = previous.tables[table];
  if (!before) return [];
  return Object.entries(KEYS)
    .filter(([key]) => !before.columns[key])
    .map(([key, name]) => `UPDATE ${identifier(table)} SET ${identifier(key)} = lower(${identifier(name)})`);
}
