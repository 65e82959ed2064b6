/**
 * @module Predicates of the members of a union.
 */

/** Returns whether a member is of a kind. */
export const kindOf =
  <K extends string>(kind: K) =>
  <M extends { readonly kind?: string | undefined } | undefined>(
    member: M,
  ): member is Extract<M, { readonly kind: K }> =>
    member?.kind === kind;
