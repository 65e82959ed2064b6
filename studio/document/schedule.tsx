/**
 * @module Publications that are to come.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, request } from '../api/request.ts';
import { useModel } from '../shell/model-context.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { describedBy, Field } from '../ui/field.tsx';
import { notify, notifyError } from '../ui/toasts.tsx';
import type { Place } from './version.ts';
import { act, mayAct } from './write.ts';

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

const PATH = '/api/scheduled';

/** Shows the entries of one document, each with a button that cancels it. */
export function Scheduled({ place: { type, documentId, locale } }: { readonly place: Place }) {
  const model = useModel();
  const queries = useQueryClient();
  const { data = [] } = useQuery({
    queryKey: [PATH],
    queryFn: async () => (await request<Answer<readonly ScheduledEntry[]>>(PATH)).body.data,
    enabled: model.may('get', PATH),
  });
  const cancel = useMutation({
    mutationFn: (id: string) => request(`${PATH}/${id}`, { method: 'DELETE' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [PATH] }),
    onError: (error) => notifyError('Not cancelled', error),
  });
  const own = data.filter(
    (entry) =>
      entry.type === type.uid && entry.documentId === (documentId ?? null) && (entry.locale ?? undefined) === locale,
  );
  return own.map(({ id, action, at, error }) => (
    <p key={id} className="row">
      <span>{at ? `${action} at ${new Date(at).toLocaleString()}` : `${action} failed: ${error}`}</span>
      {model.may('delete', `${PATH}/{id}`) && (
        <IconButton icon="close" label="Cancel this" onClick={() => cancel.mutate(id)} />
      )}
    </p>
  ));
}

interface ScheduleDialogProps {
  readonly place: Place;
  readonly onClose: () => void;
}

/** Asks for a time, which is that of this computer, and for what is to be done then. */
export function ScheduleDialog({ place, onClose }: ScheduleDialogProps) {
  const model = useModel();
  const queries = useQueryClient();
  const actions = (['publish', 'unpublish'] as const).filter((action) => mayAct(model, place.type, action));
  const [action, setAction] = useState(actions[0] ?? 'publish');
  const [time, setTime] = useState('');
  const schedule = useMutation({
    mutationFn: () => act(place, action, null, new Date(time).toISOString()),
    onSuccess: () => {
      notify(`Scheduled: ${action} at ${new Date(time).toLocaleString()}`);
      queries.invalidateQueries({ queryKey: [PATH] });
      onClose();
    },
  });
  return (
    <Dialog title="Schedule" onClose={onClose}>
      <div className="dialog-body stack">
        <Field id="schedule-action" label="What">
          <select
            id="schedule-action"
            value={action}
            onChange={(event) => setAction(event.target.value as typeof action)}
          >
            {actions.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
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
      </div>
      <footer className="dialog-footer">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={time === '' || schedule.isPending} onClick={() => schedule.mutate()}>
          Schedule
        </Button>
      </footer>
    </Dialog>
  );
}
