/**
 * @module The types of queries, by the model of a content type.
 */
import type { Mixed, Model, RelationName, ScalarName } from './model.ts';
import type { RequestOptions } from './request.ts';

export type Status = 'published' | 'draft';

export type Fields<M extends Model> = '*' | ScalarName<M> | readonly ('*' | ScalarName<M>)[];

type Path<M extends Model> = RelationName<M> | `${RelationName<M>}.${string}`;

/** Names, dotted texts, presets or options by name. */
export type Populate<M extends Model> =
  | '*'
  | Path<M>
  | (keyof M['presets'] & string)
  | readonly Path<M>[]
  | { readonly [Key in RelationName<M>]?: boolean | Options<M['populate'][Key]> };

type Direction = '' | ':asc' | ':desc';

type Term<M extends Model> = `${ScalarName<M>}${Direction}` | `${RelationName<M>}.${string}` | `_rank${Direction}`;

export type Sort<M extends Model> = Term<M> | readonly Term<M>[];

/** Of a relation to many, or a list of files. */
interface Slice {
  readonly limit?: number;
  readonly start?: number;
  readonly withCount?: boolean;
}

interface Selection<M extends Model> {
  readonly fields?: Fields<M>;
  readonly populate?: Populate<M>;
}

interface Part<M extends Model> extends Selection<M> {
  readonly filters?: M['filters'];
}

interface Target<M extends Model> extends Part<M> {
  readonly sort?: Sort<M>;
}

interface Counted {
  readonly count?: boolean;
}

/** Of one type: documents, files or components. */
type TargetOptions<M extends Model, Many> = M extends { readonly document: { readonly documentId: string } }
  ? Target<M> &
      (M extends { readonly uid: 'plugin::upload.file' } ? unknown : Counted) &
      (Many extends true ? Slice : unknown)
  : Target<M> & Counted;

/** `on` selects some of several types. */
interface On<Parts extends Model> {
  readonly on?: { readonly [M in Parts as M['uid']]?: true | Part<M> };
  readonly populate?: '*';
}

type MixedOptions<T extends Mixed> = T extends { readonly __component: infer Parts extends Model }
  ? On<Parts>
  : T extends { readonly __type: infer Types extends Model }
    ? On<Types> & Counted & Slice
    : never;

type ItemOptions<T, Many> = T extends Model ? TargetOptions<T, Many> : T extends Mixed ? MixedOptions<T> : never;

/** The options below a name of `populate`. */
export type Options<T> = T extends readonly (infer Item)[] ? ItemOptions<Item, true> : ItemOptions<T, false>;

type PublicationFilter =
  | 'never-published'
  | 'never-published-document'
  | 'has-published-version'
  | 'has-published-version-document'
  | 'modified'
  | 'unmodified'
  | 'published-without-draft'
  | 'published-with-draft';

/** By page, by offset, or by cursor. */
export interface Paging {
  readonly page?: number;
  readonly pageSize?: number;
  readonly start?: number;
  readonly limit?: number;
  /** A cursor; empty for the first page. */
  readonly after?: string;
  readonly withCount?: boolean;
}

/** What shapes a response. */
interface Shaping<M extends Model> extends RequestOptions {
  readonly fields?: Fields<M> | undefined;
  readonly populate?: Populate<M> | `@deep:${number}` | undefined;
  readonly status?: Status | undefined;
}

/** The query of one document. */
export interface OneQuery<M extends Model> extends Shaping<M> {
  readonly locale?: string | undefined;
  readonly fallback?: boolean | undefined;
}

/** The query of a list. */
export interface ListQuery<M extends Model> extends Shaping<M> {
  readonly filters?: M['filters'] | undefined;
  readonly sort?: Sort<M> | undefined;
  readonly pagination?: Paging | undefined;
  readonly locale?: string | readonly string[] | undefined;
  readonly fallback?: boolean | undefined;
  readonly publicationFilter?: PublicationFilter | undefined;
  readonly _q?: string | undefined;
  readonly search?: string | undefined;
  readonly highlights?: boolean | undefined;
}

/** Attributes whose most frequent values a list counts. */
export interface FacetQuery<Name> {
  readonly facets?: readonly Name[] | undefined;
}

/** The query of a write. */
export interface WriteQuery<M extends Model> extends Shaping<M> {
  readonly locale?: string | undefined;
}

/** `ETag` of a read: a write without a value for it is an error. */
export interface Conditions {
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
}

type Members<S> = S extends object ? (S extends readonly unknown[] | Date ? never : S) : never;
type KeyIn<S> = Members<S> extends infer O ? (O extends unknown ? keyof O : never) : never;
type At<S, Key> =
  Members<S> extends infer O ? (O extends unknown ? (Key extends keyof O ? O[Key] : never) : never) : never;
type Items<S> = S extends readonly (infer Item)[] ? Item : never;

/** `V`, with `never` in place of each value whose name `S` does not have, at any depth. */
type Exact<V, S> = unknown extends S
  ? V
  : [S] extends [V]
    ? V
    : V extends readonly unknown[]
      ? { [Index in keyof V]: Exact<V[Index], Items<S>> }
      : V extends Date
        ? V
        : V extends object
          ? { [Key in keyof V]: Key extends KeyIn<S> ? Exact<V[Key], At<S, Key>> : never }
          : V;

/** A query whose names are all known. */
export type Checked<Q, Known> = {
  [Key in keyof Q]: Key extends keyof Known
    ? Key extends 'populate' | 'filters' | 'pagination'
      ? Exact<Q[Key], Known[Key]>
      : Q[Key]
    : never;
};
