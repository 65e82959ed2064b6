/**
 * @module The plan of a write: types only. Operations run in order, in one batch.
 */
import type { Stored } from '../../registry/fields.ts';
import type { ComponentAttribute, ContentType, DynamicZoneAttribute, ScalarAttribute } from '../../registry/model.ts';
import type { Status } from '../../request/query-params.ts';
import type { ColumnAttribute } from './component-attributes.ts';
import type { Link, LinkEnd, LinkTable } from './links.ts';
import type { Condition } from './read-plan.ts';

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

/** A row whose links are asked for; without a locale that of the first one, by code point, which the document has. */
export interface LinkedRow extends Omit<RowRef, 'locale'> {
  readonly locale: string | undefined;
}

/** Rows of a document in one locale (absent: all), in every status. */
export interface DeletedRows {
  readonly type: ContentType;
  /** Absent: every document of the type, which for single types is the only one. */
  readonly documentId?: string;
  /** One, or any of several; absent: all. */
  readonly locale?: string | readonly string[];
  /** Of these the ones that were chosen; absent: all. */
  readonly ids?: readonly number[];
}

/** The rows for which a condition holds. What it goes by may be gone half-way, so it is asked before anything is. */
export interface ChosenRows {
  readonly rows: DeletedRows;
  readonly where: Condition;
}

/** A link among those of its row. */
export interface PlacedLink extends Link {
  readonly position: number;
}

/** What changes among the links of a row in one version. */
export interface LinkChange {
  /** `others`: all that are not placed. */
  readonly removed: 'others' | readonly Link[];
  readonly placed: readonly PlacedLink[];
  /** Links from a position on move on, which makes room: in this order, before any other change. */
  readonly shifts: readonly { readonly from: number; readonly by: number }[];
}

/** A component, and the attribute it stands in. */
export interface PlaceStep {
  readonly attribute: ComponentAttribute | DynamicZoneAttribute;
  readonly component: string;
  /** Are there many in the attribute? */
  readonly list: boolean;
}

/** Where documents of a type have a unique value in their components. */
export interface UniquePlace {
  /** Tells it from the others of the type. */
  readonly key: string;
  /** The attribute of the type, then those of components that lead on. */
  readonly steps: readonly [PlaceStep, ...PlaceStep[]];
  readonly attribute: ScalarAttribute;
}

/** Values that no other document may have in a place. */
export interface PlacedValues {
  readonly place: UniquePlace;
  /** As answers show them. */
  readonly values: readonly (string | number)[];
  /** Those besides that any version of the document has there. */
  readonly withOwn: boolean;
}

export type WriteOp =
  /** The links of a row change, at whichever end of the table it stands, in one version of both ends. */
  | {
      readonly kind: 'link';
      readonly row: RowRef;
      readonly table: LinkTable;
      /** Is the row the source? */
      readonly owner: boolean;
      readonly status: Status;
      readonly change: LinkChange;
      /** The row has no links yet. */
      readonly fresh: boolean;
    }
  /** After rows were deleted: the links that have lost an end, seen from both sides. */
  | { readonly kind: 'unlink'; readonly ends: readonly LinkEnd[]; readonly rows: DeletedRows }
  /** Aborts the batch with `code` when another document has the value among published rows. */
  | { readonly kind: 'assert-unique'; readonly row: RowRef; readonly attribute: ScalarAttribute; readonly code: string }
  /** The same for values in components. */
  | {
      readonly kind: 'assert-free';
      readonly row: RowRef;
      readonly values: readonly PlacedValues[];
      readonly code: string;
    }
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
      /** Where published links become what the links of the draft are. */
      readonly ends: readonly LinkEnd[];
      readonly fresh: boolean;
      readonly now: number;
    }
  | { readonly kind: 'delete'; readonly rows: DeletedRows }
  /** Stand before and after operations that add or remove rows: the totals lose, then gain, what the document has. */
  | { readonly kind: 'discount'; readonly type: ContentType; readonly documentId?: string }
  | { readonly kind: 'recount'; readonly type: ContentType; readonly documentId?: string };

export type WritePlan = readonly WriteOp[];
