/**
 * @module Warnings of API tokens whose grants keep the former name of an attribute.
 */
import { counted } from '../core/counted.ts';
import type { Run } from '../core/sql/statements.ts';
import { databaseName, type Target } from '../core/wrangler/wrangler.ts';
import { nameOfType } from './layout.ts';
import type { AttributeRename } from './rename-options.ts';
import { countUnrenamed } from './token-changes.ts';

/** Warns of API tokens whose conditions have to be checked after attributes are renamed. A database without tokens has none. */
export async function unrenamedWarnings(
  renames: readonly AttributeRename[],
  target: Target,
  run: Run,
): Promise<readonly string[]> {
  if (renames.length === 0) return [];
  const results = await run(renames.map(countUnrenamed)).catch(() => []);
  return renames.flatMap(({ type, from, to }, index) => {
    const count = Number(results[index]?.[0]?.rows ?? 0);
    const tokens = `${counted(count, 'API token')} of the ${databaseName(target)}`;
    return count === 0
      ? []
      : [
          `${nameOfType(type)}.${from} is now ${to}, but not in grants of ${tokens} that may name it behind a relation or a component, or for several content types. A grant whose conditions name it so gives nothing: check them (edgewise token list)`,
        ];
  });
}
