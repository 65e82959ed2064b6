/**
 * @module The row of a document that is about to be updated, by attribute and as stored.
 */

import type { ColumnAttribute } from '../plan/validate-input.ts';
import type { Stored } from '../registry/fields.ts';
import { OVERFLOW_COLUMN } from '../registry/names.ts';
import type { Row } from './assemble.ts';

interface CurrentRow {
  readonly values: ReadonlyMap<ColumnAttribute, Stored>;
  readonly updatedAt: number;
}

/** Reads the columns that `compileCurrent` selects. */
export function readCurrentRow(row: Row, attributes: readonly ColumnAttribute[]): CurrentRow {
  const text = row[OVERFLOW_COLUMN];
  const overflow = typeof text === 'string' ? (JSON.parse(text) as Row) : {};
  const values = attributes.map((attribute) => {
    const spilled = attribute.kind === 'scalar' && attribute.overflow;
    const stored = spilled ? overflow[attribute.name] : row[attribute.column];
    return [attribute, (stored ?? null) as Stored] as const;
  });
  return { values: new Map(values), updatedAt: Number(row.updated_at) };
}
