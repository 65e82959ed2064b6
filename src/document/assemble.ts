/**
 * @module Rows → documents, flat, as they are shown.
 */
import type { ReadPlan } from '../plan/read-plan.ts';
import { FIELDS } from '../registry/fields.ts';
import type { ScalarAttribute } from '../registry/model.ts';
import { OVERFLOW_COLUMN } from '../registry/names.ts';

export type Row = Readonly<Record<string, unknown>>;
export type Document = Record<string, unknown>;

type Reader = (stored: never) => unknown;

/** A column → JSON value of its attribute; null stays null. */
export function readStored(attribute: ScalarAttribute, stored: unknown): unknown {
  if (stored === null || stored === undefined) return null;
  return (FIELDS[attribute.type].read as Reader)(stored as never);
}

function overflowOf(row: Row): Row {
  const text = row[OVERFLOW_COLUMN];
  return typeof text === 'string' ? (JSON.parse(text) as Row) : {};
}

/** One row of the plan's page as a document: id, documentId, then the plan's attributes. */
export function assemble(row: Row, plan: ReadPlan): Document {
  const document: Document = { id: row.id, documentId: row.document_id };
  const overflow = plan.attributes.some((attribute) => attribute.overflow) ? overflowOf(row) : {};
  for (const attribute of plan.attributes) {
    const stored = attribute.overflow ? overflow[attribute.name] : row[attribute.column];
    document[attribute.name] = readStored(attribute, stored);
  }
  return document;
}
