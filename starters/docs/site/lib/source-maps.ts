/**
 * @module The source maps in the texts of a preview: invisible characters that name the field of a text.
 */
import { vercelStegaDecode, vercelStegaSplit } from '@vercel/stega';

/** Returns a text without its source map, for everything that is not shown as it is. */
export const plain = (text: string): string => vercelStegaSplit(text).cleaned;

/** Returns the source map of a text, as the script of Studio looks for it in `data-strapi-source`. */
export const sourceOf = (text: string): string | undefined =>
  vercelStegaDecode<{ readonly strapiSource: string }>(text)?.strapiSource;
