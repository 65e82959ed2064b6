/**
 * @module Publications at a time to come, and those that failed.
 */
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Answer, request } from '../api/request.ts';
import { useRead } from '../api/use-read.ts';
import { labelOf } from '../model/attribute.ts';
import { useModel } from '../shell/model-context.ts';
import { IconButton } from '../ui/button.tsx';
import { timeText } from '../ui/time-text.ts';
import { notifyError } from '../ui/toasts.tsx';
import type { Place } from './version.ts';

export const SCHEDULED = '/api/scheduled';

/** An entry of `/api/scheduled`. `at` is null once it has failed. */
export interface ScheduledEntry {
  readonly id: string;
  readonly type: string;
  readonly documentId: string | null;
  readonly locale: string | null;
  readonly action: 'publish' | 'unpublish';
  readonly at: string | null;
  readonly error: string | null;
}

export const useScheduled = () => useRead<Answer<readonly ScheduledEntry[]>>(SCHEDULED);

interface LineProps {
  readonly entry: ScheduledEntry;
  /** Names the document. */
  readonly children?: ReactNode;
}

export function ScheduledLine({ entry: { id, action, at, error }, children }: LineProps) {
  const mayCancel = useModel().may('delete', `${SCHEDULED}/{id}`);
  const queries = useQueryClient();
  const cancel = async () => {
    await request(`${SCHEDULED}/${id}`, { method: 'DELETE' }).catch((failure) => notifyError('Not cancelled', failure));
    await queries.invalidateQueries({ queryKey: [SCHEDULED] });
  };
  return (
    <li>
      {children} {labelOf(action)} {at ? timeText(at) : <span className="danger">failed: {error}</span>}{' '}
      {mayCancel && <IconButton icon="close" label="Cancel this" onClick={cancel} />}
    </li>
  );
}

/** The entries of one document. */
export function ScheduledOf({ place: { type, documentId, locale } }: { readonly place: Place }) {
  const { data } = useScheduled();
  const own = data?.data.filter(
    (entry) =>
      entry.type === type.uid && entry.documentId === (documentId ?? null) && (entry.locale ?? undefined) === locale,
  );
  return (
    <ul className="plain">
      {own?.map((entry) => (
        <ScheduledLine key={entry.id} entry={entry} />
      ))}
    </ul>
  );
}
