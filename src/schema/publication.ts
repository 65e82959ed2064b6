/**
 * @module The actions of a document: their ids, the last segments of their paths, the body of a publication.
 */
import * as z from 'zod/mini';

export const PUBLICATION_ACTIONS = ['publish', 'unpublish', 'discardDraft'] as const;
export type PublicationAction = (typeof PUBLICATION_ACTIONS)[number];

/** Parts respond to them. */
export const DOCUMENT_ACTIONS = [...PUBLICATION_ACTIONS, 'previewLink', 'restore'] as const;
export type DocumentAction = (typeof DOCUMENT_ACTIONS)[number];

/** `discardDraft` → `discard-draft` */
export const pathOfAction = (action: DocumentAction): string =>
  action.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const at = z.iso.datetime({ offset: true }).check(z.describe('A time to come: schedules the action'));
/** An empty body is `{}`; `at` is the time to publish or unpublish at. */
export const PUBLICATION_BODY = z.strictObject({ data: z.optional(z.strictObject({ at: z.optional(at) })) });
export type PublicationBody = z.output<typeof PUBLICATION_BODY>;
