/**
 * @module The work that computes the body of a response.
 */
import type { Compiled } from '../sql/compiled.ts';

/** A body, and the revision of the document that it shows. */
export interface ShownBody<T = unknown> {
  readonly body: T;
  /** Absent unless it is one document. */
  readonly revision?: string;
}

/** The work that computes a response. */
export interface ResponseWork {
  /** Names of the stamps that it depends on. */
  readonly names: readonly string[];
  /** Computes the body, for `ANY_DOCUMENT` if it reads one. Cached, so it must not reference the request. */
  readonly work: Compiled<ShownBody>;
  /** Has the response private attributes, which no cache beside that of the isolate may store? */
  readonly isPrivate?: true;
}
