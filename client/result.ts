/**
 * @module The type of a response, by `fields` and `populate` of its query.
 */
import type { Model, Of, RelationName, ScalarName } from './model.ts';

type Flat<T> = { -readonly [Key in keyof T]: T[Key] } & {};

/** Options of what is populated by a dotted text or `@deep`: what is in it is not known. */
interface Deep {
  readonly deep: true;
}

type Identity = 'id' | 'documentId';

type Named<M extends Model, Name> = '*' extends Name ? ScalarName<M> : Extract<ScalarName<M>, Name | Identity>;

/** Attributes of `fields`; of a list whose entries are not literal, each may be absent. */
type Scalars<M extends Model, F> = F extends readonly (infer Name)[]
  ? number extends F['length']
    ? Pick<M['document'], Named<M, never>> & Partial<Pick<M['document'], Named<M, Name>>>
    : Pick<M['document'], Named<M, Name>>
  : Pick<M['document'], F extends string ? Named<M, F> : ScalarName<M>>;

/** What is below `Key`, of which `O` are the options. */
type Value<M extends Model, Key extends RelationName<M>, O> = O extends false | undefined
  ? undefined
  : O extends { readonly count: true }
    ? { count: number }
    : M['populate'][Key] extends readonly (infer Target)[]
      ? Item<Target, O>[]
      : Item<M['populate'][Key], O> | null;

type Item<Target, O> = Target extends Model
  ? Shown<Target, O>
  : Target extends { readonly __component: infer Parts extends Model }
    ? Entry<'__component', Parts, O>
    : Target extends { readonly __type: infer Types extends Model }
      ? Entry<'__type', Types, O>
      : never;

/** An entry of a zone or polymorphic relation: `on` selects some types. */
type Entry<Key extends string, Parts extends Model, O> = O extends { readonly on: infer On }
  ? { [Uid in keyof On]: Typed<Key, Extract<Parts, { uid: Uid }>, On[Uid]> }[keyof On]
  : Typed<Key, Parts, O>;

type Typed<Key extends string, Part extends Model, O> = Part extends Model
  ? Flat<{ [K in Key]: Part['uid'] } & Shown<Part, O>>
  : never;

/** `author.avatar` brings the author, with something in it. */
type Paths<M extends Model, Text extends string> = {
  [Key in RelationName<M> as Key extends Text ? Key : `${Key}.` extends Heads<Text> ? Key : never]: Value<
    M,
    Key,
    `${Key}.` extends Heads<Text> ? Deep : true
  >;
};
type Heads<Text extends string> = Text extends `${infer Head}.${string}` ? `${Head}.` : never;

type Entries<M extends Model, P> = {
  [Key in keyof P & RelationName<M> as P[Key] extends false ? never : Key]: Value<M, Key, P[Key]>;
};

type CountedName<P> = { [Key in keyof P]: P[Key] extends { readonly withCount: true } ? Key : never }[keyof P];

type Counts<P> = [CountedName<P>] extends [never] ? unknown : { $counts: { [Key in CountedName<P>]: number } };

type Populated<M extends Model, P> = P extends undefined
  ? unknown
  : P extends '*'
    ? { [Key in RelationName<M>]: Value<M, Key, true> }
    : P extends `@deep${string}`
      ? { [Key in RelationName<M>]?: Value<M, Key, Deep> }
      : P extends string
        ? Paths<M, P>
        : P extends readonly (infer Text extends string)[]
          ? number extends P['length']
            ? Partial<Paths<M, Text>>
            : Paths<M, Text>
          : Entries<M, P> & Counts<P>;

type WithPreset<M extends Model, F, P> = F extends undefined ? P : Flat<Scalars<M, F> & Omit<P, ScalarName<M>>>;

type Selected<M extends Model, F, P> = P extends keyof M['presets']
  ? WithPreset<M, F, M['presets'][P]>
  : P extends unknown
    ? Flat<Scalars<M, F> & Populated<M, P>>
    : never;

/** A document or component, as options with `fields` and `populate` show it. */
export type Shown<M extends Model, O> = O extends Deep
  ? Flat<Scalars<M, undefined> & { [Key in RelationName<M>]?: unknown }>
  : Selected<M, Of<O, 'fields'>, Of<O, 'populate'>>;

type Total<G, Names extends string> = G extends { readonly withCount: false } ? unknown : { [Name in Names]: number };

/** `meta.pagination`, by the pagination that was asked for. */
export type Pagination<G> = G extends { readonly after: string }
  ? Flat<
      { limit: number; next: string | null } & (G extends { readonly withCount: true } ? { total: number } : unknown)
    >
  : G extends { readonly start: number } | { readonly limit: number }
    ? Flat<{ start: number; limit: number } & Total<G, 'total'>>
    : Flat<{ page: number; pageSize: number } & Total<G, 'pageCount' | 'total'>>;
