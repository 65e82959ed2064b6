/**
 * @module The registry of a project as its tables are: with the attributes that stand in the overflow column.
 */
import { buildRegistry } from '../../registry/build.ts';
import type { Registry } from '../../registry/model.ts';
import { CHECKED } from '../../registry/schema-json.ts';
import { overflowOf } from '../migrations/layout.ts';
import { readState } from '../migrations/revisions.ts';
import { readSchemaFiles, registryOf } from './project.ts';

/** @throws SchemaError for wrong files. */
export async function storedRegistry(root: string): Promise<Registry> {
  const read = await readSchemaFiles(root);
  const { layout } = readState(root);
  return buildRegistry({ ...read.files, overflow: overflowOf(registryOf(read), layout) }, CHECKED);
}
