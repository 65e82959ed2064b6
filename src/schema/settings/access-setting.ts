/**
 * @module `access` of the settings: the application of Cloudflare Access whose users sign in.
 */
import * as z from 'zod/mini';
import { textMatching } from './setting-values.ts';

const application = z.strictObject({
  /** Issues the assertions. */
  team: textMatching(
    /^https:\/\/([a-z\d-]+\.)+cloudflareaccess\.com$/,
    'the team domain, such as https://example.cloudflareaccess.com',
  ),
  audience: textMatching(/^[\da-f]{64}$/, 'the Application Audience (AUD) Tag, 64 characters of 0-9 and a-f'),
  /** The role of new users; absent: only users who are there sign in. */
  role: z.optional(z.string()),
});

export const access = z._default(z.nullable(application), null);

export type AccessApplication = z.output<typeof application>;
