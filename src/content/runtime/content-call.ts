/**
 * @module A request to a content type.
 */
import type { DocumentRef } from '../../schema/document-ref.ts';
import type { Lookup } from '../../schema/lookup.ts';
import type { ContentType } from '../../schema/model.ts';
import type { PublicationAction } from '../../schema/publication.ts';
import type { InputData } from '../request/body.ts';
import type { Call } from './call.ts';

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

/** A request to the document with a unique value. */
export interface LookupCall extends ContentCall {
  /** Undefined if no document can have the value. */
  readonly lookup: Lookup | undefined;
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
