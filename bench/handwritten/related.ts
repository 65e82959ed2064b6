/**
 * @module What articles lead to: sub-selects that make JSON lists of values, and those lists → JSON.
 */
import { iso, parsed } from './article.ts';

type Text = string | null;
type Stamps = readonly [createdAt: number, updatedAt: number, publishedAt: number];

export type Author = readonly [id: number, documentId: string, name: Text, email: Text, bio: Text, ...Stamps];
export type Tag = readonly [id: number, documentId: string, name: Text, slug: Text, ...Stamps];
export type Category = readonly [...Tag, description: Text];
export type Publisher = readonly [id: number, documentId: string, name: Text, country: Text, ...Stamps];
export type Picture = readonly [...(readonly [number, string, ...Text[]]), ...Stamps];

const STAMPS = '"created_at", "updated_at", "published_at"';
export const AUTHOR = `"id", "document_id", "name", "email", "bio", ${STAMPS}`;
export const TAG = `"id", "document_id", "name", "slug", ${STAMPS}`;
export const CATEGORY = `${TAG}, "description"`;
export const PUBLISHER = `"id", "document_id", "name", "country", ${STAMPS}`;
export const PICTURE = `"id", "document_id", "name", "alternative_text", "caption", "focal_point", "width", "height", "formats", "hash", "ext", "mime", "size", "url", "preview_url", "provider", "provider_metadata", ${STAMPS}`;

/** Published rows of `table`, under the name `as`, that links lead to from a row of the query around. */
export const related = (links: string, from: string, table: string, as: string, columns: string): string =>
  `(select json_group_array(json_array(${columns}) order by "${as}_link"."position") from "${links}" as "${as}_link" join "${table}" as "${as}" on "${as}"."document_id" = "${as}_link"."target_document_id" and "${as}"."published_at" is not null where "${as}_link"."source_document_id" = "${from}"."document_id" and "${as}_link"."status" = 'published')`;

/** The picture that a component names; the component is JSON. */
export const pictureIn = (component: string, attribute: string): string =>
  `(select json_array(${PICTURE}) from "files" where "document_id" = ${component} ->> '$.${attribute}[0].documentId' and "published_at" is not null)`;

const stampsOf = ([createdAt, updatedAt, publishedAt]: Stamps) => ({
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
  publishedAt: iso(publishedAt),
});

export const authorOf = ([id, documentId, name, email, bio, ...stamps]: Author) => ({
  id,
  documentId,
  name,
  email,
  bio,
  ...stampsOf(stamps),
});

export const tagOf = ([id, documentId, name, slug, ...stamps]: Tag) => ({
  id,
  documentId,
  name,
  slug,
  ...stampsOf(stamps),
});

export const categoryOf = ([id, documentId, name, slug, createdAt, updatedAt, publishedAt, description]: Category) => ({
  id,
  documentId,
  name,
  slug,
  description,
  ...stampsOf([createdAt, updatedAt, publishedAt]),
});

export const publisherOf = ([id, documentId, name, country, ...stamps]: Publisher) => ({
  id,
  documentId,
  name,
  country,
  ...stampsOf(stamps),
});

export const pictureOf = (row: Picture) => ({
  id: row[0],
  documentId: row[1],
  name: row[2],
  alternativeText: row[3],
  caption: row[4],
  focalPoint: parsed(row[5] as Text),
  width: row[6],
  height: row[7],
  formats: parsed(row[8] as Text),
  hash: row[9],
  ext: row[10],
  mime: row[11],
  size: row[12],
  url: row[13],
  previewUrl: row[14],
  provider: row[15],
  provider_metadata: parsed(row[16] as Text),
  createdAt: iso(row[17] as number),
  updatedAt: iso(row[18] as number),
  publishedAt: iso(row[19] as number),
});
