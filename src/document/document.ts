/**
 * @module A document as responses show it.
 */

/** Values by the name of their attribute. */
export type Document = Record<string, unknown>;
