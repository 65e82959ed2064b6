/**
 * @module What the generated `content-types.d.ts` says of a content type, as far as the types of the client use it.
 */

/** The model of a content type or component, such as `ArticleModel`. */
export interface Model {
  readonly uid: string;
  /** What a response shows; what only `populate` brings is optional. */
  readonly document: object;
  readonly filters: object;
  /** What `populate` brings: a model, a list of one, or the models of a zone or polymorphic relation. */
  readonly populate: object;
  /** Documents with a preset, by its name with `@`. */
  readonly presets: object;
  /** Attributes whose values name documents. */
  readonly unique: string;
}

/** The components of a zone, or the types of a polymorphic relation. */
export type Mixed = { readonly __component: Model } | { readonly __type: Model };

/** An entry of `ContentTypes`. */
export interface ContentType {
  readonly uid: string;
  readonly kind: 'collectionType' | 'singleType';
  /** What `meta.facets` may have. */
  readonly facets: object;
  readonly create: unknown;
  readonly update: object;
  readonly action: string;
  /** Of a write without `status`, where it is not published. */
  readonly defaultStatus?: 'draft';
  readonly model: Model;
  readonly draftModel: Model;
}

/** Names of attributes that are in a response without `populate`. */
export type ScalarName<M extends Model> = Exclude<keyof M['document'], keyof M['populate'] | '$counts'> & string;

/** Names of attributes that `populate` brings. */
export type RelationName<M extends Model> = keyof M['populate'] & string;

/** The value of a key, or undefined without it. */
export type Of<O, Key extends PropertyKey> = O extends object ? (Key extends keyof O ? O[Key] : undefined) : undefined;
