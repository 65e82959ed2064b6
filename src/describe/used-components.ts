/**
 * @module What of the components of an OpenAPI document is in use. The rest would be of no use to readers, and may be
 * about what they do not know of.
 */
import type { JsonSchema } from './json-schema.ts';

type Components = Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;

/** `#/components/schemas/Article` → `['schemas', 'Article']` */
const targetOf = (reference: string): readonly string[] => reference.split('/').slice(2);

function referencesIn(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const { $ref } = value as { readonly $ref?: unknown };
  if (typeof $ref === 'string') found.add($ref);
  for (const child of Object.values(value)) referencesIn(child, found);
}

/** The components that `root` refers to, also through one another, in their order. */
export function usedComponents(root: unknown, components: Components): Components {
  const used = new Set<string>();
  referencesIn(root, used);
  // A set that grows while it is walked through is walked through to its new end.
  for (const reference of used) {
    const [section = '', name = ''] = targetOf(reference);
    referencesIn(components[section]?.[name], used);
  }
  const kept = Object.entries(components).map(([section, named]) => {
    const entries = Object.entries(named).filter(([name]) => used.has(`#/components/${section}/${name}`));
    return [section, Object.fromEntries(entries)] as const;
  });
  return Object.fromEntries(kept);
}
