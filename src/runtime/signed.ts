/**
 * @module Signed addresses in responses.
 */

/** Has a text a signed address? A text of a document that looks like one makes a response less cacheable, and no more. */
export const isSigned = (text: string): boolean => text.includes('&signature=');
