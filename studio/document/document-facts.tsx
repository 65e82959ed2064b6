/**
 * @module What is known of a document besides its attributes, and what is scheduled: publications at a time to come,
 * and those that failed.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { address } from '../api/query-string.ts';
import { type ResponseBody, request, useRead } from '../api/request.ts';
import { editedStatus, versionQuery } from '../model/model.ts';
import { DocumentLine } from '../shell/document-link.tsx';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { IconButton } from '../ui/button.tsx';
import { describedBy, Field, Select, SyncedInput } from '../ui/inputs.tsx';
import { useWhileHere } from '../ui/late.ts';
import { Dialog } from '../ui/popups.tsx';
import { Result } from '../ui/states.tsx';
import { timeText } from '../ui/texts.ts';
import { notify, notifyError } from '../ui/toasts.tsx';
import { mayAct, type Place, pathOf, type ReadVersion, scheduleAction } from './version.ts';

export const SCHEDULED = '/api/scheduled';

const ACTIONS = { publish: 'Publish', unpublish: 'Unpublish' } as const;

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

function ScheduledLine({ entry, isNamed }: { readonly entry: ScheduledEntry; readonly isNamed: boolean }) {
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
    <li>
      {isNamed && <DocumentLine uid={type} document={{ documentId, locale }} />} {text(ACTIONS[action])}{' '}
      {at ? timeText(at) : <span className="danger">{text('failed: {reason}', { reason: error ?? '' })}</span>}{' '}
      {mayCancel && <IconButton icon="close" label={text('Cancel this')} onClick={cancel} />}
    </li>
  );
}

/** What is scheduled for one document, or for all. */
export function ScheduledActions({ place }: { readonly place?: Place }) {
  const isMeant = ({ type, documentId, locale }: ScheduledEntry) =>
    !place ||
    (type === place.type.uid &&
      (documentId ?? undefined) === place.documentId &&
      (locale ?? undefined) === place.locale);
  // A list of all has the next ones alone.
  const query = place && { type: place.type.uid, documentId: place.documentId };
  return (
    <Result of={useRead<ResponseBody<readonly ScheduledEntry[]>>(SCHEDULED, query)}>
      {({ data }) => (
        <ul className="plain">
          {data.filter(isMeant).map((entry) => (
            <ScheduledLine key={entry.id} entry={entry} isNamed={!place} />
          ))}
          {!place && data.length === 0 && <li className="muted">{text('Nothing is scheduled.')}</li>}
        </ul>
      )}
    </Result>
  );
}

/** Asks for a time, which is that of this computer, and for what is to be done then. */
export function ScheduleDialog({ place, onClose }: { readonly place: Place; readonly onClose: () => void }) {
  const model = useModel();
  const queries = useQueryClient();
  const close = useWhileHere(onClose);
  const actions = (['publish', 'unpublish'] as const).filter((action) => mayAct(model, place.type, action));
  const [action, setAction] = useState(actions[0] ?? 'publish');
  const [time, setTime] = useState('');
  const schedule = useMutation({
    mutationFn: () => scheduleAction(place, action, new Date(time).toISOString()),
    onSuccess: () => {
      notify(text(action === 'publish' ? 'Publish at {time}' : 'Unpublish at {time}', { time: timeText(time) }));
      queries.invalidateQueries({ queryKey: [SCHEDULED] });
      close();
    },
  });
  const isDisabled = time === '' || schedule.isPending;
  const button = { label: text('Schedule'), disabled: isDisabled, onClick: () => schedule.mutate() };
  return (
    <Dialog title={text('Schedule')} action={button} onClose={onClose}>
      <Field id="schedule-action" label={text('What')}>
        <Select
          id="schedule-action"
          label={text('What')}
          value={action}
          options={Object.fromEntries(actions.map((name) => [name, text(ACTIONS[name])]))}
          onChange={(name) => setAction(name as typeof action)}
        />
      </Field>
      <Field
        id="schedule-time"
        label={text('When')}
        error={schedule.error?.message}
        hint={text('Time zone: {zone}. The draft is published as it is then.', {
          zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        })}
      >
        <SyncedInput
          type="datetime-local"
          {...describedBy('schedule-time', schedule.error?.message)}
          value={time}
          onChange={(event) => setTime(event.target.value)}
        />
      </Field>
    </Dialog>
  );
}

interface FactsProps {
  readonly place: Place;
  readonly version: ReadVersion | null;
  readonly published: ReadVersion | null;
}

const Fact = ({ label, value }: { readonly label: string; readonly value: string | undefined }) => (
  <div>
    <dt className="muted small">{label}</dt>
    <dd>{value || '–'}</dd>
  </div>
);

export function DocumentFacts({ place, version, published }: FactsProps) {
  const mayList = useModel().may('get', SCHEDULED);
  if (!version) return null;
  const { document } = version;
  const { locale, type } = place;
  const request = address(pathOf(place), { ...versionQuery(type, editedStatus(type), locale), populate: '*' });
  return (
    <aside className="document-facts card padded stack" aria-label={text('About this document')}>
      <dl className="plain">
        <Fact label="documentId" value={document.documentId} />
        <Fact label={text('Created')} value={timeText(document.createdAt)} />
        <Fact label={text('Updated')} value={timeText(document.updatedAt)} />
        {type.hasDrafts && <Fact label={text('Published')} value={timeText(published?.document.publishedAt)} />}
      </dl>
      {mayList && <ScheduledActions place={place} />}
      <Link to={`/explorer?request=${encodeURIComponent(request)}`}>{text('Open in the explorer')}</Link>
    </aside>
  );
}
