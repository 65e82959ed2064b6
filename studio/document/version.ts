/**
 * @module Reads one version of a document as a whole.
 */
import { type Answer, ApiError, type Reply, request } from '../api/request.ts';
import type { ContentType, Document, Model } from '../model/model.ts';
import { shownAttributes } from '../model/read-model.ts';
import { populates } from './populate.ts';

/** Where a version is: a document of a single type has no id in its path. */
export interface Place {
  readonly type: ContentType;
  readonly documentId: string | undefined;
  /** Undefined for types that are not localized. */
  readonly locale: string | undefined;
}

export interface Version {
  readonly document: Document;
  readonly etag: string | null;
}

/** Whether the place is that of a document which is not there yet. */
export const isNewAt = ({ type, documentId }: Place): boolean =>
  type.kind === 'collectionType' && documentId === undefined;

export const pathOf = ({ type, documentId }: Place): string =>
  documentId === undefined ? type.path : `${type.path}/${encodeURIComponent(documentId)}`;

/** The path of the description that stands for `pathOf`. */
export const templateOf = (type: ContentType): string =>
  type.kind === 'singleType' ? type.path : `${type.path}/{documentId}`;

export const keyOf = (place: Place, status: string) => ['document', pathOf(place), place.locale, status] as const;

/** Returns null where there is no such version. @throws ApiError */
export async function readVersion(
  model: Model,
  place: Place,
  status: 'draft' | 'published',
  signal?: AbortSignal,
): Promise<Version | null> {
  const { type, locale } = place;
  const others = type.shown.has('localizations') ? { localizations: { fields: ['locale'] } } : {};
  const [first = {}, ...rest] = populates(model, Object.fromEntries(shownAttributes(type)));
  const read = (populate: object): Promise<Reply<Answer<Document>>> =>
    request(pathOf(place), {
      query: { ...(type.hasDrafts && { status }), ...(locale && { locale }), populate },
      ...(signal && { signal }),
    });
  try {
    const replies = await Promise.all([read({ ...first, ...others }), ...rest.map(read)]);
    const parts = replies.map(({ body }) => body.data);
    return { document: Object.assign({}, ...parts), etag: replies[0]?.etag ?? null };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
