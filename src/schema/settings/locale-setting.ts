/**
 * @module `i18n.locales` of the settings.
 */
import * as z from 'zod/mini';
import { flag, section, textMatching } from './setting-values.ts';

/** Of what was on another server before. */
export const documentId = z.optional(textMatching(/^[\w-]{1,255}$/, 'a documentId'));
const time = z.optional(z.iso.datetime({ precision: 3, error: 'a time like 2026-01-31T12:00:00.000Z' }));
/** Locales that a read with `fallback=true` tries; each is another condition for every row. */
const MAX_CHAIN = 3;

/** Values of an imported locale on its first server. */
const shown = { documentId, createdAt: time, updatedAt: time, publishedAt: time };
const locale = z.strictObject({
  code: z.string(),
  name: z.string(),
  isDefault: flag(false),
  /** The locales of `fallback=true` behind it, in their order. */
  fallback: z.optional(z.array(z.string())),
  ...shown,
});
type Locales = readonly z.output<typeof locale>[];

/** Returns what was expected of the fallbacks of a locale; undefined if all are right. */
function wrongFallback(locales: Locales): string | undefined {
  const codes = locales.map(({ code }) => code);
  for (const { code, fallback = [] } of locales) {
    const chain = [code, ...fallback];
    const unknown = fallback.find((each) => !codes.includes(each));
    if (unknown !== undefined) return `fallbacks of "${code}" among ${codes.join(', ')}; "${unknown}" is none of them`;
    if (new Set(chain).size < chain.length) return `other locales as fallbacks of "${code}", each once`;
    if (chain.length > MAX_CHAIN) return `at most ${MAX_CHAIN - 1} fallbacks of "${code}"`;
  }
  return undefined;
}

const locales = z.array(locale).check(
  z.refine((all) => wrongFallback(all) === undefined, {
    error: ({ input }) => wrongFallback(input as Locales) ?? '',
  }),
);

export const i18n = section({
  locales: z._default(locales, [{ code: 'en', name: 'English (en)', isDefault: true }]),
});
