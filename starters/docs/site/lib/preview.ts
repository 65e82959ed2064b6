/**
 * @module Previews: the token that reads one draft, and the source maps in the texts of a draft.
 */
import { vercelStegaDecode, vercelStegaSplit } from '@vercel/stega';
import { cookies, draftMode } from 'next/headers';

/** The cookie that keeps the token of a preview. */
export const PREVIEW_COOKIE = 'preview';

/** Returns the token of the preview that the reader has opened; undefined for everybody else. */
export async function previewToken(): Promise<string | undefined> {
  const { isEnabled } = await draftMode();
  return isEnabled ? (await cookies()).get(PREVIEW_COOKIE)?.value : undefined;
}

/** Returns a text without its source map, for everything that is not shown as it is. */
export const plain = (text: string): string => vercelStegaSplit(text).cleaned;

/** Returns the source map of a text, as the script of Studio looks for it in `data-strapi-source`. */
export const sourceOf = (text: string): string | undefined =>
  vercelStegaDecode<{ readonly strapiSource: string }>(text)?.strapiSource;
