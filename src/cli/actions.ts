/**
 * @module The action ids that roles and tokens may name, as in Strapi: `api::article.article.find`.
 */
import type { Registry } from '../registry/model.ts';

const COLLECTION = ['find', 'findOne', 'create', 'update', 'delete'] as const;
const SINGLE = ['find', 'update', 'delete'] as const;

/** Every action of the content types. */
export function actionsOf(registry: Registry): readonly string[] {
  const types = [...registry.contentTypes.values()].filter((type) => !type.system);
  return types.flatMap(({ uid, kind }) => {
    const names: readonly string[] = kind === 'singleType' ? SINGLE : COLLECTION;
    return names.map((name) => `${uid}.${name}`);
  });
}

/** Those of `actions` that no content type has. Actions of plugins are taken as they are. */
export function unknownActions(registry: Registry, actions: readonly string[]): readonly string[] {
  const known = new Set(actionsOf(registry));
  return actions.filter((action) => !known.has(action) && !action.startsWith('plugin::'));
}
