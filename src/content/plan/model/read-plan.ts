/**
 * @module The plan of a read: types only.
 */

import type { Slice } from '../../../common/slice.ts';
import type {
  ComponentAttribute,
  ContentType,
  DynamicZoneAttribute,
  LinkAttribute,
  ScalarAttribute,
} from '../../../schema/model.ts';
import type { Comparison } from '../../request/operators.ts';
import type { Page } from '../../request/pagination.ts';
import type { Status } from '../../request/query-params.ts';
import type { LinkTable } from './links.ts';
import type { PageCursor } from './page-cursor.ts';
import type { Populated } from './populated.ts';

/** The time of each request that a cached plan serves, as it is compared with attributes of this type. */
export interface TimeOperand {
  readonly time: 'datetime' | 'date' | 'string';
}

export type Operand = string | number | null | TimeOperand;

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  /** Several operands are alternatives, except for `$between`, which takes two. */
  | {
      readonly kind: 'compare';
      readonly attribute: ScalarAttribute;
      readonly operator: Comparison;
      readonly operands: readonly Operand[];
    }
  | { readonly kind: 'null'; readonly attribute: ScalarAttribute; readonly is: boolean }
  /** `_q`: one of the attributes contains the text. */
  | { readonly kind: 'search'; readonly attributes: readonly ScalarAttribute[]; readonly text: string }
  | WordSearch
  /** The other version exists or not, in the same locale or in any. */
  | {
      readonly kind: 'other-version';
      readonly exists: boolean;
      readonly scope: 'version' | 'document';
      readonly status: Status;
      /** The draft is newer than the published version, or is not. */
      readonly modified?: boolean;
      /** The other versions that the caller may see; absent: all. */
      readonly visible?: Condition;
    }
  /** Is the row that of the first of these locales in which the caller may see one of the document? */
  | {
      readonly kind: 'first-locale';
      readonly locales: readonly string[];
      readonly status: Status;
      /** The rows that the caller may see; absent: all. */
      readonly visible?: Condition;
    }
  /** Something that the step leads to meets the condition. */
  | { readonly kind: 'related'; readonly step: Step; readonly where: Condition }
  | { readonly kind: 'never' }
  /** Is the row of this version? Not of instances. */
  | { readonly kind: 'version'; readonly status: Status }
  /** Compares with a value of the user who sends the request; false without one. */
  | {
      readonly kind: 'caller';
      readonly attribute: ScalarAttribute;
      readonly operator: Comparison;
      readonly value: CallerValue;
    };

/** `search`: each word begins a word of the texts. A row that is nearly found counts if no row is found. */
export interface WordSearch {
  readonly kind: 'words';
  readonly type: ContentType;
  readonly words: readonly string[];
  /** The attributes that the caller may see, by weight. */
  readonly texts: readonly { readonly weight: number; readonly attributes: readonly ScalarAttribute[] }[];
  /** The rows of which one may be found, of those that the caller may see. */
  readonly versions: Versions;
  readonly visible?: Condition;
}

/** A value of a user's row, or of the rows that a relation of the user leads to. */
export interface CallerValue {
  /** The numeric id. */
  readonly user: number;
  readonly type: ContentType;
  readonly step?: Exclude<Step, { kind: 'component' }>;
  readonly attribute: ScalarAttribute;
}

/** A step from a document or component along one of its attributes. */
export type Step =
  | ({ readonly kind: 'link'; readonly link: LinkWalk } & Visible)
  /** A relation of a component, whose instances hold the documentIds. */
  | ({
      readonly kind: 'reference';
      readonly attribute: LinkAttribute;
      /** Of a polymorphic relation, the links to this type only. */
      readonly target: ContentType;
      readonly status: Status;
    } & Versioned &
      Visible)
  | { readonly kind: 'component'; readonly attribute: ComponentAttribute }
  | ({ readonly kind: 'localizations'; readonly type: ContentType; readonly status: Status } & Visible);

interface Visible {
  /** The targets that the caller may find; absent: all. */
  readonly visible?: Condition;
}

/** A step of filters and sorts from rows in other versions than the requested one. */
interface Versioned {
  /** Do targets in both versions count? */
  readonly bothVersions?: boolean;
  /** Does each row follow the links of its own version? */
  readonly ofOwnVersion?: boolean;
}

/** A link table, followed from one side to the documents of the other. */
export interface LinkWalk extends Versioned {
  readonly table: LinkTable;
  /** Does the step start at the source of the links? */
  readonly owner: boolean;
  readonly target: ContentType;
  readonly multiple: boolean;
  /** The version of the target. */
  readonly status: Status;
  /** The version of the links. */
  readonly version: Status;
}

/** `sort=author.name` */
export interface Order {
  readonly steps: readonly Step[];
  readonly attribute: ScalarAttribute;
  readonly descending: boolean;
  /** `_rank`: the search in which the value is the rank of the row. */
  readonly rank?: WordSearch;
}

/** What a response shows of a document or component, in addition to its ids. */
export interface Selection {
  readonly attributes: readonly ScalarAttribute[];
  readonly populate: readonly Populate[];
}

/** What a response shows of its documents. */
export interface TopSelection extends Selection {
  /** Only with `@deep`. */
  readonly populated?: Populated;
}

/** What a response shows of the entries of one component of a zone. */
export interface ZonePart extends Selection {
  readonly where?: Condition;
}

export interface PopulateCommon {
  /** The key in the response. */
  readonly name: string;
  readonly selection: Selection;
  readonly where?: Condition;
  /** Empty: the stored order. Ends in `id` with a slice. */
  readonly order: readonly Order[];
  /** Show only the number of targets. */
  readonly count: boolean;
  /** Is the value a list? */
  readonly multiple: boolean;
  /** Of a list; absent: the response shows all of it. */
  readonly slice?: Slice;
  /** Has the response the number of all targets beside them? */
  readonly withCount?: boolean;
}

export type PopulatedReference = Extract<Step, { kind: 'reference' }> & PopulateCommon;

/** References in the components of a column that lead to the same rows: one subquery reads the targets of all. */
export interface SharedTargets {
  /** Alike in all but the place and `fields`, of which the selection has those of all. */
  readonly references: readonly [PopulatedReference, ...PopulatedReference[]];
  readonly selection: Selection;
}

interface Shared {
  /** Only of a component or zone of a row. */
  readonly shared?: readonly SharedTargets[];
}

export type Populate =
  | (Exclude<Step, { kind: 'component' }> & PopulateCommon)
  | (Extract<Step, { kind: 'component' }> & PopulateCommon & Shared)
  /** Omits entries whose component is not a key of `parts`. */
  | ({
      readonly kind: 'dynamiczone';
      readonly name: string;
      readonly attribute: DynamicZoneAttribute;
      readonly parts: ReadonlyMap<string, ZonePart>;
    } & Shared)
  | PopulatedTypes
  /** The rows whose media attributes link to a file, in every locale and every version that the caller may read. */
  | { readonly kind: 'related'; readonly name: string; readonly uses: readonly FileUsage[] };

type PopulatedType = PopulatedRows & { readonly kind: 'link' | 'reference' };

/** The targets of a polymorphic relation, in their stored order. */
export interface PopulatedTypes {
  readonly kind: 'polymorphic';
  readonly name: string;
  /** One for each type. */
  readonly parts: readonly PopulatedType[];
  /** The parts that a statement reads, if one cannot read all: its entries have their places then. */
  readonly only?: readonly PopulatedType[];
  readonly count: boolean;
  readonly multiple: boolean;
  readonly slice?: Slice;
  readonly withCount?: boolean;
}

export type PopulatedRows = Extract<Populate, { kind: 'link' | 'reference' | 'localizations' }>;
export type PopulatedBlocks = Extract<Populate, { kind: 'component' | 'dynamiczone' }>;

/** A content type with media attributes, or some of these if it has many. A row is shown once for each attribute that links to the file. */
export interface FileUsage {
  readonly type: ContentType;
  readonly tables: readonly LinkTable[];
  readonly attributes: readonly ScalarAttribute[];
  /** Include drafts. */
  readonly drafts: boolean;
  /** The rows that the caller may find; absent: all. */
  readonly visible?: Condition;
}

/** The rows of a type that a plan reads. */
export interface Versions {
  readonly status: Status;
  /** Absent: every locale. `['']` on types without locales. Of a chain in its order. */
  readonly locales?: readonly string[];
}

/** Limits of a response: rows at all levels together, and bytes. */
export interface Ceiling {
  readonly rows: number;
  readonly bytes: number;
}

/** Each request fills it, so that one plan serves every document. */
export interface DocumentPlaceholder {
  readonly name: 'documentId';
}

/** Each request fills the value, so that one plan serves every value of the attribute. */
export interface LookupPlan {
  readonly attribute: ScalarAttribute;
  readonly value: { readonly name: 'value' };
}

/** `facets=format`: the most frequent values of an attribute among all rows of a list. */
export interface Facet {
  /** The key in the response. */
  readonly name: string;
  readonly attribute: ScalarAttribute;
  /** Leads to the rows that have the attribute; absent: it is one of the list's own. */
  readonly step?: Extract<Step, { kind: 'link' }>;
}

/** `highlights=true`: the texts of a search, and the attributes of the selection that only they need. */
export interface Highlights {
  readonly search: WordSearch;
  readonly added: readonly ScalarAttribute[];
}

export interface ReadPlan {
  readonly type: ContentType;
  readonly selection: TopSelection;
  readonly versions: Versions;
  /** Absent for lists, for single types, and for rows of a numeric id or a unique value. */
  readonly documentId?: string | DocumentPlaceholder;
  /** The rows with a unique value. */
  readonly lookup?: LookupPlan;
  readonly where?: Condition;
  /** Of rows in several locales of a chain, the first of each document. Absent: rows of all locales. */
  readonly chain?: Condition;
  /** Always ends in `id`, so that pages never overlap. */
  readonly order: readonly Order[];
  readonly page: Page;
  readonly cursor?: PageCursor;
  readonly ceiling: Ceiling;
  /** Only of lists. */
  readonly facets?: readonly Facet[] | undefined;
  readonly highlights?: Highlights | undefined;
  /** `counter`: the stored total, if nothing filters. */
  readonly count: 'none' | 'counter' | 'query';
}
