/**
 * @module The actions that settings and options name: which there are, and which a pattern stands for.
 */
import { contentActions, PLUGIN_ACTIONS } from '../../auth/actions.ts';
import type { Registry } from '../../registry/model.ts';
import { UserError } from '../terminal.ts';

/** Those of `actions` that no content type has. Actions of plugins are taken as they are. */
export function unknownActions(registry: Registry, actions: readonly string[]): readonly string[] {
  const known = new Set(contentActions(registry));
  return actions.filter((action) => !known.has(action) && !action.startsWith('plugin::'));
}

export const isPattern = (wanted: string): boolean => wanted.includes('*');

const escaped = (text: string): string => text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');

/** The actions that there are now of which a pattern tells the id; `*` stands for any characters. */
function matchesOf(registry: Registry, pattern: string): readonly string[] {
  const id = new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`);
  return [...contentActions(registry), ...PLUGIN_ACTIONS].filter((action) => id.test(action));
}

/**
 * The actions that ids and patterns name, each once.
 * @throws UserError that names those which no action has.
 */
export function namedActions(registry: Registry, wanted: readonly string[]): readonly string[] {
  const unknown = new Set(unknownActions(registry, wanted));
  const found = wanted.map((name) => (isPattern(name) ? matchesOf(registry, name) : unknown.has(name) ? [] : [name]));
  const missing = wanted.filter((_, index) => found[index]?.length === 0);
  if (missing.length > 0) throw new UserError(`--permission: there is no action ${missing.join(', ')}`);
  return [...new Set(found.flat())];
}
