/**
 * @module Documents → the body of an answer, in Strapi 5's flat form.
 */
import type { Page } from '../request/pagination.ts';
import type { Document } from './document.ts';

export interface Body {
  readonly data: unknown;
  readonly meta: Readonly<Record<string, unknown>>;
}

type PaginationMeta = Readonly<Record<string, number | string | null>>;

/**
 * `meta.pagination` of a list; without a total when it was not asked for.
 * @param next the cursor of the next page; null for the last one.
 */
export function paginationMeta(
  { start, limit, mode }: Page,
  total: number | undefined,
  next: string | null = null,
): PaginationMeta {
  if (mode === 'cursor') return { limit, ...(total !== undefined && { total }), next };
  if (mode === 'offset') return { start, limit, ...(total !== undefined && { total }) };
  const page = Math.floor(start / limit) + 1;
  return { page, pageSize: limit, ...(total !== undefined && { pageCount: Math.ceil(total / limit), total }) };
}

export const formatOne = (document: Document): Body => ({ data: document, meta: {} });

export const formatList = (
  documents: readonly Document[],
  page: Page,
  total: number | undefined,
  next?: string | null,
): Body => ({ data: documents, meta: { pagination: paginationMeta(page, total, next) } });
