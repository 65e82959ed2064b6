/**
 * @module The body of a restoration.
 */
import * as z from 'zod/mini';

/** `revision` is an id of the history of the document. */
export const RESTORE_BODY = z.strictObject({ data: z.strictObject({ revision: z.string() }) });
