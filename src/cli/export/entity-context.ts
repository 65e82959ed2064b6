/**
 * @module What the lines of an entity are made with.
 */
import type { Registry } from '../../registry/model.ts';
import type { RowIndex } from './row-index.ts';

export interface EntityContext {
  readonly registry: Registry;
  readonly index: RowIndex;
}
