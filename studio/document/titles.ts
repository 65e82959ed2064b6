/**
 * @module The titles of documents that something else names by their ids.
 */
import { type ResponseBody, request } from '../api/request.ts';
import { type Document, editedStatus, type Model } from '../model/model.ts';

export interface DocumentRef {
  /** Uid */
  readonly type: string;
  readonly documentId: string | null;
  readonly locale: string | null;
}

/** By `keyOfRef`; what is not there has been deleted, or may not be seen. */
export type Titles = ReadonlyMap<string, Document>;

export const keyOfRef = ({ type, documentId, locale }: DocumentRef): string => `${type} ${documentId} ${locale}`;

/** Reads the documents that are there with their titles, one request for each type. What fails has none. */
export async function readTitles(model: Model, refs: readonly DocumentRef[], signal: AbortSignal): Promise<Titles> {
  const byType = Map.groupBy(refs, ({ type }) => type);
  const found = [...byType].map(async ([uid, entries]): Promise<readonly (readonly [string, Document])[]> => {
    const type = model.types.get(uid);
    if (!type?.actions.has('find') || type.kind === 'singleType') return [];
    const query = {
      filters: { documentId: { $in: [...new Set(entries.map(({ documentId }) => documentId))] } },
      fields: [type.titleAttribute, 'locale'].filter((name) => type.shown.has(name)),
      ...(type.isLocalized && { locale: '*' }),
      ...(type.hasDrafts && { status: editedStatus(type) }),
      pagination: { limit: 100, withCount: false },
    };
    const { body } = await request<ResponseBody<readonly Document[]>>(type.path, { query, signal });
    return body.data.map((document) => {
      const { documentId, locale = null } = document;
      return [keyOfRef({ type: uid, documentId, locale }), document];
    });
  });
  const results = await Promise.allSettled(found);
  return new Map(results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])));
}
