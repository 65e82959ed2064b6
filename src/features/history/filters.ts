/**
 * @module What makes former versions, and who.
 */

/** `before` is what was there when the history of its document began. */
export const HISTORY_OPERATIONS = [
  'create',
  'update',
  'publish',
  'unpublish',
  'discardDraft',
  'restore',
  'delete',
  'before',
] as const;

/** Of those before the history it is unknown. */
export const HISTORY_ACTORS = ['user', 'token', 'public', 'schedule', 'code', 'unknown'] as const;
