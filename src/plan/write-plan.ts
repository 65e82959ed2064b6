/**
 * @module The plan of a write: types only. Operations run in order, in one batch.
 */
import type { Stored } from '../registry/fields.ts';
import type { ContentType, ScalarAttribute } from '../registry/model.ts';
import type { Status } from '../request/query-params.ts';
import type { Link } from './plan-relations.ts';
import type { Condition } from './read-plan.ts';
import type { ColumnAttribute } from './validate-input.ts';

/** Attribute → what its column is to hold. */
export type StoredValues = ReadonlyMap<ColumnAttribute, Stored>;

/** The row of a document that is written. */
export interface RowRef {
  readonly type: ContentType;
  /** Before a single type is read its document is not known: `undefined` means the only one there is. */
  readonly documentId: string | undefined;
  readonly locale: string;
  readonly status: Status;
}

/** Rows of a document in one locale (absent: all), in every status. */
export interface DeletedRows {
  readonly type: ContentType;
  /** Absent: every document of the type, which for single types is the only one. */
  readonly documentId?: string;
  readonly locale?: string;
  /** Of these the ones that were chosen; absent: all. */
  readonly ids?: readonly number[];
}

/** The rows for which a condition holds. What it goes by may be gone half-way, so it is asked before anything is. */
export interface ChosenRows {
  readonly rows: DeletedRows;
  readonly where: Condition;
}

/** The link table of a relation, seen from one of its sides. */
export interface LinkTable {
  readonly name: string;
  /** The type whose rows are the sources of the links. */
  readonly source: ContentType;
  readonly target: ContentType;
}

export type WriteOp =
  /** The row's links in a table it owns become these, in this order; `exclusive` takes the targets from others. */
  | {
      readonly kind: 'link';
      readonly row: RowRef;
      readonly table: LinkTable;
      readonly links: readonly Link[];
      readonly exclusive: boolean;
      /** The row has no links yet. */
      readonly fresh: boolean;
    }
  /** The documents that link to this one become these, in this order; `exclusive` takes them from what they linked to. */
  | {
      readonly kind: 'link-back';
      readonly row: RowRef;
      readonly table: LinkTable;
      readonly links: readonly Link[];
      readonly exclusive: boolean;
      readonly fresh: boolean;
    }
  /** Before rows are deleted: their links. After: what still points to a document, or a locale of one, that is gone. */
  | { readonly kind: 'unlink-rows'; readonly tables: readonly LinkTable[]; readonly rows: DeletedRows }
  | { readonly kind: 'unlink-targets'; readonly tables: readonly LinkTable[]; readonly rows: DeletedRows }
  /** Aborts the batch with `code` when another document has the value among published rows. */
  | { readonly kind: 'assert-unique'; readonly row: RowRef; readonly attribute: ScalarAttribute; readonly code: string }
  /** The other locales of the same status take these attributes over, and count as changed. */
  | {
      readonly kind: 'share';
      readonly row: RowRef;
      readonly attributes: readonly ColumnAttribute[];
      readonly tables: readonly LinkTable[];
      readonly now: number;
    }
  /** A new locale starts with the links of another one in these tables. */
  | { readonly kind: 'adopt'; readonly row: RowRef; readonly from: RowRef; readonly tables: readonly LinkTable[] }
  | { readonly kind: 'insert'; readonly row: RowRef; readonly values: StoredValues; readonly now: number }
  | { readonly kind: 'update'; readonly row: RowRef; readonly values: StoredValues; readonly now: number }
  /** The published row becomes a copy of the draft, under a new id; `values` take the place of the draft's. `fresh`: there was none. */
  | {
      readonly kind: 'publish';
      readonly draft: RowRef;
      readonly values: StoredValues;
      readonly tables: readonly LinkTable[];
      /** Tables of other drafts and documents that link here: a target that appears is put last. */
      readonly pointing: readonly LinkTable[];
      readonly fresh: boolean;
      readonly now: number;
    }
  | { readonly kind: 'delete'; readonly rows: DeletedRows }
  /** Stand before and after operations that add or remove rows: the totals lose, then gain, what the document has. */
  | { readonly kind: 'discount'; readonly type: ContentType; readonly documentId?: string }
  | { readonly kind: 'recount'; readonly type: ContentType; readonly documentId?: string };

export type WritePlan = readonly WriteOp[];
