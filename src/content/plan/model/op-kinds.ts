/**
 * @module Predicates of the kinds of operations of a write.
 */
import { kindOf } from '../../../common/kinds.ts';

export const isInsert = kindOf('insert');
export const isUpdate = kindOf('update');
export const isPublish = kindOf('publish');
export const isDiscard = kindOf('discard');
export const isShare = kindOf('share');
export const isDelete = kindOf('delete');
export const isDiscount = kindOf('discount');
export const isAttach = kindOf('attach');
export const isLinkChange = kindOf('link');
export const leavesLinks = kindOf('leave-links');
export const isUniqueAssertion = kindOf('assert-unique');
export const isNumbered = kindOf('ids');
export const isFreeAssertion = kindOf('assert-free');
