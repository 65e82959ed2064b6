/**
 * @module The body of a request for a link to a preview.
 */
import * as z from 'zod/mini';

/** A duration that is short enough for a date. */
const EXPIRES_IN = /^[1-9]\d{0,8}[smhd]$/;

/** An empty body is `{}`; `expiresIn` is a duration such as `30m`. */
export const PREVIEW_BODY = z.strictObject({
  data: z.optional(z.strictObject({ expiresIn: z.optional(z.string().check(z.regex(EXPIRES_IN))) })),
});
