/**
 * @module A scheduled publication as a response shows it.
 */
import type { Scheduled } from './sql.ts';

/** `at` is in ISO 8601, and null once it has failed. */
export const shownEntry = ({ id, type, documentId, locale, action, at, error }: Scheduled) => ({
  id,
  type,
  documentId: documentId || null,
  locale: locale || null,
  action,
  at: at === null ? null : new Date(at).toISOString(),
  error,
});
