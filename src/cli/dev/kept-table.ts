/**
 * @module The table of a local database that holds what a save took out of the content tables: each value beside the
 * version of the document it belongs to. So the content tables are always those of the files, and no write of the
 * Worker can meet, copy or forget what is kept.
 */
import { KEPT_TABLE } from '../../registry/names.ts';
import { hasTable } from '../import/marker.ts';
import { identifier } from '../migrations/sql-text.ts';
import type { Form } from './forms.ts';

/** Those of the entries, by name. */
export type Forms = Readonly<Record<string, Form>>;

/**
 * `row`: a version of a document; `value`: of an attribute that has a column; `links`: all links of a row; `link`: one
 * link of an attribute that is still there, to or from a version that is not.
 */
export type KeptKind = 'row' | 'value' | 'links' | 'link';

/** The entries of one attribute in one form, or the rows of one table. */
export interface KeptGroup {
  readonly kind: KeptKind;
  readonly table: string;
  /** Empty for rows. */
  readonly attribute: string;
  readonly formName: string;
  /** Absent for rows. */
  readonly form?: Form;
  /** `article` or `article.lead`. */
  readonly subject: string;
  /** How many of them hold something. */
  readonly rows: number;
}

export const KEPT = identifier(KEPT_TABLE);

export const CREATE_KEPT = `CREATE TABLE IF NOT EXISTS ${KEPT} ("kind" text, "table" text, "attribute" text, "form" text, "subject" text, "document_id" text, "locale" text, "status" text, "target" text, "updated_at" integer, "value", PRIMARY KEY ("table", "kind", "attribute", "form", "document_id", "locale", "status", "target")) WITHOUT ROWID`;

/** The columns in the order in which the statements name them. */
export const KEPT_COLUMNS = `("kind", "table", "attribute", "form", "subject", "document_id", "locale", "status", "target", "updated_at", "value")`;

export const COUNT_KEPT = `SELECT "kind", "table", "attribute", "form" AS "formName", "subject", sum("value" IS NOT NULL AND "value" <> '[]') AS "rows" FROM ${KEPT} GROUP BY "kind", "table", "attribute", "form", "subject" ORDER BY "table", "attribute", "form"`;

/** @param forms by name. */
export const groupsOf = (rows: readonly object[], forms: Forms): readonly KeptGroup[] =>
  (rows as readonly KeptGroup[]).map((row) => {
    const form = forms[row.formName];
    return form ? { ...row, form } : row;
  });

export async function readKept(db: D1Database, forms: Forms): Promise<readonly KeptGroup[]> {
  if (!(await hasTable(db, KEPT_TABLE))) return [];
  return groupsOf((await db.prepare(COUNT_KEPT).all()).results, forms);
}
