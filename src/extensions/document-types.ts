/**
 * @module Types of the documents that the project's own code reads and writes, from the types that `generate` writes.
 */

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
/** The documents or components that an attribute populates. */
type Item<V> = NonNullable<V> extends readonly (infer I)[] ? I : NonNullable<V>;
type Populated<D> = { [N in Name<D>]: Item<D[N]> extends { id: number } ? N : never }[Name<D>];

type Texts = Partial<
  Record<`$${'eqi' | 'nei'}` | `$${'contains' | 'notContains' | 'startsWith' | 'endsWith'}${'' | 'i'}`, string>
>;
type Values = Partial<Record<'$eq' | '$ne' | '$lt' | '$lte' | '$gt' | '$gte', Scalar | null>>;
interface Operators extends Texts, Values {
  $in?: readonly Scalar[];
  $notIn?: readonly Scalar[];
  $between?: readonly [Scalar, Scalar];
  $null?: boolean;
  $notNull?: boolean;
  $not?: Operators;
  $and?: readonly Operators[];
  $or?: readonly Operators[];
}

type Condition<V> = OneOrMany<Scalar> | null | Operators | (Item<V> extends { id: number } ? Filters<Item<V>> : never);

export type Filters<D> = { readonly [N in Name<D>]?: Condition<D[N]> } & {
  readonly $and?: readonly Filters<D>[];
  readonly $or?: readonly Filters<D>[];
  readonly $not?: Filters<D>;
};

type Sort<D> = OneOrMany<`${Name<D>}${'' | ':asc' | ':desc'}` | `${Populated<D>}.${string}`>;

type Populate<D> =
  | '*'
  | OneOrMany<Populated<D> | `${Populated<D>}.${string}`>
  | { readonly [N in Populated<D>]?: boolean | '*' | PopulateOptions<Item<D[N]>> };

interface PopulateOptions<D> {
  readonly fields?: '*' | readonly Name<D>[];
  readonly filters?: Filters<D>;
  readonly sort?: Sort<D>;
  readonly populate?: Populate<D>;
  readonly count?: boolean;
  /** By component, of a dynamic zone. */
  readonly on?: object;
}

/** The parameters of the REST API as objects. */
export interface DocumentParams<D, S> {
  readonly fields?: '*' | readonly Name<D>[];
  readonly populate?: Populate<D>;
  readonly status?: S;
  readonly locale?: string;
}

export interface ListParams<D, S> extends DocumentParams<D, S> {
  readonly filters?: Filters<D>;
  readonly sort?: Sort<D>;
  readonly pagination?: {
    readonly page?: number;
    readonly pageSize?: number;
    readonly start?: number;
    readonly limit?: number;
    readonly withCount?: boolean;
    readonly after?: string;
  };
  readonly _q?: string;
}

type Shown<T extends TypeOf, S> = S extends 'draft' ? T['draft'] : T['document'];

interface One<D> {
  readonly data: D;
  readonly meta: object;
}

interface Many<D> {
  readonly data: readonly D[];
  readonly meta: {
    readonly pagination: {
      readonly page?: number;
      readonly pageSize?: number;
      readonly pageCount?: number;
      readonly start?: number;
      readonly limit?: number;
      readonly total?: number;
      readonly after?: string | null;
    };
  };
}

/** `Id` are the parameters before the others: the documentId, or none. */
interface Changes<T extends TypeOf, Id extends readonly string[]> {
  update<S extends Status = 'published'>(
    ...args: [...Id, params: DocumentParams<T['document'], S> & { readonly data: T['update'] }]
  ): Promise<One<Shown<T, S>>>;
  /** In one locale, or in all of them with `locale: '*'`. */
  delete(...args: [...Id, params?: { readonly locale?: string }]): Promise<void>;
  publish(...args: [...Id, params?: DocumentParams<T['document'], Status>]): Promise<One<T['document']>>;
  unpublish(...args: [...Id, params?: DocumentParams<T['document'], 'draft'>]): Promise<One<T['draft']>>;
  discardDraft(...args: [...Id, params?: DocumentParams<T['document'], Status>]): Promise<One<T['draft']>>;
}

/** Each fails like its request: a document that does not exist is a `NotFoundError`. */
export interface Collection<T extends TypeOf> extends Changes<T, [documentId: string]> {
  find<S extends Status = 'published'>(params?: ListParams<T['document'], S>): Promise<Many<Shown<T, S>>>;
  findOne<S extends Status = 'published'>(
    documentId: string,
    params?: DocumentParams<T['document'], S>,
  ): Promise<One<Shown<T, S>>>;
  create<S extends Status = 'published'>(
    params: DocumentParams<T['document'], S> & { readonly data: T['create'] },
  ): Promise<One<Shown<T, S>>>;
}

export interface Single<T extends TypeOf> extends Changes<T, []> {
  find<S extends Status = 'published'>(params?: DocumentParams<T['document'], S>): Promise<One<Shown<T, S>>>;
}

type Operations<T extends TypeOf> = T['kind'] extends 'singleType' ? Single<T> : Collection<T>;

/** The documents of a content type, with the grants of the caller. */
export interface Documents<C> {
  <U extends Uid<C>>(uid: U): Operations<ByUid<C, U>>;
  /** The same with every grant. */
  asSystem<U extends Uid<C>>(uid: U): Operations<ByUid<C, U>>;
}
