/**
 * @module What is scheduled: publications at a time to come, and those that failed.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ResponseBody, request } from '../api/request.ts';
import { DocumentLine } from '../shell/document-link.tsx';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { IconButton } from '../ui/button.tsx';
import { Result } from '../ui/states.tsx';
import { momentText, timeText } from '../ui/texts.ts';
import { notifyError } from '../ui/toasts.tsx';
import type { Place } from './place.ts';
import { keyOfRef, readTitles, type Titles } from './titles.ts';

export const SCHEDULED = '/api/scheduled';

export const ACTIONS = { publish: 'Publish', unpublish: 'Unpublish' } as const;

/** An entry of `/api/scheduled`. `at` is null once it has failed. */
interface ScheduledEntry {
  readonly id: string;
  readonly type: string;
  readonly documentId: string | null;
  readonly locale: string | null;
  readonly action: keyof typeof ACTIONS;
  readonly at: string | null;
  readonly error: string | null;
}

const NO_TITLES: Titles = new Map();

interface LineProps {
  readonly entry: ScheduledEntry;
  /** Missing where the document is not named. */
  readonly titles: Titles | undefined;
}

function ScheduledLine({ entry, titles }: LineProps) {
  const { id, type, documentId, locale, action, at, error } = entry;
  const mayCancel = useModel().may('delete', `${SCHEDULED}/{id}`);
  const queries = useQueryClient();
  const cancel = async () => {
    await request(`${SCHEDULED}/${id}`, { method: 'DELETE' }).catch((failure) =>
      notifyError(text('Not cancelled'), failure),
    );
    await queries.invalidateQueries({ queryKey: [SCHEDULED] });
  };
  return (
    <li className={titles ? 'row nowrap between' : 'row nowrap between notice'}>
      <div className="grow">
        {titles && <DocumentLine uid={type} document={{ documentId, locale, ...titles.get(keyOfRef(entry)) }} />}
        <div className="small">
          {text(ACTIONS[action])}{' '}
          {at ? (
            <time dateTime={at} title={timeText(at)}>
              {momentText(at)}
            </time>
          ) : (
            <span className="danger">{text('failed: {reason}', { reason: error ?? '' })}</span>
          )}
        </div>
      </div>
      {mayCancel && <IconButton icon="close" label={text('Cancel the schedule')} onClick={cancel} />}
    </li>
  );
}

/** Reads what is scheduled for one document, or for all, then with the titles of the documents. */
export function useScheduled(place?: Place, enabled = true) {
  const model = useModel();
  // A list of all has the next ones alone.
  const query = place ? { type: place.type.uid, documentId: place.documentId } : {};
  return useQuery({
    queryKey: [SCHEDULED, query],
    queryFn: async ({ signal }) => {
      const { data } = (await request<ResponseBody<readonly ScheduledEntry[]>>(SCHEDULED, { query, signal })).body;
      return { data, titles: place ? NO_TITLES : await readTitles(model, data, signal) };
    },
    enabled,
  });
}

/** What is scheduled for one document, or for all. */
export function ScheduledActions({ place }: { readonly place?: Place }) {
  const isMeant = ({ type, documentId, locale }: ScheduledEntry) =>
    !place ||
    (type === place.type.uid &&
      (documentId ?? undefined) === place.documentId &&
      (locale ?? undefined) === place.locale);
  const found = useScheduled(place);
  // Most documents have none, and nothing is said of them.
  if (place && !found.error && !found.data?.data.some(isMeant)) return null;
  return (
    <Result of={found}>
      {({ data, titles }) => (
        <ul className={place ? 'plain' : 'plain lines'}>
          {data.filter(isMeant).map((entry) => (
            <ScheduledLine key={entry.id} entry={entry} titles={place ? undefined : titles} />
          ))}
          {!place && data.length === 0 && (
            <li className="muted">{text('Nothing is scheduled. The menu of a document plans a publication.')}</li>
          )}
        </ul>
      )}
    </Result>
  );
}
