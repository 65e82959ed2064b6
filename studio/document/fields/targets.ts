/**
 * @module Documents that a relation may point to.
 */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type Answer, request } from '../../api/request.ts';
import type { ContentType, Document, Model } from '../../model/model.ts';
import type { Owner } from './owner.ts';

const PAGE = 20;

/** Whether the caller may read documents of the type. */
export const mayFind = (model: Model, type: ContentType | undefined): type is ContentType =>
  type !== undefined && model.may('get', type.path);

/** Lists of users and files are bare arrays. */
const listed = (body: Answer<readonly Document[]> | readonly Document[]): readonly Document[] =>
  [('data' in body ? body.data : body) as readonly Document[]].flat();

const within = ({ hasDrafts, isLocalized }: ContentType, { status, locale }: Owner) => ({
  ...(hasDrafts && { status }),
  ...(isLocalized && locale && { locale }),
});

/** Searches the titles, page by page. */
export function useTargets(type: ContentType | undefined, text: string, owner: Owner, isOpen: boolean) {
  const title = type?.titleAttribute ?? '';
  const query = (page: number) => ({
    ...(type && within(type, owner)),
    fields: title === 'documentId' ? ['documentId'] : ['documentId', title],
    ...(text && { filters: { [title]: { $containsi: text } } }),
    ...(type?.kind !== 'singleType' && { sort: `${title}:asc` }),
    ...(type?.isSystem ? { start: (page - 1) * PAGE, limit: PAGE } : { pagination: { page, pageSize: PAGE } }),
  });
  return useInfiniteQuery({
    queryKey: [type?.path, query(1)],
    enabled: isOpen && type !== undefined,
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }) => {
      const options = { query: type?.kind === 'singleType' ? within(type, owner) : query(pageParam), signal };
      return listed((await request<Answer<readonly Document[]>>(type?.path ?? '', options)).body);
    },
    getNextPageParam: (last, pages) => (last.length === PAGE ? pages.length + 1 : undefined),
  });
}

/** A request may compare 100 values. */
const MOST = 90;

/** Returns the ids of the targets that are published, of the first 90; undefined where that makes no difference. */
export function usePublished(type: ContentType | undefined, targets: readonly Document[], owner: Owner) {
  const ids = targets.slice(0, MOST).map(({ documentId }) => documentId);
  const hasMarks = type?.hasDrafts === true && owner.status === 'draft' && ids.length > 0;
  const query = {
    ...(type?.isLocalized && owner.locale && { locale: owner.locale }),
    fields: ['documentId'],
    filters: { documentId: { $in: ids } },
    pagination: { pageSize: MOST, withCount: false },
  };
  const { data } = useQuery({
    queryKey: [type?.path, query],
    enabled: hasMarks,
    queryFn: async ({ signal }) =>
      listed((await request<Answer<readonly Document[]>>(type?.path ?? '', { query, signal })).body),
  });
  return hasMarks && data ? new Set(data.map(({ documentId }) => documentId)) : undefined;
}
