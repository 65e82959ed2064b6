/**
 * @module What a write asks for, and what the database has of its document: types, and which row and stages are meant.
 */
import type { ContentType, Registry } from '../../registry/model.ts';
import type { InputData } from '../../request/body.ts';
import type { Status } from '../../request/query-params.ts';
import type { Link, LinkAttribute, TargetRow } from './links.ts';
import type { RowRef, StoredValues } from './write-plan.ts';

/** What a write is about, once its parameters are read. */
export interface WriteRequest {
  /** Must required relations have a target before a document is published? */
  readonly strictRelations: boolean;
  readonly registry: Registry;
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string;
  readonly defaultLocale: string;
  /** The status that the answer shows: `published` writes the draft and publishes it. */
  readonly status: Status;
  readonly operation: 'create' | 'update';
  readonly data: InputData;
  /** What the caller sent, where `data` is more than that: errors tell no private attribute beyond it. */
  readonly sent?: InputData;
}

/** A link that is there, and whether its target may be seen in a published document. */
export interface PresentLink extends Link {
  readonly published: boolean;
  /** The version that the link belongs to. */
  readonly status: Status;
  readonly position: number;
}

/** A row of the document, its columns as stored. */
export interface Version {
  readonly documentId: string;
  readonly locale: string;
  readonly status: Status;
  readonly values: StoredValues;
  readonly updatedAt: number;
  /** Is there a published version in the same locale? */
  readonly isPublished: boolean;
}

/** What the database has of the document, read before planning. */
export interface Current {
  /** The row that is updated; absent if no row exists. */
  readonly row?: Version;
  /** Any version of the document, a published one if there is: what a new locale shares with the others. */
  readonly source?: Version;
  /** The row of the first locale by code point, in the version that input goes to. */
  readonly original?: Version;
  /** Unique attributes whose value another published document has. */
  readonly taken: ReadonlySet<string>;
  /** Values that other published documents have in components, by the key of their place. */
  readonly placed: ReadonlyMap<string, ReadonlySet<unknown>>;
  /** Rows of the documents that the body names, by uid of their type. */
  readonly targets: ReadonlyMap<string, readonly TargetRow[]>;
  /** What relations are linked to now, as far as it matters. */
  readonly links: ReadonlyMap<LinkAttribute, readonly PresentLink[]>;
  /** The same of the row of the first locale, for what locales share. */
  readonly originalLinks: ReadonlyMap<LinkAttribute, readonly PresentLink[]>;
}

/** Does the type keep drafts, so that input goes through one? */
export const drafts = (request: WriteRequest): boolean => request.type.draftAndPublish;
export const publishes = (request: WriteRequest): boolean => drafts(request) && request.status === 'published';

/** The row that input goes to: the draft, or on types without drafts the only one. */
export const writtenRow = ({ type, documentId, locale }: WriteRequest): RowRef => ({
  type,
  documentId,
  locale,
  status: type.draftAndPublish ? 'draft' : 'published',
});
