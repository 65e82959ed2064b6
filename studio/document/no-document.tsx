/**
 * @module Where a document should be, and is not, or not for the caller.
 */
import { Link } from 'react-router';
import type { ContentType } from '../model/model.ts';
import { neighboursOf } from '../shell/document-link.tsx';
import { text } from '../texts/text.ts';
import { Empty } from '../ui/states.tsx';

export const NoDocument = ({ type }: { readonly type: ContentType }) => (
  <Empty title={text('There is no such document, or you may not see it.')}>
    {type.kind === 'singleType' ? (
      <Link to="/">{text('To the overview')}</Link>
    ) : (
      <Link to={neighboursOf(type.segment, null).address}>{text('To the list')}</Link>
    )}
  </Empty>
);
