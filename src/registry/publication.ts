/**
 * @module The actions of publication: their ids, the last segments of their paths, their body.
 */
import * as z from 'zod/mini';

export const PUBLICATION_ACTIONS = ['publish', 'unpublish', 'discardDraft'] as const;
export type PublicationAction = (typeof PUBLICATION_ACTIONS)[number];

/** `discardDraft` → `discard-draft` */
export const pathOfAction = (action: PublicationAction): string =>
  action === 'discardDraft' ? 'discard-draft' : action;

const TIME = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Is the day of a text in the calendar? */
function isDay(text: string): boolean {
  const day = text.slice(0, 10);
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** `z.iso.datetime` without its size. */
const time = z.string().check(z.regex(TIME), z.refine(isDay));

/** An empty body is `{}`; `at` is the time to publish or unpublish at. */
export const PUBLICATION_BODY = z.strictObject({
  data: z.optional(z.strictObject({ at: z.optional(time) })),
});
export type PublicationBody = z.output<typeof PUBLICATION_BODY>;
