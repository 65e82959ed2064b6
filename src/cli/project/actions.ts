/**
 * @module Checks the actions that settings and options name.
 */
import { contentActions, isPattern, matchingActions } from '../../auth/actions.ts';
import type { Registry } from '../../registry/model.ts';
import { suggestion } from '../core/near-words.ts';
import { UserError } from '../core/terminal.ts';

/** Returns actions that no content type has, and patterns without a match. Accepts every action of plugins. */
export function unknownActions(registry: Registry, actions: readonly string[]): readonly string[] {
  const known = new Set(contentActions(registry));
  const isKnown = (action: string) =>
    isPattern(action)
      ? matchingActions(registry, action).length > 0
      : known.has(action) || action.startsWith('plugin::');
  return actions.filter((action) => !isKnown(action));
}

export const nearestAction = (registry: Registry, action: string): string =>
  isPattern(action) ? '' : suggestion(action, contentActions(registry));

/**
 * Resolves ids and patterns to distinct actions.
 * @throws UserError for unknown actions
 */
export function namedActions(registry: Registry, wanted: readonly string[]): readonly string[] {
  const missing = unknownActions(registry, wanted);
  if (missing.length > 0) {
    const names = missing.map((action) => action + nearestAction(registry, action));
    throw new UserError(`--permission: there is no action ${names.join(', ')}`);
  }
  return [...new Set(wanted.flatMap((name) => (isPattern(name) ? matchingActions(registry, name) : [name])))];
}
