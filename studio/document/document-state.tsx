/**
 * @module Whether a document is a draft, published, or changed since its publication.
 */
import { labelOf } from '../model/attribute.ts';
import type { Document } from '../model/model.ts';

export type State = 'draft' | 'published' | 'modified';

/** @param published the published version in the same locale */
export function stateOf(draft: Document, published: Document | null): State {
  if (!published) return 'draft';
  return (draft.updatedAt ?? '') > (published.updatedAt ?? '') ? 'modified' : 'published';
}

const LOOKS = { draft: 'accent', published: 'good', modified: 'warn' } as const;

export const StateBadge = ({ state }: { readonly state: State }) => (
  <span className={`badge ${LOOKS[state]}`}>{labelOf(state)}</span>
);
