/**
 * @module What is known of a document besides its attributes, and the question for a time to publish it.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { address } from '../api/query-string.ts';
import { editedStatus, versionQuery } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { IconButton } from '../ui/button.tsx';
import { describedBy, Field, Select, SyncedInput } from '../ui/inputs.tsx';
import { useWhileHere } from '../ui/late.ts';
import { Dialog } from '../ui/popups.tsx';
import { timeText } from '../ui/texts.ts';
import { Time } from '../ui/time.tsx';
import { copyText, notify } from '../ui/toasts.tsx';
import { type Place, pathOf } from './place.ts';
import { ACTIONS, SCHEDULED, ScheduledActions, useScheduled } from './scheduled.tsx';
import { mayAct, type ReadVersion, scheduleAction } from './version.ts';

interface ScheduleProps {
  readonly place: Place;
  /** Of the document. */
  readonly name: string;
  readonly onClose: () => void;
}

/** Asks for a time, which is that of this computer, and for what is to be done then. */
export function ScheduleDialog({ place, name, onClose }: ScheduleProps) {
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
    <Dialog title={text('Schedule “{name}”', { name })} action={button} onClose={onClose}>
      <ScheduledActions place={place} />
      <Field id="schedule-action" label={text('Action')}>
        <Select
          id="schedule-action"
          label={text('Action')}
          value={action}
          options={Object.fromEntries(actions.map((name) => [name, text(ACTIONS[name])]))}
          onChange={(name) => setAction(name as typeof action)}
        />
      </Field>
      <Field
        id="schedule-time"
        label={text('Date and time')}
        error={schedule.error?.message}
        hint={text('In {zone}. The draft is published as it stands at that time.', {
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

const Fact = ({ label, value }: { readonly label: string; readonly value: ReactNode }) => (
  <>
    <dt className="muted">{label}</dt>
    <dd>{value || '–'}</dd>
  </>
);

export function DocumentFacts({ place, version, published }: FactsProps) {
  const mayList = useModel().may('get', SCHEDULED);
  const scheduled = useScheduled(place, mayList && version !== null);
  const { locale, type } = place;
  const { documentId, createdAt, updatedAt } = version?.document ?? {};
  const time = (of: string | null | undefined) => of && <Time of={of} />;
  const request = address(pathOf(place), { ...versionQuery(type, editedStatus(type), locale), populate: '*' });
  // What is scheduled stands first, so that it is seen, and nothing moves as it comes.
  const isKnown = !version || !scheduled.isLoading;
  return (
    <aside className="document-facts card padded stack" aria-label={text('About this document')}>
      {isKnown && (
        <>
          {mayList && version && <ScheduledActions place={place} />}
          {version ? (
            <>
              <dl className="facts">
                <Fact label={text('Created')} value={time(createdAt)} />
                <Fact label={text('Updated')} value={time(updatedAt)} />
                {type.hasDrafts && <Fact label={text('Published')} value={time(published?.document.publishedAt)} />}
                {documentId !== undefined && (
                  <Fact
                    label={text('Document ID')}
                    value={
                      <span className="row nowrap">
                        <code className="ellipsis">{documentId}</code>
                        <IconButton
                          icon="copy"
                          label={text('Copy {name}', { name: 'documentId' })}
                          onClick={() => copyText(documentId)}
                        />
                      </span>
                    }
                  />
                )}
              </dl>
              <Link to={`/explorer?request=${encodeURIComponent(request)}`}>{text('Open in the explorer')}</Link>
            </>
          ) : (
            <p className="muted">{text('Not saved yet')}</p>
          )}
        </>
      )}
    </aside>
  );
}
