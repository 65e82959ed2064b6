/**
 * @module The plan of a write: types only. Operations run in order, in one batch.
 */
import type { Stored } from '../registry/fields.ts';
import type { ContentType, ScalarAttribute } from '../registry/model.ts';
import type { Status } from '../request/query-params.ts';
import type { Condition } from './read-plan.ts';
import type { ColumnAttribute } from './validate-input.ts';

/** Attribute → what its column is to hold. */
export type StoredValues = ReadonlyMap<ColumnAttribute, Stored>;

/** The row of a document that is written. */
export interface RowRef {
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string;
  readonly status: Status;
}

export type WriteOp =
  /** Aborts the batch with `code` when another document has the value among published rows. */
  | { readonly kind: 'assert-unique'; readonly row: RowRef; readonly attribute: ScalarAttribute; readonly code: string }
  /** Aborts the batch with `CONFLICT` when the row was written since it was read. */
  | { readonly kind: 'assert-unchanged'; readonly row: RowRef; readonly updatedAt: number }
  | { readonly kind: 'insert'; readonly row: RowRef; readonly values: StoredValues; readonly now: number }
  | { readonly kind: 'update'; readonly row: RowRef; readonly values: StoredValues; readonly now: number }
  /** The published row becomes a copy of the draft, under a new id; `values` take the place of the draft's. */
  | { readonly kind: 'publish'; readonly draft: RowRef; readonly values: StoredValues; readonly now: number }
  /** Rows of the document in one locale (absent: all), in every status, for which the condition holds. */
  | {
      readonly kind: 'delete';
      readonly type: ContentType;
      /** Absent: every document of the type, which for single types is the only one. */
      readonly documentId?: string;
      readonly locale?: string;
      readonly where?: Condition;
    }
  /** Stand before and after operations that add or remove rows: the totals lose, then gain, what the document has. */
  | { readonly kind: 'discount'; readonly type: ContentType; readonly documentId?: string }
  | { readonly kind: 'recount'; readonly type: ContentType; readonly documentId?: string };

export type WritePlan = readonly WriteOp[];
