/**
 * @module A request to a content type.
 */
import { actionId, draftsId, readId } from '../../access/grants.ts';
import { withoutSourceMap } from '../../common/source-map.ts';
import type { DocumentRef } from '../../schema/document-ref.ts';
import type { ContentType } from '../../schema/model.ts';
import type { PublicationAction } from '../../schema/publication.ts';
import type { InputData } from '../request/body.ts';
import type { Authorized, Call } from './call.ts';

/** Format of documents in responses: flat, flat with source maps, or nested as in Strapi 4. */
export type Format = 'v5' | 'v5-mapped' | 'v4';

export interface ContentCall extends Call {
  readonly type: ContentType;
  readonly format: Format;
}

/** A request to a document. */
export interface DocumentCall extends ContentCall {
  readonly document: DocumentRef;
  /** The headers, of writes. */
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** A create is one of the document that it makes. */
export interface WriteCall extends DocumentCall {
  /** Parses the body on first use: only after the grant was checked. */
  readonly data: () => InputData;
  /** Of what it creates: of an update, a single type. */
  readonly newDocumentId: string;
  /** The header, of creates. */
  readonly idempotencyKey?: string | undefined;
}

export interface PublicationCall extends DocumentCall {
  readonly action: PublicationAction;
}

/**
 * Returns the call without source maps for a caller who may read no drafts of the type, or may not update it if it has none.
 * The page of a preview gets them.
 */
export function withGrantedSourceMaps<C extends Pick<ContentCall, 'type' | 'format'>>(
  call: C,
  { grants }: Authorized,
): C {
  const { type, format } = call;
  if (format !== 'v5-mapped') return call;
  const isPreview = grants.rule?.(readId(grants, type.uid, 'find'))?.drafts === true;
  if (isPreview || grants.allows(type.draftAndPublish ? draftsId(grants, type.uid) : actionId(type.uid, 'update')))
    return call;
  return { ...call, format: 'v5' };
}

/** Returns a stored response without source maps, if the caller has lost the right to them. */
export function withoutLostMaps<Stored>(
  call: Pick<ContentCall, 'type' | 'format'>,
  caller: Authorized,
  stored: Stored,
) {
  if (withGrantedSourceMaps(call, caller) === call) return stored;
  return JSON.parse(withoutSourceMap(JSON.stringify(stored))) as Stored;
}
