/**
 * @module The types of the client: the operations of each content type.
 */
import type { Auth, Upload, UserModel, Users } from './account-types.ts';
import type { ContentType, Model, Of } from './model.ts';
import type { Checked, Conditions, FacetQuery, ListQuery, OneQuery, Paging, Status, WriteQuery } from './queries.ts';
import type { RequestOptions, Sent } from './request.ts';
import type { Pagination, Shown } from './result.ts';

/** What the generated `ContentTypes` is: an entry for each content type. */
export type ContentTypesOf<C> = { [Name in keyof C]: ContentType };

type Nothing = Record<never, never>;

type ModelFor<T extends ContentType, S> = S extends 'draft' ? T['draftModel'] : T['model'];

/** The document of a response. @typeParam Default the version that comes without `status` */
type DocumentOf<T extends ContentType, Q, Default extends Status = 'published'> = Shown<
  ModelFor<T, Of<Q, 'status'> extends infer S ? (S extends undefined ? Default : S) : never>,
  Q
>;

/** The version that a write without `status` makes. */
type Written<T extends ContentType> = T extends { readonly defaultStatus: 'draft' } ? 'draft' : 'published';

/** A response: `etag` is what `ifMatch` of a write takes. */
export interface Result<Data, Meta = object> {
  data: Data;
  meta: Meta;
  etag?: string;
}

/** The texts of a document in which the words of `search` are. */
export interface Highlight {
  documentId: string;
  locale?: string;
  /** By attribute, with the places of the words in UTF-16 units. */
  texts: { [attribute: string]: { text: string; ranges: [start: number, end: number][] }[] };
}

/** What `populate: '@deep:2'` left out: the first of these paths, and how many there are. */
type DeepMeta<Q> = Q extends { readonly populate: `@deep${string}` }
  ? { populated: { depth: number; leftOut: string[]; leftOutCount: number } }
  : object;

type ListMeta<T extends ContentType, Q> = DeepMeta<Q> & { pagination: Pagination<Of<Q, 'pagination'>> } & (Q extends {
    readonly facets: readonly (infer Name)[];
  }
    ? { facets: { [N in Name & keyof T['facets']]-?: T['facets'][N] } }
    : unknown) &
  (Q extends { readonly highlights: true } ? { highlights: Highlight[] } : unknown);

/** A body sent with `status: 'draft'`, where required attributes may be missing at any level. */
type DraftInput<T> = T extends readonly (infer Item)[]
  ? readonly DraftInput<Item>[]
  : T extends object
    ? { [Key in keyof T]?: DraftInput<T[Key]> | null }
    : T;

/** A body: without `status` it makes the version that is the default of its type. */
type Input<T extends ContentType, Data, Q> = (
  Of<Q, 'status'> extends undefined
    ? Written<T>
    : Of<Q, 'status'>
) extends 'draft'
  ? DraftInput<Data>
  : Data;

type Created<T> = T extends unknown ? Omit<T, 'id'> : never;

interface Idempotent {
  /** A repeat with the same key within a day is not written again. */
  readonly idempotencyKey?: string;
}

type CreateQuery<M extends Model> = WriteQuery<M> & Idempotent;
type UpdateQuery<M extends Model> = WriteQuery<M> & Conditions;

interface DeleteQuery extends RequestOptions, Conditions {
  /** One locale, several, or `*` for all. */
  readonly locale?: string | readonly string[];
}

/** Of an action: `at` schedules it. */
type ActionQuery<M extends Model> = UpdateQuery<M> & { readonly at?: string | Date };

/** A publication that is to come. */
export interface Scheduled {
  id: string;
  type: string;
  documentId: string | null;
  locale: string | null;
  action: 'publish' | 'unpublish';
  at: string | null;
  error: string | null;
}

type ActionResult<T extends ContentType, Q, Default extends Status> = Promise<
  Result<Q extends { readonly at: string | Date } ? Scheduled : DocumentOf<T, Q, Default>>
>;

/** A former version. */
export interface Version {
  revision: string;
  documentId: string;
  locale: string | null;
  version: Status;
  operation: string;
  at: string;
  by: { kind: string; id?: string; name?: string };
  hasValues: boolean;
}

interface HistoryQuery extends RequestOptions {
  readonly locale?: string;
  readonly pagination?: Pick<Paging, 'after' | 'limit'>;
}

interface PreviewQuery extends RequestOptions {
  readonly status?: Status;
  readonly locale?: string;
  readonly expiresIn?: string;
}

/** What each document has. `Id` is its documentId; single types have none. */
interface OneDocument<T extends ContentType, M extends Model, Id extends readonly string[]> {
  update<const Q extends UpdateQuery<M> = Nothing>(
    ...args: [...Id, data: Input<T, T['update'], Q>, options?: Q & Checked<Q, UpdateQuery<M>>]
  ): Promise<Result<DocumentOf<T, Q, Written<T>>>>;
  delete(...args: [...Id, options?: DeleteQuery]): Promise<null>;
  history(
    ...args: [...Id, options?: HistoryQuery]
  ): Promise<Result<Version[], { pagination: { limit: number; next: string | null } }>>;
  /** A former version, as it was. */
  version<const Q extends WriteQuery<M> & { readonly revision: string }>(
    ...args: [...Id, options: Q & Checked<Q, WriteQuery<M> & { readonly revision: string }>]
  ): Promise<Result<DocumentOf<T, Q, 'draft'>>>;
  restore<const Q extends UpdateQuery<M> & { readonly revision: string }>(
    ...args: [...Id, options: Q & Checked<Q, UpdateQuery<M> & { readonly revision: string }>]
  ): Promise<Result<DocumentOf<T, Q, 'draft'>>>;
  previewLink(
    ...args: [...Id, options?: PreviewQuery]
  ): Promise<Result<{ url: string; token: string; expiresAt: string }>>;
}

interface Publication<T extends ContentType, M extends Model, Id extends readonly string[]> {
  publish<const Q extends ActionQuery<M> = Nothing>(
    ...args: [...Id, options?: Q & Checked<Q, ActionQuery<M>>]
  ): ActionResult<T, Q, 'published'>;
  unpublish<const Q extends ActionQuery<M> = Nothing>(
    ...args: [...Id, options?: Q & Checked<Q, ActionQuery<M>>]
  ): ActionResult<T, Q, 'draft'>;
  discardDraft<const Q extends ActionQuery<M> = Nothing>(
    ...args: [...Id, options?: Q & Checked<Q, ActionQuery<M>>]
  ): ActionResult<T, Q, 'draft'>;
}

/** A documentId, or a unique attribute with its value. */
type Naming<M extends Model> =
  | string
  | { [Name in M['unique']]: { readonly [N in Name]: string | number } }[M['unique']];

interface ManyDocuments<T extends ContentType, M extends Model> extends OneDocument<T, M, [documentId: string]> {
  find<const Q extends FacetedQuery<T, M> = Nothing>(
    query?: Q & Checked<Q, FacetedQuery<T, M>>,
  ): Promise<Result<DocumentOf<T, Q>[], ListMeta<T, Q>>>;
  findOne<const Q extends OneQuery<M> = Nothing>(
    document: Naming<M>,
    query?: Q & Checked<Q, OneQuery<M>>,
  ): Promise<Result<DocumentOf<T, Q>, DeepMeta<Q>>>;
  create<const Q extends CreateQuery<M> = Nothing>(
    data: Input<T, T['create'], Q>,
    options?: Q & Checked<Q, CreateQuery<M>>,
  ): Promise<Result<Created<DocumentOf<T, Q, Written<T>>>>>;
  /** All documents that a list finds, page by page, by cursors. `pagination.limit` is the size of a page. */
  each<const Q extends EachQuery<M> = Nothing>(
    query?: Q & Checked<Q, EachQuery<M>>,
  ): AsyncGenerator<DocumentOf<T, Q>, void, undefined>;
}

type FacetedQuery<T extends ContentType, M extends Model> = ListQuery<M> & FacetQuery<keyof T['facets'] & string>;

type EachQuery<M extends Model> = Omit<ListQuery<M>, 'pagination' | 'highlights'> & {
  readonly pagination?: { readonly limit?: number };
};

interface SingleDocument<T extends ContentType, M extends Model> extends OneDocument<T, M, []> {
  find<const Q extends OneQuery<M> = Nothing>(
    query?: Q & Checked<Q, OneQuery<M>>,
  ): Promise<Result<DocumentOf<T, Q>, DeepMeta<Q>>>;
}

/** The operations of a content type. */
type Operations<T extends ContentType> = T['kind'] extends 'singleType'
  ? SingleDocument<T, T['model']> & Published<T, []>
  : ManyDocuments<T, T['model']> & Published<T, [documentId: string]>;

/** Types without drafts are not published. */
type Published<T extends ContentType, Id extends readonly string[]> = [T['action']] extends [never]
  ? unknown
  : Publication<T, T['model'], Id>;

type Own<Name> = Name extends 'then' | `$${string}` ? never : Name;

/** Of a batch: the type of the document in its response. */
declare const RESULT: unique symbol;

/** A request of a batch. */
export interface Recorded<Data> {
  readonly [RESULT]: Data;
}

/** A document that a batch creates: later requests may name it wherever a relation takes a documentId. */
export type Reference<Data> = string & Recorded<Data>;

interface RecordedChanges<T extends ContentType, M extends Model, Id extends readonly string[]> {
  update<const Q extends UpdateQuery<M> = Nothing>(
    ...args: [...Id, data: Input<T, T['update'], Q>, options?: Q & Checked<Q, UpdateQuery<M>>]
  ): Recorded<DocumentOf<T, Q, Written<T>>>;
  delete(...args: [...Id, options?: DeleteQuery]): Recorded<null>;
}

interface RecordedCreation<T extends ContentType, M extends Model> extends RecordedChanges<T, M, [documentId: string]> {
  create<const Q extends WriteQuery<M> = Nothing>(
    data: Input<T, T['create'], Q>,
    options?: Q & Checked<Q, WriteQuery<M>>,
  ): Reference<Created<DocumentOf<T, Q, Written<T>>>>;
}

type Recorder<T extends ContentType> = T['kind'] extends 'singleType'
  ? RecordedChanges<T, T['model'], []>
  : RecordedCreation<T, T['model']>;

/** Content types, by the path below `/api`. */
type Batch<C extends ContentTypesOf<C>> = { readonly [Name in keyof C as Own<Name>]: Recorder<C[Name]> } & {
  $type<Name extends keyof C>(name: Name): Recorder<C[Name]>;
};

type Recordings = readonly Recorded<unknown>[];

interface OwnMembers<C extends ContentTypesOf<C>, U extends Model> {
  /** The content type of any name. */
  $type<Name extends keyof C>(name: Name): Operations<C[Name]>;
  /** Carries out what `build` records in one commit, and returns the documents of what it returns; null for a delete. */
  $batch<const Steps extends Recordings>(
    build: (batch: Batch<C>) => Steps,
    options?: RequestOptions & Idempotent,
  ): Promise<{ -readonly [Index in keyof Steps]: Steps[Index] extends Recorded<infer Data> ? Data : never }>;
  readonly $upload: Upload;
  readonly $users: Users<U>;
  readonly $auth: Auth<U>;
  /** Sends a request to any path, such as a route of your own. @throws ApiError for a response that is no success */
  $fetch(path: string, options?: Sent & { readonly method?: string }): Promise<Response>;
}

/** The client of an API with these content types. */
export type Client<C extends ContentTypesOf<C>, U extends Model = UserModel> = {
  readonly [Name in keyof C as Own<Name>]: Operations<C[Name]>;
} & OwnMembers<C, U>;

/** A document of a response, such as `Document<ContentTypes, 'articles', { populate: { author: true } }>`. */
export type Document<C extends ContentTypesOf<C>, Name extends keyof C, Q = Nothing> = DocumentOf<C[Name], Q>;

/** What `find` takes: `satisfies Query<ContentTypes, 'articles'>` checks a constant. */
export type Query<C extends ContentTypesOf<C>, Name extends keyof C> = FacetedQuery<C[Name], C[Name]['model']>;
