/**
 * @module What fits into a row of the database. A deployed D1 refuses more, a local one takes it.
 */
import { invalid } from '../../errors.ts';
import type { Stored } from '../../registry/fields.ts';
import type { StoredValues } from '../model/write-plan.ts';

// https://developers.cloudflare.com/d1/platform/limits/: 2,000,000 bytes, less what other columns take.
const MOST_BYTES = 1_990_000;

const encoder = new TextEncoder();
const bytesOf = (value: Stored | object): number =>
  encoder.encode(typeof value === 'string' ? value : JSON.stringify(value)).length;

/** Of an entry besides its texts. */
const ENTRY_BYTES = 40;

/** At most, without a look at the texts: a character takes up to three bytes, and six where JSON escapes it. */
function mostBytesOf(values: StoredValues): number {
  let bytes = 0;
  for (const [{ name }, value] of values)
    bytes += ENTRY_BYTES + 3 * name.length + (typeof value === 'string' ? 6 * value.length : 0);
  return bytes;
}

/** @throws ApiError 400 for values that make a row larger than D1 holds. */
export function refuseLargeRow(values: StoredValues): void {
  if (mostBytesOf(values) <= MOST_BYTES) return;
  const overflow: Record<string, Stored> = {};
  let bytes = 0;
  for (const [attribute, value] of values) {
    if (attribute.kind === 'scalar' && attribute.overflow) overflow[attribute.name] = value;
    else bytes += bytesOf(value);
  }
  if (bytes + bytesOf(overflow) > MOST_BYTES)
    throw invalid(`The document is too large. Expected at most ${MOST_BYTES} bytes`, { limit: 'database' });
}
