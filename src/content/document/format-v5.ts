/**
 * @module Documents → the body of a response, in Strapi 5's flat form.
 */
import type { JsonObject } from '../../common/json.ts';
import type { Page } from '../request/pagination.ts';
import type { Document } from './document.ts';

export interface Body {
  readonly data: unknown;
  readonly meta: JsonObject;
}

/** Returns `meta.pagination`; without a total if it was not requested. */
function paginationMeta({ start, limit, mode }: Page, total: number | undefined, next: string | null): JsonObject {
  if (mode === 'cursor') return { limit, ...(total !== undefined && { total }), next };
  if (mode === 'offset') return { start, limit, ...(total !== undefined && { total }) };
  const page = Math.floor(start / limit) + 1;
  return { page, pageSize: limit, ...(total !== undefined && { pageCount: Math.ceil(total / limit), total }) };
}

export const formatOne = (document: Document, meta: JsonObject = {}): Body => ({ data: document, meta });

/**
 * @param next the cursor of the next page; null for the last one
 * @param more what `meta` has beside the page
 */
export const formatList = (
  documents: readonly Document[],
  page: Page,
  total: number | undefined,
  next: string | null = null,
  more: JsonObject = {},
): Body => ({ data: documents, meta: { pagination: paginationMeta(page, total, next), ...more } });
