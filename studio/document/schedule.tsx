/**
 * @module Publications at a time to come, and those that failed.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useRead } from '../api/read.ts';
import { type Answer, request } from '../api/request.ts';
import { labelOf } from '../model/attribute.ts';
import { useModel } from '../shell/model.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { describedBy, Field, Select } from '../ui/inputs.tsx';
import { Dialog } from '../ui/popups.tsx';
import { timeText } from '../ui/texts.ts';
import { notify, notifyError } from '../ui/toasts.tsx';
import { act, mayAct, type Place } from './version.ts';

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

/** Asks for a time, which is that of this computer, and for what is to be done then. */
export function ScheduleDialog({ place, onClose }: { readonly place: Place; readonly onClose: () => void }) {
  const model = useModel();
  const queries = useQueryClient();
  const actions = (['publish', 'unpublish'] as const).filter((action) => mayAct(model, place.type, action));
  const [action, setAction] = useState(actions[0] ?? 'publish');
  const [time, setTime] = useState('');
  const schedule = useMutation({
    mutationFn: () => act(place, action, null, new Date(time).toISOString()),
    onSuccess: () => {
      notify(`${labelOf(action)} at ${timeText(time)}`);
      queries.invalidateQueries({ queryKey: [SCHEDULED] });
      onClose();
    },
  });
  const buttons = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button look="primary" disabled={time === '' || schedule.isPending} onClick={() => schedule.mutate()}>
        Schedule
      </Button>
    </>
  );
  return (
    <Dialog title="Schedule" footer={buttons} onClose={onClose}>
      <Field id="schedule-action" label="What">
        <Select
          id="schedule-action"
          label="What"
          value={action}
          options={Object.fromEntries(actions.map((name) => [name, labelOf(name)]))}
          onChange={(name) => setAction(name as typeof action)}
        />
      </Field>
      <Field
        id="schedule-time"
        label="When"
        error={schedule.error?.message}
        hint={`Time zone: ${Intl.DateTimeFormat().resolvedOptions().timeZone}. The draft is published as it is then.`}
      >
        <input
          type="datetime-local"
          {...describedBy('schedule-time', schedule.error?.message)}
          value={time}
          onChange={(event) => setTime(event.target.value)}
        />
      </Field>
    </Dialog>
  );
}
