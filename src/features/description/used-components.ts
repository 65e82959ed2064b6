/**
 * @module The components of an OpenAPI document that it refers to. Others may describe what is not visible to its reader.
 */
import type { Schemas } from './json-schema.ts';

type Components = Readonly<Record<string, Schemas>>;

function referencesIn(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const { $ref } = value as { readonly $ref?: unknown };
  if (typeof $ref === 'string') found.add($ref);
  for (const child of Object.values(value)) referencesIn(child, found);
}

/** Returns the components that `root` refers to, directly or through others, in their order. */
export function usedComponents(root: unknown, components: Components): Components {
  const used = new Set<string>();
  referencesIn(root, used);
  // The loop reaches the references that it adds.
  for (const reference of used) {
    const [section = '', name = ''] = reference.replace('#/components/', '').split('/');
    referencesIn(components[section]?.[name], used);
  }
  const kept = Object.entries(components).map(([section, named]) => {
    const entries = Object.entries(named).filter(([name]) => used.has(`#/components/${section}/${name}`));
    return [section, Object.fromEntries(entries)] as const;
  });
  return Object.fromEntries(kept);
}
