/**
 * @module The actions of publication: their ids, the last segments of their paths, their body.
 */
import * as z from 'zod/mini';

export const PUBLICATION_ACTIONS = ['publish', 'unpublish', 'discardDraft'] as const;
export type PublicationAction = (typeof PUBLICATION_ACTIONS)[number];

/** `discardDraft` → `discard-draft` */
export const pathOfAction = (action: PublicationAction): string =>
  action === 'discardDraft' ? 'discard-draft' : action;

/** An empty body is `{}`; `at` is the time to publish or unpublish at. */
export const PUBLICATION_BODY = z.strictObject({
  data: z.optional(z.strictObject({ at: z.optional(z.iso.datetime({ offset: true })) })),
});
export type PublicationBody = z.output<typeof PUBLICATION_BODY>;
