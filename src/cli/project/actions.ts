/**
 * @module The actions that settings and options name.
 */
import { contentActions, isPattern, matchingActions } from '../../auth/actions.ts';
import type { Registry } from '../../registry/model.ts';
import { suggestion } from '../core/near-words.ts';
import { UserError } from '../core/terminal.ts';

/** Those of `actions` that no content type has, and patterns that match nothing. Actions of plugins are accepted as they are. */
export function unknownActions(registry: Registry, actions: readonly string[]): readonly string[] {
  const known = new Set(contentActions(registry));
  const isKnown = (action: string) =>
    isPattern(action)
      ? matchingActions(registry, action).length > 0
      : known.has(action) || action.startsWith('plugin::');
  return actions.filter((action) => !isKnown(action));
}

/** What an unknown action was probably meant to be, to follow its name; often nothing. */
export const nearestAction = (registry: Registry, action: string): string =>
  isPattern(action) ? '' : suggestion(action, contentActions(registry));

/**
 * The actions that ids and patterns name, each once.
 * @throws UserError that names those which no action has.
 */
export function namedActions(registry: Registry, wanted: readonly string[]): readonly string[] {
  const missing = unknownActions(registry, wanted);
  if (missing.length > 0) {
    const names = missing.map((action) => action + nearestAction(registry, action));
    throw new UserError(`--permission: there is no action ${names.join(', ')}`);
  }
  return [...new Set(wanted.flatMap((name) => (isPattern(name) ? matchingActions(registry, name) : [name])))];
}
