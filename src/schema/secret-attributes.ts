/**
 * @module Which attributes have secrets: passwords, and what has some within components.
 */
import { isComponent, isPassword, isZone } from './attribute-kinds.ts';
import type { Attribute, Component } from './model.ts';

/** The action that shows private attributes. Only its own name grants it: no pattern, and no token type. */
export const READ_PRIVATE = 'readPrivate';

export type IsSecret = (attribute: Attribute) => boolean;

/** Returns a function that says whether an attribute is a password or has some within components. */
export function secretsAmong(components: ReadonlyMap<string, Component>): IsSecret {
  const secret = new Set<string>();
  const isSecret: IsSecret = (attribute) => {
    if (isComponent(attribute)) return secret.has(attribute.component);
    if (isZone(attribute)) return attribute.components.some((uid) => secret.has(uid));
    return isPassword(attribute);
  };
  // Each round finds the components around those of the round before.
  for (let size = -1; size < secret.size; ) {
    size = secret.size;
    for (const { uid, attributes } of components.values()) if ([...attributes.values()].some(isSecret)) secret.add(uid);
  }
  return isSecret;
}
