/**
 * @module What this server has, and what the caller may do with it.
 */
import type { Attribute, Attributes } from './attribute.ts';

export interface ContentType {
  readonly uid: string;
  readonly kind: 'collectionType' | 'singleType';
  readonly name: string;
  /** The part of the path after `/api/`. */
  readonly segment: string;
  readonly path: string;
  readonly hasDrafts: boolean;
  readonly isLocalized: boolean;
  /** Types of plugins: users, roles and files. */
  readonly isSystem: boolean;
  readonly attributes: Attributes;
  /** What the caller may do here: ids without the uid, such as `find` and `readDrafts`. Without writes in read-only mode. */
  readonly actions: ReadonlySet<string>;
  /** Names in responses, in a body of `create`, and in one of `update`. */
  readonly shown: ReadonlySet<string>;
  readonly creatable: ReadonlySet<string>;
  readonly updatable: ReadonlySet<string>;
  /** The attribute whose value names a document in lists and links. */
  readonly titleAttribute: string;
}

export interface Component {
  readonly name: string;
  readonly attributes: Attributes;
}

export interface Model {
  readonly types: ReadonlyMap<string, ContentType>;
  readonly components: ReadonlyMap<string, Component>;
  /** Names of the locales by their codes. */
  readonly locales: Readonly<Record<string, string>>;
  readonly defaultLocale: string | undefined;
  /** Whether the caller may send the request, such as `('post', '/api/upload')`. */
  readonly may: (method: string, path: string) => boolean;
  /** The description that all of this was read from. */
  readonly description: OpenApi;
  /** The setting `studio: 'read-only'`: nothing is written from here. */
  readonly isReadOnly: boolean;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
}

/** A value of an attribute or a whole document, as the API sends it. */
export type Values = Readonly<Record<string, unknown>>;

export interface Document extends Values {
  readonly documentId: string;
  readonly id?: number;
  readonly locale?: string | null;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly publishedAt?: string | null;
}

/** The content types of the project that the caller may see, in the order of their names. */
export const ownTypes = ({ types }: Model): readonly ContentType[] =>
  [...types.values()].filter(({ isSystem }) => !isSystem).sort((a, b) => a.name.localeCompare(b.name));

export const typeOfSegment = (model: Model, segment: string): ContentType | undefined =>
  ownTypes(model).find((type) => type.segment === segment);

/** The screen of a document. */
export function screenOf({ kind, segment }: ContentType, documentId: string | null, locale?: string | null): string {
  const path = kind === 'singleType' ? `/content/${segment}` : `/content/${segment}/${documentId}`;
  return locale ? `${path}?locale=${encodeURIComponent(locale)}` : path;
}

const MOST_OF_TITLE = 200;

/** Returns what names a document: the value of its title attribute, else its `documentId`. */
export function titleOf(type: ContentType | undefined, document: Values): string {
  const value = type && Object.hasOwn(document, type.titleAttribute) ? document[type.titleAttribute] : undefined;
  return value === undefined || value === null || value === ''
    ? String(document.documentId ?? document.id)
    : String(value).slice(0, MOST_OF_TITLE);
}

export const isAttributeLocalized = (type: ContentType, { type: kind, pluginOptions }: Attribute): boolean =>
  type.isLocalized && (kind === 'uid' || kind === 'relation' || pluginOptions?.i18n?.localized === true);

/** The version that lists and forms show: the draft where there are drafts that the caller may read. */
export const editedStatus = ({ hasDrafts, actions }: ContentType): 'draft' | 'published' =>
  hasDrafts && actions.has('readDrafts') ? 'draft' : 'published';
