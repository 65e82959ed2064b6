/**
 * @module Which callers get source maps, in responses and in stored ones that are repeated.
 */
import { actionId, draftsId, readId } from '../../access/grants.ts';
import { withoutSourceMap } from '../../common/source-map.ts';
import type { Authorized } from './call.ts';
import type { ContentCall } from './content-call.ts';

/**
 * Returns the call without source maps for a caller who may read no drafts of the type, or may not update it if it has none.
 * The page of a preview gets them.
 */
export function withGrantedSourceMaps<C extends Pick<ContentCall, 'type' | 'format'>>(
  call: C,
  { grants }: Authorized,
): C {
  const { type, format } = call;
  if (format !== 'v5-mapped') return call;
  const isPreview = grants.rule?.(readId(grants, type.uid, 'find'))?.drafts === true;
  if (isPreview || grants.allows(type.draftAndPublish ? draftsId(grants, type.uid) : actionId(type.uid, 'update')))
    return call;
  return { ...call, format: 'v5' };
}

/** Returns a stored response without source maps, if the caller has lost the right to them. */
export function withoutLostMaps<Stored>(
  call: Pick<ContentCall, 'type' | 'format'>,
  caller: Authorized,
  stored: Stored,
) {
  if (withGrantedSourceMaps(call, caller) === call) return stored;
  return JSON.parse(withoutSourceMap(JSON.stringify(stored))) as Stored;
}
