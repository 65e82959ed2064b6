/**
 * @module The request of a write, and the current state of its document.
 */

import { type DocumentRef, namedDocument } from '../../../schema/document-ref.ts';
import type { ContentType, LinkAttribute, Registry } from '../../../schema/model.ts';
import type { InputData } from '../../request/body.ts';
import type { Status } from '../../request/query-params.ts';
import type { Link, TargetRow } from './links.ts';
import type { Condition } from './read-plan.ts';
import type { StoredValues, WrittenRow } from './write-plan.ts';

export interface WriteRequest {
  /** Must required relations of published documents have a target? */
  readonly strictRelations: boolean;
  /** Do errors list what Strapi reports alone and without its attribute: dates, times and missing targets? */
  readonly allIssues: boolean;
  /** Does an empty `set`, also `null`, clear every relation? In Strapi it leaves some as they are. */
  readonly emptySetClears: boolean;
  readonly registry: Registry;
  readonly type: ContentType;
  /** The document to read. */
  readonly document: DocumentRef;
  /** The documentId of what the write creates, and of the document that it changes, once that is read. */
  readonly documentId: string;
  readonly locale: string;
  readonly defaultLocale: string;
  /** The status that the response shows: `published` writes the draft and publishes it. */
  readonly status: Status;
  readonly operation: 'create' | 'update';
  readonly data: InputData;
  /** What the caller sent, if `data` is more: errors show hidden values only from here. */
  readonly sent?: InputData;
  /** The attributes whose stored values errors may show; absent: all. */
  readonly shown?: ReadonlySet<string> | undefined;
  /** Returns the condition of the rows of a type that the caller may find; undefined for all. */
  visible?(type: ContentType): Condition | undefined;
}

/** A current link. */
export interface PresentLink extends Link {
  /** Is the target published? */
  readonly published: boolean;
  /** The version that the link belongs to. */
  readonly status: Status;
  readonly position: number;
  /** Does it lead to a document that the caller may not find? */
  readonly isHidden?: true;
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
  /** The row to update; absent if no row exists. */
  readonly row?: Version;
  /** The published version in the locale of the request, if its versions were read. */
  readonly published?: Version;
  /** Any version of the document, preferably published; a new locale inherits its non-localized values. */
  readonly source?: Version;
  /** The row of the first locale by code point, in the version that the write changes. */
  readonly original?: Version;
  /** Unique attributes whose value another published document has. */
  readonly taken: ReadonlySet<string>;
  /** Values in components that other published documents have, by the key of their path. */
  readonly takenAt: ReadonlyMap<string, ReadonlySet<unknown>>;
  /** Rows of the documents that the body names, by uid of their type. */
  readonly targets: ReadonlyMap<string, readonly TargetRow[]>;
  /** The same, and those that the stored components link to, which the caller may not find. */
  readonly innerTargets: ReadonlyMap<string, readonly TargetRow[]>;
  readonly links: ReadonlyMap<LinkAttribute, readonly PresentLink[]>;
  /** The non-localized links of `original`. */
  readonly originalLinks: ReadonlyMap<LinkAttribute, readonly PresentLink[]>;
  /** The non-localized links of `source`. */
  readonly sourceLinks: ReadonlyMap<LinkAttribute, readonly PresentLink[]>;
  /** The ends, by key, whose links a publication need not copy: the draft has the same as the published version. */
  readonly equalEnds: ReadonlySet<string>;
}

/** A write request, the current state of its document, and its desired links. */
export interface ResolvedWrite extends WriteRequest {
  readonly current: Current;
  readonly planned: ReadonlyMap<LinkAttribute, readonly Link[]>;
}

/** Inputs of planning that are not pure. */
export interface WriteContext {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Returns a new id for a component instance. */
  nextId(): number;
  hashPassword(password: string): string;
}

export const drafts = (request: WriteRequest): boolean => request.type.draftAndPublish;
export const publishes = (request: WriteRequest): boolean => drafts(request) && request.status === 'published';

/** Returns the row that the write changes: the draft, or the only row on types without drafts. */
export const writtenRow = ({ type, documentId, locale }: WriteRequest): WrittenRow => ({
  type,
  document: namedDocument(documentId),
  locale,
  status: type.draftAndPublish ? 'draft' : 'published',
});
