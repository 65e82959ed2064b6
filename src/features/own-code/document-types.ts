/**
 * @module Types of the documents that the project's own code reads and writes, from the types that `generate` writes.
 */

import type { OPERATORS, OperatorName } from '../../content/request/operators.ts';

/** An entry of the generated `ContentTypes`. */
export interface TypeOf {
  uid: string;
  kind: string;
  document: object;
  draft: object;
  create: unknown;
  update: object;
}

/** Stands for the types of any project. */
export type AnyTypes = Record<string, TypeOf>;

/** The uids of the content types. */
export type Uid<C> = C[keyof C] extends { uid: infer U extends string } ? U : string;

export type ByUid<C, U> = Extract<C[keyof C], { uid: U }> extends infer T extends TypeOf ? T : never;

type Status = 'published' | 'draft';
type Scalar = string | number | boolean | Date;
type OneOrMany<T> = T | readonly T[];
type Name<D> = keyof D & string;
/** The document or component that an attribute shows. */
type Item<V> = NonNullable<V> extends readonly (infer I)[] ? I : NonNullable<V>;
type Populated<D> = { [N in Name<D>]: Item<D[N]> extends { id: number } ? N : never }[Name<D>];

type Operand<N extends OperatorName> = {
  one: (typeof OPERATORS)[N]['cast'] extends true ? Scalar | (N extends '$eq' | '$ne' ? null : never) : string;
  list: readonly Scalar[];
  pair: readonly [Scalar, Scalar];
  flag: boolean;
}[(typeof OPERATORS)[N]['takes']];

type Operators = { [N in OperatorName]?: Operand<N> } & { [N in `$${'and' | 'or'}`]?: readonly Operators[] } & {
  $not?: Operators;
};

type Condition<V> = OneOrMany<Scalar> | null | Operators | (Item<V> extends { id: number } ? Filters<Item<V>> : never);

type Filters<D> = { [N in Name<D>]?: Condition<D[N]> } & { [N in `$${'and' | 'or'}`]?: readonly Filters<D>[] } & {
  $not?: Filters<D>;
};

type Populate<D> =
  | '*'
  | `@${string}`
  | OneOrMany<Populated<D> | `${Populated<D>}.${string}`>
  | { [N in Populated<D>]?: boolean | '*' | PopulateOptions<Item<D[N]>> };

interface Selection<D> {
  fields?: '*' | readonly Name<D>[];
  populate?: Populate<D>;
}

interface Order<D, More extends string = never> {
  filters?: Filters<D>;
  sort?: OneOrMany<`${Name<D> | More}${'' | ':asc' | ':desc'}` | `${Populated<D>}.${string}`>;
}

/** `on` has the options of each component of a dynamic zone. */
type PopulateOptions<D> = Selection<D> &
  Order<D> & { count?: boolean; on?: object } & { limit?: number; start?: number; withCount?: boolean };

/** The parameters of the REST API as objects. */
type DocumentParams<D, S> = Selection<D> & { status?: S; locale?: string };

/** Of reads. */
type ReadParams<D, S> = DocumentParams<D, S> & { fallback?: boolean };

/** What `meta.facets` may have. */
type FacetsOf<T> = T extends { facets: infer F extends object } ? F : object;

type Pagination = { [N in 'page' | 'pageSize' | 'start' | 'limit']?: number };

type ListParams<T extends TypeOf, S> = ReadParams<T['document'], S> &
  Order<T['document'], '_rank'> & { pagination?: Pagination & { withCount?: boolean; after?: string } } & {
    _q?: string;
    search?: string;
    highlights?: boolean;
    facets?: OneOrMany<Name<FacetsOf<T>>>;
  };

type Shown<T extends TypeOf, S> = S extends 'draft' ? T['draft'] : T['document'];

type One<D> = Promise<{ data: D; meta: object }>;

type Many<D, F> = Promise<{
  data: D[];
  meta: { pagination: Pagination & { pageCount?: number; total?: number; next?: string | null }; facets?: F };
}>;

/** `Id` are the parameters before the others: the documentId, or none. */
interface Changes<T extends TypeOf, Id extends readonly string[]> {
  update<S extends Status = 'published'>(
    ...args: [...Id, params: DocumentParams<T['document'], S> & { readonly data: T['update'] }]
  ): One<Shown<T, S>>;
  /** In one locale, or in all of them with `locale: '*'`. */
  delete(...args: [...Id, params?: { readonly locale?: string }]): Promise<void>;
  publish(...args: [...Id, params?: DocumentParams<T['document'], Status>]): One<T['document']>;
  unpublish(...args: [...Id, params?: DocumentParams<T['document'], 'draft'>]): One<T['draft']>;
  discardDraft(...args: [...Id, params?: DocumentParams<T['document'], Status>]): One<T['draft']>;
}

/** Each fails like its request: a document that does not exist is a `NotFoundError`. */
export interface Collection<T extends TypeOf> extends Changes<T, [documentId: string]> {
  find<S extends Status = 'published'>(params?: ListParams<T, S>): Many<Shown<T, S>, FacetsOf<T>>;
  findOne<S extends Status = 'published'>(documentId: string, params?: ReadParams<T['document'], S>): One<Shown<T, S>>;
  create<S extends Status = 'published'>(
    params: DocumentParams<T['document'], S> & { readonly data: T['create'] },
  ): One<Shown<T, S>>;
}

export interface Single<T extends TypeOf> extends Changes<T, []> {
  find<S extends Status = 'published'>(params?: ReadParams<T['document'], S>): One<Shown<T, S>>;
}

type Operations<T extends TypeOf> = T['kind'] extends 'singleType' ? Single<T> : Collection<T>;

/** The documents of a content type, with the grants of the caller. */
export interface Documents<C> {
  <U extends Uid<C>>(uid: U): Operations<ByUid<C, U>>;
  /** The same with every grant. */
  asSystem<U extends Uid<C>>(uid: U): Operations<ByUid<C, U>>;
}
