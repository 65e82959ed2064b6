/**
 * @module The plan of a read: types only. Everything before produces it, everything after consumes it.
 */
import type { ContentType, ScalarAttribute } from '../registry/model.ts';
import type { OperatorName } from '../request/operators.ts';
import type { Page } from '../request/pagination.ts';
import type { Status } from '../request/query-params.ts';

export type Operand = string | number | null;
export type Comparison = Exclude<OperatorName, '$null' | '$notNull'>;

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
  | { readonly kind: 'never' };

export interface Order {
  readonly attribute: ScalarAttribute;
  readonly descending: boolean;
}

/** Which rows of a type's table are meant; a type without drafts has published rows only. */
export interface Versions {
  readonly status: Status;
  /** Absent: every locale. `['']` on types without locales. */
  readonly locales?: readonly string[];
}

export interface ReadPlan {
  readonly type: ContentType;
  /** What the answer shows besides `id` and `documentId`, in order. */
  readonly attributes: readonly ScalarAttribute[];
  readonly versions: Versions;
  readonly documentId?: string;
  readonly where?: Condition;
  /** Always ends in `id`, so that pages never overlap. */
  readonly order: readonly Order[];
  readonly page: Page;
  /** `counter`: the kept total serves, since nothing filters. */
  readonly count: 'none' | 'counter' | 'query';
}
