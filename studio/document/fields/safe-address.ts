/**
 * @module Addresses that content names.
 */

/** Returns the address of a link if it leads to the web, a mailbox, a telephone or within the site; else undefined. */
export const safeAddress = (address: string): string | undefined =>
  /^(https?:|mailto:|tel:|[/#?.]|[^:]*$)/i.test(address.trim()) ? address.trim() : undefined;
