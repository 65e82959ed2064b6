/**
 * @module A checked scalar → what its column holds.
 */
import { FIELDS, type Stored } from '../../registry/fields.ts';
import type { ScalarAttribute } from '../../registry/model.ts';
import { normaliseBlocks } from './blocks.ts';

/**
 * A checked scalar as its column holds it.
 * @throws ApiError 400 without details for a date or time in no known format.
 */
export function storeScalar(attribute: ScalarAttribute, value: unknown): Stored {
  if (value === null || value === undefined) return null;
  return FIELDS[attribute.type].store(attribute.type === 'blocks' ? normaliseBlocks(value) : value);
}
