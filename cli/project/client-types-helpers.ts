/**
 * @module The part of the client types that is the same for every project.
 */

export const HELPER_TYPES = `/** The version of a document. */
export type Status = 'published' | 'draft';

/** A required attribute has a value once published; a draft may lack it. */
export type Missing<S extends Status> = S extends 'draft' ? null : never;

/** The response of POST, unless the setting \`api.rest.createResponse\` is 'strapi'. */
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

/** A list replaces all links, as \`set\` does; an empty one changes nothing. */
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

/** A list replaces all links, as \`set\` does. */
export type ToManyInput =
  | DocumentReference
  | readonly DocumentReference[]
  | {
      connect?: Connection | readonly Connection[];
      disconnect?: DocumentReference | readonly DocumentReference[];
      set?: DocumentReference | readonly DocumentReference[];
    };

/** With its \`id\` a component keeps attributes that are not sent; without, it is new. */
export type ComponentInput<T> = T | ({ id: number } & Partial<T>);

/** A body sent with \`status=draft\`, where required attributes may be missing at any level. */
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

/** Of \`POST /api/:pluralApiId/:documentId/actions/:action\`. With \`{ data: { at } }\` it responds with what is scheduled. */
export type PublicationAction = 'publish' | 'unpublish' | 'discard-draft';

/** A scheduled publication, as \`GET /api/scheduled\` lists it. */
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

/** A value in \`meta.facets\`, and the number of documents that have it. */
export interface ValueFacet<T> {
  value: T;
  count: number;
}

/** A document in \`meta.facets\`, and the number of those that lead to it. */
export interface DocumentFacet {
  documentId: string;
  count: number;
}

/** The texts of a document in which the words of \`search\` are: \`meta.highlights\` has one for each document. */
export interface Highlight {
  documentId: string;
  locale?: string;
  /** By attribute, with the places of the words in UTF-16 units. */
  texts: { [attribute: string]: { text: string; ranges: [start: number, end: number][] }[] };
}

/** A request of \`POST /api/batch\`. In a relation, \`$ref:0\` is the documentId that request 0 creates. */
export type BatchRequest =
  | { method: 'POST'; path: \`/api/\${string}\`; body: { data: object } }
  | { method: 'PUT'; path: \`/api/\${string}\`; body: { data: object }; ifMatch?: string }
  | { method: 'DELETE'; path: \`/api/\${string}\`; ifMatch?: string };

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

/** Value of a \`blocks\` attribute. */
export type BlocksContent = BlockNode[];`;
