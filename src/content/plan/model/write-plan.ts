/**
 * @module The plan of a write: types only. Operations run in order, in one batch.
 */

import type { DocumentRef, NamedDocument } from '../../../schema/document-ref.ts';
import type { Stored } from '../../../schema/fields.ts';
import type {
  ColumnAttribute,
  ComponentAttribute,
  ContentType,
  DynamicZoneAttribute,
  ScalarAttribute,
} from '../../../schema/model.ts';
import type { Status } from '../../request/query-params.ts';
import type { Link, LinkEnd, LinkTable } from './links.ts';
import type { Condition } from './read-plan.ts';

export type StoredValues = ReadonlyMap<ColumnAttribute, Stored>;

/** One version of a document. */
export interface RowRef {
  readonly type: ContentType;
  readonly document: DocumentRef;
  readonly locale: string;
  readonly status: Status;
}

/** A row to write. */
export interface WrittenRow extends RowRef {
  readonly document: NamedDocument;
}

/** A row whose links are read; without a locale, every version of the document. */
export interface LinkedRow extends Omit<RowRef, 'locale'> {
  readonly locale: string | undefined;
}

/** All rows of a document. */
interface DocumentRows {
  readonly kind: 'document';
  readonly type: ContentType;
  readonly document: DocumentRef;
}

/** Of a type the rows with these ids. */
interface NumberedRows {
  readonly kind: 'ids';
  readonly type: ContentType;
  readonly ids: readonly number[];
}

/** Of a document the rows with these ids. */
interface RowsOfDocument extends Omit<DocumentRows, 'kind'>, Omit<NumberedRows, 'kind' | 'type'> {
  readonly kind: 'idsOfDocument';
}

export type CountedRows = DocumentRows | NumberedRows;

interface RowFilter {
  /** Absent: every locale. */
  readonly locale?: string | readonly string[];
  /** Absent: every status. */
  readonly status?: Status;
}

/** Rows to delete. */
export type DeletedRows = (CountedRows | RowsOfDocument) & RowFilter;

/** A row by its id, or one version of a document. */
export type NamedRow =
  | { readonly kind: 'id'; readonly id: number }
  | ({ readonly kind: 'version' } & Pick<WrittenRow, 'document' | 'locale' | 'status'>);

/** The rows that meet a condition; selected first, since the condition may depend on rows that the write deletes. */
export interface ChosenRows {
  readonly rows: DocumentRows & RowFilter;
  readonly where: Condition;
}

/** Links that are published with a row. */
export interface PublishedEnd extends LinkEnd {
  /** Does the body change them from the side that is pointed at? */
  readonly isChanged?: true;
}

export interface PositionedLink extends Link {
  readonly position: number;
}

/** The changes to the links of a row in one version. */
export interface LinkChange {
  /** `others`: all that are not in `positioned`. */
  readonly removed: 'others' | readonly Link[];
  readonly positioned: readonly PositionedLink[];
  /** Each makes room from a position on; in this order, before any other change. */
  readonly shifts: readonly { readonly from: number; readonly by: number }[];
}

/** A component, and the attribute that holds it. */
export interface PathStep {
  readonly attribute: ComponentAttribute | DynamicZoneAttribute;
  readonly component: string;
  /** Does the attribute hold a list? */
  readonly list: boolean;
}

/** The path of a unique attribute in the components of a type. */
export interface UniquePath {
  /** Unique within the type. */
  readonly key: string;
  /** From the attribute of the type inwards. */
  readonly steps: readonly [PathStep, ...PathStep[]];
  readonly attribute: ScalarAttribute;
}

/** Values that no other document may have at a path. */
export interface UniquePathValues {
  readonly path: UniquePath;
  /** In the form of a response. */
  readonly values: readonly (string | number)[];
  /** Add the values of every version of the document. */
  readonly withOwn: boolean;
}

export type WriteOp =
  /** Changes the links of a row, on its side of the table, in one version. */
  | {
      readonly kind: 'link';
      readonly row: WrittenRow;
      /** The row is on its own side. */
      readonly tables: LinkEnd['tables'];
      readonly owner: boolean;
      readonly status: Status;
      readonly change: LinkChange;
      /** Has the row no links yet? */
      readonly isNew: boolean;
    }
  /** Deletes the links of deleted rows, on both sides. */
  | { readonly kind: 'unlink'; readonly ends: readonly LinkEnd[]; readonly rows: DeletedRows }
  /** Leaves the other ends to later steps, those after a key. */
  | {
      readonly kind: 'leave-links';
      readonly ends: readonly LinkEnd[];
      readonly after: string;
      readonly rows: DeletedRows;
    }
  /** Aborts the batch with `code` if a published row of another document has the value. */
  | {
      readonly kind: 'assert-unique';
      readonly row: WrittenRow;
      readonly attribute: ScalarAttribute;
      readonly code: string;
    }
  /** The same for values in components. */
  | {
      readonly kind: 'assert-free';
      readonly row: WrittenRow;
      readonly values: readonly UniquePathValues[];
      readonly code: string;
    }
  /** Copies non-localized attributes and links to the other locales of the same status. */
  | {
      readonly kind: 'share';
      readonly row: WrittenRow;
      readonly attributes: readonly ColumnAttribute[];
      readonly tables: readonly LinkTable[];
      readonly now: number;
    }
  /** Copies the links of another locale to a new one. */
  | {
      readonly kind: 'inherit';
      readonly row: WrittenRow;
      readonly from: WrittenRow;
      readonly tables: readonly LinkTable[];
    }
  | { readonly kind: 'insert'; readonly row: WrittenRow; readonly values: StoredValues; readonly now: number }
  | { readonly kind: 'update'; readonly row: WrittenRow; readonly values: StoredValues; readonly now: number }
  /** Replaces the published row by a copy of the draft under a new id, with `values` in place of the draft's. */
  | {
      readonly kind: 'publish';
      readonly draft: WrittenRow;
      readonly values: StoredValues;
      /** The published links to replace by those of the draft. */
      readonly ends: readonly PublishedEnd[];
      /** Is there no published row yet? */
      readonly isNew: boolean;
      readonly now: number;
    }
  /** Replaces the draft by a copy of the published row under a new id, with `values` in place of the row's. */
  | {
      readonly kind: 'discard';
      readonly draft: WrittenRow;
      readonly values: StoredValues;
      /** The links of the draft to replace by the published ones. */
      readonly ends: readonly LinkEnd[];
    }
  | { readonly kind: 'delete'; readonly rows: DeletedRows }
  /** Links a row to files: appends to a list, else replaces the file. */
  | {
      readonly kind: 'attach';
      readonly row: NamedRow;
      readonly table: LinkTable;
      readonly files: readonly string[];
      readonly isList: boolean;
    }
  /** Before and after operations that add or remove rows: subtracts, then adds, the rows to the totals. */
  | { readonly kind: 'discount'; readonly rows: CountedRows }
  | { readonly kind: 'recount'; readonly rows: CountedRows };

export type WritePlan = readonly WriteOp[];
