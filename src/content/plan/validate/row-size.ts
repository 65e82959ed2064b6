/**
 * @module The size limit of a row. A deployed D1 rejects larger ones, a local one does not.
 */
import { MAX_ROW_BYTES } from '../../../common/d1-limits.ts';
import { invalid } from '../../../common/errors.ts';
import { isScalar } from '../../../schema/attribute-kinds.ts';
import type { Stored } from '../../../schema/fields.ts';
import type { StoredValues } from '../model/write-plan.ts';

/** The system columns need some. */
const MAX_BYTES = MAX_ROW_BYTES - 10_000;

const encoder = new TextEncoder();
const bytesOf = (value: Stored | object): number =>
  encoder.encode(typeof value === 'string' ? value : JSON.stringify(value)).length;

/** Bytes of an entry without its texts. */
const ENTRY_BYTES = 40;

/** Returns an upper bound, without reading the texts: a character takes up to three bytes, or six if JSON escapes it. */
function maxBytesOf(values: StoredValues): number {
  let bytes = 0;
  for (const [{ name }, value] of values)
    bytes += ENTRY_BYTES + 3 * name.length + (typeof value === 'string' ? 6 * value.length : 0);
  return bytes;
}

/** @throws ApiError 400 for values that make a row larger than D1 holds. */
export function rejectLargeRow(values: StoredValues): void {
  if (maxBytesOf(values) <= MAX_BYTES) return;
  const overflow: Record<string, Stored> = {};
  let bytes = 0;
  for (const [attribute, value] of values) {
    if (isScalar(attribute) && attribute.overflow) overflow[attribute.name] = value;
    else bytes += bytesOf(value);
  }
  if (bytes + bytesOf(overflow) > MAX_BYTES)
    throw invalid(`The document is too large. Expected at most ${MAX_BYTES} bytes`, { limit: 'database' });
}
