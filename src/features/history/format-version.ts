/**
 * @module A former version as a response shows it.
 */
import type { FormerVersion } from './sql/read.ts';

/** `before` is a version that was there when the history of its document began. */
export const shownVersion = (former: FormerVersion) => ({
  revision: former.id,
  documentId: former.documentId,
  locale: former.locale || null,
  version: former.version,
  operation: former.operation,
  at: new Date(former.at).toISOString(),
  by: { kind: former.actor, id: former.actorId, name: former.actorName },
  /** Of a deleted document there are none, nor of one that was too large. */
  hasValues: former.isKept === 1,
});
