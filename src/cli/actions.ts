/**
 * @module Which of the actions that settings and options name there are.
 */
import { contentActions } from '../auth/actions.ts';
import type { Registry } from '../registry/model.ts';

/** Those of `actions` that no content type has. Actions of plugins are taken as they are. */
export function unknownActions(registry: Registry, actions: readonly string[]): readonly string[] {
  const known = new Set(contentActions(registry));
  return actions.filter((action) => !known.has(action) && !action.startsWith('plugin::'));
}
