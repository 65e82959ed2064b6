/**
 * @module The rename of an attribute.
 */

export interface AttributeRename {
  /** As it was written, or the uid that it means; see `rename-names.ts`. */
  readonly type: string;
  readonly from: string;
  readonly to: string;
}
