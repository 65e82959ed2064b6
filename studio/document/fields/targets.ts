/**
 * @module Documents that a relation may point to.
 */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type Answer, request } from '../../api/request.ts';
import type { ContentType, Document, Model } from '../../model/model.ts';
import type { Owner } from './owner.ts';

const PAGE = 20;
/** A request may compare 100 values. */
const MOST = 90;

/** Whether the caller may read documents of the type. */
export const mayFind = (model: Model, type: ContentType | undefined): type is ContentType =>
  type !== undefined && model.may('get', type.path);

/** Reads a list. Those of users and files are bare arrays; a single type has one document. */
async function read(path: string, query: object, signal: AbortSignal): Promise<readonly Document[]> {
  const { body } = await request<Answer<Document | readonly Document[]> | readonly Document[]>(path, {
    query: { ...query },
    signal,
  });
  return [('data' in body ? body.data : body) as Document[]].flat();
}

/** Searches the titles, page by page. */
export function useTargets(type: ContentType, text: string, { status, locale }: Owner, isOpen: boolean) {
  const { path, titleAttribute: title, hasDrafts, isLocalized, isSystem, kind } = type;
  const version = { ...(hasDrafts && { status }), ...(isLocalized && locale && { locale }) };
  const search = {
    ...version,
    fields: ['documentId', title],
    sort: title,
    ...(text && { filters: { [title]: { $containsi: text } } }),
  };
  const paging = (page: number) =>
    isSystem ? { start: (page - 1) * PAGE, limit: PAGE } : { pagination: { page, pageSize: PAGE } };
  return useInfiniteQuery({
    queryKey: [path, search, 'targets'],
    enabled: isOpen,
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      read(path, kind === 'singleType' ? version : { ...search, ...paging(pageParam) }, signal),
    getNextPageParam: (last, pages) => (last.length === PAGE ? pages.length + 1 : undefined),
  });
}

/** Returns the ids of the targets that are published, of the first 90; undefined where that makes no difference. */
export function usePublished(type: ContentType | undefined, targets: readonly Document[], { status, locale }: Owner) {
  const ids = targets.slice(0, MOST).map(({ documentId }) => documentId);
  const hasMarks = type?.hasDrafts === true && status === 'draft' && ids.length > 0;
  const query = {
    ...(type?.isLocalized && locale && { locale }),
    fields: ['documentId'],
    filters: { documentId: { $in: ids } },
    pagination: { pageSize: MOST, withCount: false },
  };
  const { data } = useQuery({
    queryKey: [type?.path, query],
    enabled: hasMarks,
    queryFn: ({ signal }) => read(type?.path ?? '', query, signal),
  });
  return hasMarks && data ? new Set(data.map(({ documentId }) => documentId)) : undefined;
}
