// Generated from content-types/ by `npx edgewise generate`: edits to this file are lost.

/** The version of a document. */
export type Status = 'published' | 'draft';

/** A required attribute has a value once published; a draft may lack it. */
export type Missing<S extends Status> = S extends 'draft' ? null : never;

/** The response of POST, unless the setting `api.rest.createResponse` is 'strapi'. */
export type Created<T extends { id: number }> = Omit<T, 'id'>;

/** A document, by documentId or by the numeric id of one of its versions. */
export type DocumentReference = string | number | { documentId: string; locale?: string } | { id: number };

/** Where a connected document goes; by default at the end. */
export type Position = { before: string } | { after: string } | { start: true } | { end: true };

export type Connection =
  | DocumentReference
  | { documentId: string; locale?: string; position?: Position }
  | { id: number; position?: Position };

/** A document of a polymorphic relation, with the uid of its type. */
export type TypedReference = { __type: string; locale?: string; position?: Position & { __type?: string } } & (
  | { documentId: string }
  | { id: number }
);

/** A list replaces all links, as `set` does; an empty one changes nothing. */
export type TypedInput =
  | readonly TypedReference[]
  | { connect?: readonly TypedReference[]; disconnect?: readonly TypedReference[]; set?: readonly TypedReference[] };

export type ToOneInput =
  | DocumentReference
  | {
      connect?: DocumentReference | readonly DocumentReference[];
      disconnect?: DocumentReference | readonly DocumentReference[];
      set?: DocumentReference | readonly DocumentReference[] | null;
    };

/** A list replaces all links, as `set` does. */
export type ToManyInput =
  | DocumentReference
  | readonly DocumentReference[]
  | {
      connect?: Connection | readonly Connection[];
      disconnect?: DocumentReference | readonly DocumentReference[];
      set?: DocumentReference | readonly DocumentReference[];
    };

/** With its `id` a component keeps attributes that are not sent; without, it is new. */
export type ComponentInput<T> = T | ({ id: number } & Partial<T>);

/** A body sent with `status=draft`, where required attributes may be missing at any level. */
export type DraftInput<T> = T extends readonly (infer Item)[]
  ? readonly DraftInput<Item>[]
  : T extends object
    ? { [Key in keyof T]?: DraftInput<T[Key]> | null }
    : T;

/** Operators of every attribute. */
export interface ValueOperators<T> {
  $eq?: T;
  $ne?: T;
  $in?: readonly T[];
  $notIn?: readonly T[];
  $null?: boolean;
  $notNull?: boolean;
}

/** Operators of values with an order. */
export interface OrderOperators<T> extends ValueOperators<T> {
  $lt?: T;
  $lte?: T;
  $gt?: T;
  $gte?: T;
  $between?: readonly [T, T];
}

/** Operators of texts. */
export interface TextOperators<T> extends OrderOperators<T> {
  $eqi?: string;
  $nei?: string;
  $contains?: string;
  $notContains?: string;
  $containsi?: string;
  $notContainsi?: string;
  $startsWith?: string;
  $startsWithi?: string;
  $endsWith?: string;
  $endsWithi?: string;
}

/** A value (equal), a list (one of it), or operators that all hold. */
export type Filter<T, Operators> = T | readonly T[] | (Operators & { $not?: Filter<T, Operators> });

export type TextFilter<T extends string = string> = Filter<T, TextOperators<T>>;
export type NumberFilter = Filter<number, OrderOperators<number>>;
export type BigintegerFilter = Filter<string | number | bigint, OrderOperators<string | number | bigint>>;
export type BooleanFilter = Filter<boolean, ValueOperators<boolean>>;
export type DateFilter = Filter<string | Date, OrderOperators<string | Date>>;
export type DatetimeFilter = Filter<string | number | Date, OrderOperators<string | number | Date>>;
export type TimeFilter = Filter<string, OrderOperators<string>>;

/** The numeric id of a related version, or whether there is any. */
export type RelationFilter = number | { $null?: boolean; $notNull?: boolean };

/** Combines filters of one content type. */
export interface FilterGroups<T> {
  $and?: readonly T[];
  $or?: readonly T[];
  $not?: T;
}

/** A document that uses a file. */
export interface FileUseModel {
  uid: '';
  document: { readonly documentId: string; readonly __type: string };
  filters: object;
  populate: object;
  presets: object;
  unique: never;
}

/** Of `POST /api/:pluralApiId/:documentId/actions/:action`. With `{ data: { at } }` it responds with what is scheduled. */
export type PublicationAction = 'publish' | 'unpublish' | 'discard-draft';

/** A scheduled publication, as `GET /api/scheduled` lists it. */
export interface ScheduledPublication {
  id: string;
  type: string;
  /** null for a single type. */
  documentId: string | null;
  locale: string | null;
  action: 'publish' | 'unpublish';
  /** null once it has failed. */
  at: string | null;
  error: string | null;
}

/** A value in `meta.facets`, and the number of documents that have it. */
export interface ValueFacet<T> {
  value: T;
  count: number;
}

/** A document in `meta.facets`, and the number of those that lead to it. */
export interface DocumentFacet {
  documentId: string;
  count: number;
}

/** The texts of a document in which the words of `search` are: `meta.highlights` has one for each document. */
export interface Highlight {
  documentId: string;
  locale?: string;
  /** By attribute, with the places of the words in UTF-16 units. */
  texts: { [attribute: string]: { text: string; ranges: [start: number, end: number][] }[] };
}

/** A request of `POST /api/batch`. In a relation, `$ref:0` is the documentId that request 0 creates. */
export type BatchRequest =
  | { method: 'POST'; path: `/api/${string}`; body: { data: object } }
  | { method: 'PUT'; path: `/api/${string}`; body: { data: object }; ifMatch?: string }
  | { method: 'DELETE'; path: `/api/${string}`; ifMatch?: string };

/** The responses to the requests, in order. */
export interface BatchResponse {
  data: { status: 200 | 201 | 204; body: { data: { documentId: string }; meta: object } | null }[];
}

/** One size of a picture. */
export interface FileFormat {
  name: string;
  hash: string;
  ext: string;
  mime: string;
  path: string | null;
  width: number;
  height: number;
  size: number;
  sizeInBytes?: number;
  url: string;
}

export interface TextNode {
  type: 'text';
  text: string;
  bold?: boolean;
  italic?: boolean;
  underline?: boolean;
  strikethrough?: boolean;
  code?: boolean;
}

export interface LinkNode {
  type: 'link';
  url: string;
  rel?: string;
  target?: string;
  children: TextNode[];
}

export type InlineNode = TextNode | LinkNode;

export interface ListItemNode {
  type: 'list-item';
  children: InlineNode[];
}

export interface ListNode {
  type: 'list';
  format: 'ordered' | 'unordered';
  indentLevel?: number;
  children: (ListItemNode | ListNode)[];
}

export type BlockNode =
  | { type: 'paragraph'; children: InlineNode[] }
  | { type: 'heading'; level: 1 | 2 | 3 | 4 | 5 | 6; children: InlineNode[] }
  | { type: 'quote'; children: InlineNode[] }
  | { type: 'code'; language?: string; children: InlineNode[] }
  | {
      type: 'image';
      image: {
        name: string;
        alternativeText?: string | null;
        url: string;
        caption?: string | null;
        width: number;
        height: number;
        formats?: { [size: string]: FileFormat } | null;
        hash: string;
        ext: string;
        mime: string;
        size: number;
        previewUrl?: string | null;
        provider: string;
        provider_metadata?: unknown;
        createdAt: string;
        updatedAt: string;
      };
      children: TextNode[];
    }
  | ListNode;

/** Value of a `blocks` attribute. */
export type BlocksContent = BlockNode[];

/** Article: What the magazine prints */
export interface Article<S extends Status = 'published'> {
  id: number;
  documentId: string;
  title: string | Missing<S>;
  slug: string | Missing<S>;
  summary: string | null;
  body: string | null;
  format: 'essay' | 'interview' | 'report' | 'review' | null;
  issueDate: string | null;
  readingMinutes: number | null;
  rating: number | null;
  featured: boolean | null;
  keywords: unknown;
  cover?: UploadFile<S> | null;
  gallery?: UploadFile<S>[];
  author?: Author<S> | null;
  categories?: Category<S>[];
  related?: Article<S>[];
  seo?: SharedSeo<S> | null;
  sections?: (({ __component: 'content.text' } & ContentText<S>) | ({ __component: 'content.quote' } & ContentQuote<S>) | ({ __component: 'content.picture' } & ContentPicture<S>))[];
  createdAt: string;
  updatedAt: string;
  publishedAt: S extends 'draft' ? null : string;
  $counts?: { gallery?: number; categories?: number; related?: number };
}

/** Author: Who writes for the magazine */
export interface Author<S extends Status = 'published'> {
  id: number;
  documentId: string;
  name: string;
  slug: string;
  bio: BlocksContent | null;
  born: string | null;
  wordsWritten: string | null;
  avatar?: UploadFile<S> | null;
  links?: SharedLink<S>[];
  articles?: Article<S>[];
  createdAt: string;
  updatedAt: string;
  publishedAt: string;
  $counts?: { articles?: number };
}

/** Category */
export interface Category<S extends Status = 'published'> {
  id: number;
  documentId: string;
  name: string;
  slug: string;
  description: string | null;
  color: string | null;
  position: number | null;
  articles?: Article<S>[];
  createdAt: string;
  updatedAt: string;
  publishedAt: string;
  locale: string;
  localizations?: Category<S>[];
  $counts?: { articles?: number; localizations?: number };
}

/** Homepage */
export interface Homepage<S extends Status = 'published'> {
  id: number;
  documentId: string;
  headline: string;
  intro: string | null;
  issueNumber: number | null;
  closesAt: string | null;
  opensDaily: string | null;
  highlights?: Article<S>[];
  seo?: SharedSeo<S> | null;
  createdAt: string;
  updatedAt: string;
  publishedAt: string;
  $counts?: { highlights?: number };
}

/** file */
export interface UploadFile<S extends Status = 'published'> {
  id: number;
  documentId: string;
  name: string;
  alternativeText: string | null;
  caption: string | null;
  focalPoint: { x: number; y: number } | null;
  width: number | null;
  height: number | null;
  formats: { [size: string]: FileFormat } | null;
  hash: string;
  ext: string | null;
  mime: string;
  size: number;
  url: string;
  previewUrl: string | null;
  provider: string;
  provider_metadata: unknown;
  related?: ({ readonly documentId: string; readonly __type: string })[];
  createdAt: string;
  updatedAt: string;
  publishedAt: string;
}

/** folder */
export interface UploadFolder<S extends Status = 'published'> {
  id: number;
  documentId: string;
  name: string;
  pathId: number;
  path: string;
  createdAt: string;
  updatedAt: string;
  publishedAt: string;
}

/** role */
export interface UsersPermissionsRole<S extends Status = 'published'> {
  id: number;
  documentId: string;
  name: string;
  description: string | null;
  type: string | null;
  createdAt: string;
  updatedAt: string;
  publishedAt: string;
}

/** user */
export interface UsersPermissionsUser<S extends Status = 'published'> {
  id: number;
  documentId: string;
  username: string;
  email: string;
  provider: string | null;
  confirmed: boolean | null;
  blocked: boolean | null;
  role?: UsersPermissionsRole<S> | null;
  createdAt: string;
  updatedAt: string;
  publishedAt: string;
}

/** Picture */
export interface ContentPicture<S extends Status = 'published'> {
  id: number;
  file?: UploadFile<S> | null;
  caption: string | null;
  width: 'column' | 'page' | null;
}

/** Quote */
export interface ContentQuote<S extends Status = 'published'> {
  id: number;
  text: string | Missing<S>;
  speaker: string | null;
  source?: SharedLink<S> | null;
}

/** Text */
export interface ContentText<S extends Status = 'published'> {
  id: number;
  body: string | Missing<S>;
}

/** Link */
export interface SharedLink<S extends Status = 'published'> {
  id: number;
  label: string | Missing<S>;
  url: string | Missing<S>;
}

/** SEO */
export interface SharedSeo<S extends Status = 'published'> {
  id: number;
  metaTitle: string | Missing<S>;
  metaDescription: string | null;
  noIndex: boolean | null;
  shareImage?: UploadFile<S> | null;
}

/** Data of a new, published Article */
export interface ArticleInput {
  title: string;
  slug: string;
  summary?: string | null;
  body?: string | null;
  format?: 'essay' | 'interview' | 'report' | 'review' | null;
  issueDate?: string | null;
  readingMinutes?: number | null;
  rating?: number | null;
  featured?: boolean | null;
  keywords?: unknown;
  editorNotes?: string | null;
  cover?: ToOneInput | null;
  gallery?: ToManyInput | null;
  author?: ToOneInput | null;
  categories?: ToManyInput | null;
  related?: ToManyInput | null;
  seo?: ComponentInput<SharedSeoInput> | null;
  sections?: readonly (({ __component: 'content.text' } & ComponentInput<ContentTextInput>) | ({ __component: 'content.quote' } & ComponentInput<ContentQuoteInput>) | ({ __component: 'content.picture' } & ComponentInput<ContentPictureInput>))[];
}

/** Data of a new, published Author */
export interface AuthorInput {
  name: string;
  slug: string;
  email?: string | null;
  bio?: BlocksContent | null;
  born?: string | null;
  wordsWritten?: string | number | null;
  avatar?: ToOneInput | null;
  links?: readonly ComponentInput<SharedLinkInput>[];
  articles?: ToManyInput | null;
}

/** Data of a new, published Category */
export interface CategoryInput {
  name: string;
  slug: string;
  description?: string | null;
  color?: string | null;
  position?: number | null;
  articles?: ToManyInput | null;
}

/** Data of a new, published Homepage */
export interface HomepageInput {
  headline: string;
  intro?: string | null;
  issueNumber?: number | null;
  closesAt?: string | number | null;
  opensDaily?: string | null;
  highlights?: ToManyInput | null;
  seo?: ComponentInput<SharedSeoInput> | null;
}

/** A new ContentPicture in a body */
export interface ContentPictureInput {
  file: ToOneInput;
  caption?: string | null;
  width?: 'column' | 'page' | null;
}

/** A new ContentQuote in a body */
export interface ContentQuoteInput {
  text: string;
  speaker?: string | null;
  source?: ComponentInput<SharedLinkInput> | null;
}

/** A new ContentText in a body */
export interface ContentTextInput {
  body: string;
}

/** A new SharedLink in a body */
export interface SharedLinkInput {
  label: string;
  url: string;
}

/** A new SharedSeo in a body */
export interface SharedSeoInput {
  metaTitle: string;
  metaDescription?: string | null;
  noIndex?: boolean | null;
  shareImage?: ToOneInput | null;
}

/** A document with `populate=@card`. */
export type Article_card<S extends Status = 'published'> = (Pick<Article<S>, "id" | "documentId" | "title" | "slug"> & { "cover": UploadFile<S> | null; "author": (Pick<Author<S>, "id" | "documentId" | "name"> & { "avatar": UploadFile<S> | null }) | null });

/** A document with `populate=@byline`. */
export type Author_byline<S extends Status = 'published'> = (Pick<Author<S>, "id" | "documentId" | "name"> & { "avatar": UploadFile<S> | null });

/** Filters of Article */
export interface ArticleFilters extends FilterGroups<ArticleFilters> {
  id?: NumberFilter;
  documentId?: TextFilter;
  title?: TextFilter;
  slug?: TextFilter;
  summary?: TextFilter;
  body?: TextFilter;
  format?: TextFilter<'essay' | 'interview' | 'report' | 'review'>;
  issueDate?: DateFilter;
  readingMinutes?: NumberFilter;
  rating?: NumberFilter;
  featured?: BooleanFilter;
  keywords?: TextFilter;
  cover?: UploadFileFilters | RelationFilter;
  gallery?: UploadFileFilters | RelationFilter;
  author?: AuthorFilters | RelationFilter;
  categories?: CategoryFilters | RelationFilter;
  related?: ArticleFilters | RelationFilter;
  seo?: SharedSeoFilters | RelationFilter;
  createdAt?: DatetimeFilter;
  updatedAt?: DatetimeFilter;
  publishedAt?: DatetimeFilter;
}

/** Filters of Author */
export interface AuthorFilters extends FilterGroups<AuthorFilters> {
  id?: NumberFilter;
  documentId?: TextFilter;
  name?: TextFilter;
  slug?: TextFilter;
  bio?: TextFilter;
  born?: DateFilter;
  wordsWritten?: BigintegerFilter;
  avatar?: UploadFileFilters | RelationFilter;
  links?: SharedLinkFilters | RelationFilter;
  articles?: ArticleFilters | RelationFilter;
  createdAt?: DatetimeFilter;
  updatedAt?: DatetimeFilter;
  publishedAt?: DatetimeFilter;
}

/** Filters of Category */
export interface CategoryFilters extends FilterGroups<CategoryFilters> {
  id?: NumberFilter;
  documentId?: TextFilter;
  name?: TextFilter;
  slug?: TextFilter;
  description?: TextFilter;
  color?: TextFilter;
  position?: NumberFilter;
  articles?: ArticleFilters | RelationFilter;
  createdAt?: DatetimeFilter;
  updatedAt?: DatetimeFilter;
  publishedAt?: DatetimeFilter;
  locale?: TextFilter;
  localizations?: CategoryFilters | RelationFilter;
}

/** Filters of Homepage */
export interface HomepageFilters extends FilterGroups<HomepageFilters> {
  id?: NumberFilter;
  documentId?: TextFilter;
  headline?: TextFilter;
  intro?: TextFilter;
  issueNumber?: NumberFilter;
  closesAt?: DatetimeFilter;
  opensDaily?: TimeFilter;
  highlights?: ArticleFilters | RelationFilter;
  seo?: SharedSeoFilters | RelationFilter;
  createdAt?: DatetimeFilter;
  updatedAt?: DatetimeFilter;
  publishedAt?: DatetimeFilter;
}

/** Filters of UploadFile */
export interface UploadFileFilters extends FilterGroups<UploadFileFilters> {
  id?: NumberFilter;
  documentId?: TextFilter;
  name?: TextFilter;
  alternativeText?: TextFilter;
  caption?: TextFilter;
  focalPoint?: TextFilter;
  width?: NumberFilter;
  height?: NumberFilter;
  formats?: TextFilter;
  hash?: TextFilter;
  ext?: TextFilter;
  mime?: TextFilter;
  size?: NumberFilter;
  url?: TextFilter;
  previewUrl?: TextFilter;
  provider?: TextFilter;
  provider_metadata?: TextFilter;
  createdAt?: DatetimeFilter;
  updatedAt?: DatetimeFilter;
  publishedAt?: DatetimeFilter;
}

/** Filters of UploadFolder */
export interface UploadFolderFilters extends FilterGroups<UploadFolderFilters> {
  id?: NumberFilter;
  documentId?: TextFilter;
  name?: TextFilter;
  pathId?: NumberFilter;
  path?: TextFilter;
  createdAt?: DatetimeFilter;
  updatedAt?: DatetimeFilter;
  publishedAt?: DatetimeFilter;
}

/** Filters of UsersPermissionsRole */
export interface UsersPermissionsRoleFilters extends FilterGroups<UsersPermissionsRoleFilters> {
  id?: NumberFilter;
  documentId?: TextFilter;
  name?: TextFilter;
  description?: TextFilter;
  type?: TextFilter;
  createdAt?: DatetimeFilter;
  updatedAt?: DatetimeFilter;
  publishedAt?: DatetimeFilter;
}

/** Filters of UsersPermissionsUser */
export interface UsersPermissionsUserFilters extends FilterGroups<UsersPermissionsUserFilters> {
  id?: NumberFilter;
  documentId?: TextFilter;
  username?: TextFilter;
  email?: TextFilter;
  provider?: TextFilter;
  confirmed?: BooleanFilter;
  blocked?: BooleanFilter;
  role?: UsersPermissionsRoleFilters | RelationFilter;
  createdAt?: DatetimeFilter;
  updatedAt?: DatetimeFilter;
  publishedAt?: DatetimeFilter;
}

/** Filters of ContentPicture */
export interface ContentPictureFilters extends FilterGroups<ContentPictureFilters> {
  id?: NumberFilter;
  file?: UploadFileFilters | RelationFilter;
  caption?: TextFilter;
  width?: TextFilter<'column' | 'page'>;
}

/** Filters of ContentQuote */
export interface ContentQuoteFilters extends FilterGroups<ContentQuoteFilters> {
  id?: NumberFilter;
  text?: TextFilter;
  speaker?: TextFilter;
  source?: SharedLinkFilters | RelationFilter;
}

/** Filters of ContentText */
export interface ContentTextFilters extends FilterGroups<ContentTextFilters> {
  id?: NumberFilter;
  body?: TextFilter;
}

/** Filters of SharedLink */
export interface SharedLinkFilters extends FilterGroups<SharedLinkFilters> {
  id?: NumberFilter;
  label?: TextFilter;
  url?: TextFilter;
}

/** Filters of SharedSeo */
export interface SharedSeoFilters extends FilterGroups<SharedSeoFilters> {
  id?: NumberFilter;
  metaTitle?: TextFilter;
  metaDescription?: TextFilter;
  noIndex?: BooleanFilter;
  shareImage?: UploadFileFilters | RelationFilter;
}

/** What queries of Article may name, and what they bring */
export interface ArticleModel<S extends Status = 'published'> {
  uid: 'api::article.article';
  document: Article<S>;
  filters: ArticleFilters;
  populate: { cover: UploadFileModel<S>; gallery: UploadFileModel<S>[]; author: AuthorModel<S>; categories: CategoryModel<S>[]; related: ArticleModel<S>[]; seo: SharedSeoModel<S>; sections: ({ __component: ContentTextModel<S> | ContentQuoteModel<S> | ContentPictureModel<S> })[] };
  presets: { '@card': Article_card<S> };
  unique: 'slug';
}

/** What queries of Author may name, and what they bring */
export interface AuthorModel<S extends Status = 'published'> {
  uid: 'api::author.author';
  document: Author<S>;
  filters: AuthorFilters;
  populate: { avatar: UploadFileModel<S>; links: SharedLinkModel<S>[]; articles: ArticleModel<S>[] };
  presets: { '@byline': Author_byline<S> };
  unique: 'slug';
}

/** What queries of Category may name, and what they bring */
export interface CategoryModel<S extends Status = 'published'> {
  uid: 'api::category.category';
  document: Category<S>;
  filters: CategoryFilters;
  populate: { articles: ArticleModel<S>[]; localizations: CategoryModel<S>[] };
  presets: {  };
  unique: 'name' | 'slug';
}

/** What queries of Homepage may name, and what they bring */
export interface HomepageModel<S extends Status = 'published'> {
  uid: 'api::homepage.homepage';
  document: Homepage<S>;
  filters: HomepageFilters;
  populate: { highlights: ArticleModel<S>[]; seo: SharedSeoModel<S> };
  presets: {  };
  unique: never;
}

/** What queries of UploadFile may name, and what they bring */
export interface UploadFileModel<S extends Status = 'published'> {
  uid: 'plugin::upload.file';
  document: UploadFile<S>;
  filters: UploadFileFilters;
  populate: { related: FileUseModel[] };
  presets: {  };
  unique: never;
}

/** What queries of UploadFolder may name, and what they bring */
export interface UploadFolderModel<S extends Status = 'published'> {
  uid: 'plugin::upload.folder';
  document: UploadFolder<S>;
  filters: UploadFolderFilters;
  populate: {  };
  presets: {  };
  unique: never;
}

/** What queries of UsersPermissionsRole may name, and what they bring */
export interface UsersPermissionsRoleModel<S extends Status = 'published'> {
  uid: 'plugin::users-permissions.role';
  document: UsersPermissionsRole<S>;
  filters: UsersPermissionsRoleFilters;
  populate: {  };
  presets: {  };
  unique: never;
}

/** What queries of UsersPermissionsUser may name, and what they bring */
export interface UsersPermissionsUserModel<S extends Status = 'published'> {
  uid: 'plugin::users-permissions.user';
  document: UsersPermissionsUser<S>;
  filters: UsersPermissionsUserFilters;
  populate: { role: UsersPermissionsRoleModel<S> };
  presets: {  };
  unique: never;
}

/** What queries of ContentPicture may name, and what they bring */
export interface ContentPictureModel<S extends Status = 'published'> {
  uid: 'content.picture';
  document: ContentPicture<S>;
  filters: ContentPictureFilters;
  populate: { file: UploadFileModel<S> };
  presets: {  };
  unique: never;
}

/** What queries of ContentQuote may name, and what they bring */
export interface ContentQuoteModel<S extends Status = 'published'> {
  uid: 'content.quote';
  document: ContentQuote<S>;
  filters: ContentQuoteFilters;
  populate: { source: SharedLinkModel<S> };
  presets: {  };
  unique: never;
}

/** What queries of ContentText may name, and what they bring */
export interface ContentTextModel<S extends Status = 'published'> {
  uid: 'content.text';
  document: ContentText<S>;
  filters: ContentTextFilters;
  populate: {  };
  presets: {  };
  unique: never;
}

/** What queries of SharedLink may name, and what they bring */
export interface SharedLinkModel<S extends Status = 'published'> {
  uid: 'shared.link';
  document: SharedLink<S>;
  filters: SharedLinkFilters;
  populate: {  };
  presets: {  };
  unique: never;
}

/** What queries of SharedSeo may name, and what they bring */
export interface SharedSeoModel<S extends Status = 'published'> {
  uid: 'shared.seo';
  document: SharedSeo<S>;
  filters: SharedSeoFilters;
  populate: { shareImage: UploadFileModel<S> };
  presets: {  };
  unique: never;
}

/** What is served at /api/<key>, and what POST, PUT and actions take there. */
export interface ContentTypes {
  articles: { uid: 'api::article.article'; kind: 'collectionType'; document: Article; draft: Article<'draft'>; facets: { title?: ValueFacet<string>[]; format?: ValueFacet<'essay' | 'interview' | 'report' | 'review'>[]; readingMinutes?: ValueFacet<number>[]; featured?: ValueFacet<boolean>[]; author?: DocumentFacet[]; categories?: DocumentFacet[]; related?: DocumentFacet[] }; create: ArticleInput; update: Partial<ArticleInput>; action: PublicationAction; model: ArticleModel; draftModel: ArticleModel<'draft'> };
  authors: { uid: 'api::author.author'; kind: 'collectionType'; document: Author; draft: Author<'draft'>; facets: { name?: ValueFacet<string>[]; articles?: DocumentFacet[] }; create: AuthorInput; update: Partial<AuthorInput>; action: never; model: AuthorModel; draftModel: AuthorModel<'draft'> };
  categories: { uid: 'api::category.category'; kind: 'collectionType'; document: Category; draft: Category<'draft'>; facets: { name?: ValueFacet<string>[]; color?: ValueFacet<string>[]; position?: ValueFacet<number>[]; articles?: DocumentFacet[]; locale?: ValueFacet<string>[] }; create: CategoryInput; update: Partial<CategoryInput>; action: never; model: CategoryModel; draftModel: CategoryModel<'draft'> };
  homepage: { uid: 'api::homepage.homepage'; kind: 'singleType'; document: Homepage; draft: Homepage<'draft'>; facets: never; create: never; update: Partial<HomepageInput>; action: never; model: HomepageModel; draftModel: HomepageModel<'draft'> };
}
