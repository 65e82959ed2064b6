/// <reference types="vite/types/importMeta.d.ts" />
/**
 * @module The content types of the demo, for tests in workerd and for those of the pure stages.
 */
import { buildRegistry, type SchemaFile } from '../../src/schema/build.ts';
import type { Registry } from '../../src/schema/model.ts';
import { CHECKED } from '../../src/schema/schema-json.ts';

const filesOf = (modules: Record<string, unknown>): SchemaFile[] =>
  Object.entries(modules).map(([path, json]) => ({ path, json }));

const contentTypes = import.meta.glob('../../content-types/*/schema.json', { eager: true, import: 'default' });
const components = import.meta.glob('../../content-types/components/*/*.json', { eager: true, import: 'default' });

export const demoRegistry: Registry = buildRegistry(
  { contentTypes: filesOf(contentTypes), components: filesOf(components) },
  CHECKED,
);
