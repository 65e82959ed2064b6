/**
 * @module A document that is gone, or of which the caller sees former versions alone.
 */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/send.ts';
import { NoDocument } from '../document/no-document.tsx';
import type { Place } from '../document/place.ts';
import { historyAt, mayRestore, restoredText, restoreRevision } from '../document/revisions.ts';
import { PageLayout } from '../shell/page.tsx';
import { text } from '../texts/text.ts';
import { Notice } from '../ui/states.tsx';
import { notify, notifyError } from '../ui/toasts.tsx';
import { HistoryPane } from './history-pane.tsx';

export function DeletedDocument({ place }: { readonly place: Place }) {
  const { type } = place;
  const queries = useQueryClient();
  const { data, error } = useInfiniteQuery(historyAt(place));
  const restore = async (revision: string) => {
    try {
      notify(restoredText((await restoreRevision(place, revision, null)).body));
      await queries.invalidateQueries({
        predicate: ({ queryKey }) => ['document', type.path].includes(String(queryKey[0])),
      });
    } catch (failure) {
      notifyError(text('Not restored'), failure);
    }
  };
  const isUnknown = error instanceof ApiError && error.status === 404;
  return (
    <PageLayout title={type.name}>
      {isUnknown ? (
        <NoDocument type={type} />
      ) : (
        <>
          {data && <Notice>{text('This document is no longer there. These are its former versions.')}</Notice>}
          <HistoryPane place={place} current={null} onRestore={mayRestore(type, true) ? restore : undefined} />
        </>
      )}
    </PageLayout>
  );
}
