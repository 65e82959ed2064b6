/**
 * @module The plan of a read: types only. Everything before produces it, everything after consumes it.
 */
import type { ComponentAttribute, ContentType, DynamicZoneAttribute, ScalarAttribute } from '../../registry/model.ts';
import type { Comparison } from '../../request/operators.ts';
import type { Page } from '../../request/pagination.ts';
import type { Status } from '../../request/query-params.ts';
import type { LinkAttribute, LinkTable } from './links.ts';

export type Operand = string | number | null;

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
  /** `_q`: the text stands in one of the attributes. */
  | { readonly kind: 'search'; readonly attributes: readonly ScalarAttribute[]; readonly text: string }
  /** The other status of the same version (or of any locale of the document) exists, or does not. */
  | {
      readonly kind: 'counterpart';
      readonly exists: boolean;
      readonly scope: 'version' | 'document';
      readonly status: Status;
      /** Only counterparts for which the draft is newer than the published version, or is not. */
      readonly modified?: boolean;
    }
  /** Something behind a relation, a component or the document's other locales meets a condition. */
  | { readonly kind: 'related'; readonly step: Step; readonly where: Condition }
  | { readonly kind: 'never' };

/** A step from a document or component to what an attribute of it leads to. */
export type Step =
  | { readonly kind: 'link'; readonly link: LinkWalk }
  /** A relation of a component: its instance holds the documentIds. */
  | ({
      readonly kind: 'reference';
      readonly attribute: LinkAttribute;
      readonly target: ContentType;
      readonly status: Status;
    } & Versioned)
  | { readonly kind: 'component'; readonly attribute: ComponentAttribute }
  | { readonly kind: 'localizations'; readonly type: ContentType; readonly status: Status };

/** Of a step of filters and sorts from rows that are not all of the version that was asked for. */
interface Versioned {
  /** Do both versions count, and not only the one that was asked for? */
  readonly bothVersions?: boolean;
  /** Are the rows that lead on of both versions, so that each follows what its own version links to? */
  readonly ofOwnVersion?: boolean;
}

/** A link table, walked from one side to the documents of the other. */
export interface LinkWalk extends Versioned {
  readonly table: LinkTable;
  /** Is the document at hand the source of the links? */
  readonly owner: boolean;
  readonly target: ContentType;
  readonly multiple: boolean;
  /** The version of the target that is meant. */
  readonly status: Status;
  /** The version of the links. */
  readonly version: Status;
}

/** `sort=author.name`: an attribute, and the steps that lead to it. */
export interface Order {
  readonly steps: readonly Step[];
  readonly attribute: ScalarAttribute;
  readonly descending: boolean;
}

/** What is shown of a document or of a component, besides its identity. */
export interface Selection {
  readonly attributes: readonly ScalarAttribute[];
  readonly populate: readonly Populate[];
}

/** What is shown of the instances of one component of a zone: of all, or of those that meet a condition. */
export interface ZonePart extends Selection {
  readonly where?: Condition;
}

export interface PopulateCommon {
  /** The key in the answer. */
  readonly name: string;
  readonly selection: Selection;
  readonly where?: Condition;
  /** Empty: the stored order. */
  readonly order: readonly Order[];
  /** Only how many there are. */
  readonly count: boolean;
  /** Is the value a list? */
  readonly multiple: boolean;
}

export type Populate =
  /** What a step leads to. */
  | (Step & PopulateCommon)
  /** Instances whose component is no key of `parts` are left out. */
  | {
      readonly kind: 'dynamiczone';
      readonly name: string;
      readonly attribute: DynamicZoneAttribute;
      readonly parts: ReadonlyMap<string, ZonePart>;
    }
  /** The rows, in every locale and every version that the caller may read, whose media attributes lead to a file. */
  | { readonly kind: 'related'; readonly name: string; readonly uses: readonly Use[] };

/** What leads to rows, and what stands in a column of its own. */
export type PopulatedRows = Extract<Populate, { kind: 'link' | 'reference' | 'localizations' }>;
export type PopulatedBlocks = Extract<Populate, { kind: 'component' | 'dynamiczone' }>;

/** A content type with media attributes, and what is shown of its rows: once for each attribute that has the file. */
export interface Use {
  readonly type: ContentType;
  readonly tables: readonly LinkTable[];
  readonly attributes: readonly ScalarAttribute[];
  /** Are drafts among the rows? */
  readonly drafts: boolean;
}

/** Which rows of a type's table are meant; a type without drafts has published rows only. */
export interface Versions {
  readonly status: Status;
  /** Absent: every locale. `['']` on types without locales. */
  readonly locales?: readonly string[];
}

/** How much one answer may hold: rows at every level, and bytes. */
export interface Ceiling {
  readonly rows: number;
  readonly bytes: number;
}

/** Stands for a documentId, in a plan that serves every document: the placeholder that is filled in by each request. */
export interface AnyDocument {
  readonly name: 'documentId';
}

export interface ReadPlan {
  readonly type: ContentType;
  /** What the answer shows besides `id` and `documentId`. */
  readonly selection: Selection;
  readonly versions: Versions;
  readonly documentId?: string | AnyDocument;
  readonly where?: Condition;
  /** Always ends in `id`, so that pages never overlap. */
  readonly order: readonly Order[];
  readonly page: Page;
  /** Of a page that begins behind the one before it. */
  readonly cursor?: PageCursor;
  readonly ceiling: Ceiling;
  /** `counter`: the kept total serves, since nothing filters. */
  readonly count: 'none' | 'counter' | 'query';
}

/** The values of a document that a list is sorted by, one for each term of its order. */
export type Keys = readonly (string | number | null)[];

export interface PageCursor {
  /** What the list is of, by the names of `DIFFERENCES`. */
  readonly list: readonly string[];
  /** The page begins behind a document with these; absent: with the first document. */
  readonly after?: Keys;
}
