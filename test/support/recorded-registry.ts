/**
 * @module The recorded content model without a database, for tests of the pure stages.
 */
import { buildRegistry, type SchemaFile } from '../../src/schema/build.ts';
import type { ContentType, Registry, ScalarAttribute } from '../../src/schema/model.ts';
import { CHECKED } from '../../src/schema/schema-json.ts';

const jsonFiles = (modules: Record<string, unknown>): SchemaFile[] =>
  Object.entries(modules).map(([path, json]) => ({ path, json }));

const contentTypes = import.meta.glob('../conformance/corpus/content-types/*/schema.json', {
  eager: true,
  import: 'default',
});
const components = import.meta.glob('../conformance/corpus/content-types/components/*/*.json', {
  eager: true,
  import: 'default',
});

export const recordedRegistry: Registry = buildRegistry(
  {
    contentTypes: jsonFiles(contentTypes),
    components: jsonFiles(components),
  },
  CHECKED,
);

/** `articles`, `homepage` … → the type that answers there. */
export function typeAt(route: string, registry: Registry = recordedRegistry): ContentType {
  const type = registry.routes.get(route);
  if (!type) throw new Error(`no content type at /api/${route}`);
  return type;
}

export function scalarOf(type: ContentType, name: string): ScalarAttribute {
  const attribute = type.attributes.get(name);
  if (attribute?.kind !== 'scalar') throw new Error(`${type.uid} has no scalar attribute ${name}`);
  return attribute;
}
