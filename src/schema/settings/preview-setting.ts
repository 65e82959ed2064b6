/**
 * @module `preview` of the settings: the pages that show documents, and the tokens with which these read drafts.
 */
import * as z from 'zod/mini';
import { secondsOf } from './derived.ts';
import { besideOptions, duration, origin, section } from './setting-values.ts';

/** An origin that can stand in a policy of `_headers`. */
const ORIGIN = /^https?:\/\/[\w.[\]:-]+$/;

const EXPECTED = 'a URL like https://example.com/preview?slug={slug}&token={token}';

/** Returns what was expected in place of the URL; undefined for one whose origin is fixed. */
function invalidUrl(text: string): string | undefined {
  const filled = text.replaceAll(/\{\w+\}/g, 'x');
  const url = URL.canParse(filled) ? new URL(filled) : undefined;
  if ((url?.protocol !== 'https:' && url?.protocol !== 'http:') || /[{}\s]/.test(filled)) return EXPECTED;
  if (url.username !== '' || url.password !== '') return 'a URL without a user name and password';
  if (!ORIGIN.test(url.origin)) return EXPECTED;
  return /^[^/?#]*\/\/[^/?#]*\{/.test(text) ? 'a URL whose host has no placeholders' : undefined;
}

const previewUrl = z.string().check((context) => {
  const message = invalidUrl(context.value);
  if (message) context.issues.push({ code: 'custom', input: context.value, message });
});

const previewedType = z.strictObject({
  /** Absent: `preview` of the code of the project returns it. */
  url: z.optional(previewUrl),
  /** uids of the types whose drafts the page reads, too. */
  populate: z._default(z.array(z.string()), []),
});

/** Types of attributes with source maps, and the texts of files. */
const mapped = z.enum([
  ...(['biginteger', 'blocks', 'date', 'datetime', 'email', 'enumeration', 'json'] as const),
  ...(['media', 'richtext', 'string', 'text', 'time'] as const),
]);

const options = {
  /** For callers who may read drafts. */
  sourceMaps: section({ exclude: z._default(z.array(mapped), []) }),
  /** Origins of pages that Studio shows, in addition to those of `url`. */
  origins: z.optional(z.array(origin.check(z.regex(ORIGIN, 'an origin such as https://example.com')))),
  expiresIn: duration('1h'),
  maxExpiresIn: duration('1d'),
};

/** `null`: there are no previews. */
export const preview = z._default(
  z.nullable(
    besideOptions(options, previewedType).check(
      z.refine(({ expiresIn, maxExpiresIn }) => secondsOf(expiresIn) <= secondsOf(maxExpiresIn), {
        path: ['expiresIn'],
        error: 'at most maxExpiresIn',
      }),
    ),
  ),
  null,
);
