/**
 * @module The actions of a document: their ids, the last segments of their paths, the body of a publication.
 */
import * as z from 'zod/mini';

export const PUBLICATION_ACTIONS = ['publish', 'unpublish', 'discardDraft'] as const;
export type PublicationAction = (typeof PUBLICATION_ACTIONS)[number];

interface Publication {
  /** The version that it makes. */
  readonly makes: 'draft' | 'published';
  /** May the document have a published version afterwards? */
  readonly leavesPublished: boolean;
  /** May it be scheduled? */
  readonly isTimed: boolean;
}

export const PUBLICATIONS: Readonly<Record<PublicationAction, Publication>> = {
  publish: { makes: 'published', leavesPublished: true, isTimed: true },
  unpublish: { makes: 'draft', leavesPublished: false, isTimed: true },
  discardDraft: { makes: 'draft', leavesPublished: true, isTimed: false },
};

/** Parts respond to them. */
export const DOCUMENT_ACTIONS = [...PUBLICATION_ACTIONS, 'previewLink', 'restore'] as const;
export type DocumentAction = (typeof DOCUMENT_ACTIONS)[number];

/** `discardDraft` → `discard-draft` */
export const pathOfAction = (action: DocumentAction): string =>
  action.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const time = { offset: true, error: 'a time such as 2027-01-01T09:00:00Z' };
const at = z.iso.datetime(time).check(z.describe('A time to come: schedules the action'));
/** An empty body is `{}`; `at` is the time to publish or unpublish at. */
export const PUBLICATION_BODY = z.strictObject({
  data: z.optional(z.strictObject({ at: z.optional(at) }, { error: 'an object' })),
});
export type PublicationBody = z.output<typeof PUBLICATION_BODY>;
