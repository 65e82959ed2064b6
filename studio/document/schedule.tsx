/**
 * @module Asks when a document is to be published or unpublished.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { labelOf } from '../model/attribute.ts';
import { useModel } from '../shell/model-context.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { describedBy, Field } from '../ui/field.tsx';
import { timeText } from '../ui/time-text.ts';
import { notify } from '../ui/toasts.tsx';
import { SCHEDULED } from './scheduled.tsx';
import type { Place } from './version.ts';
import { act, mayAct } from './write.ts';

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
      notify(`${labelOf(action)} at ${timeText(time)}`);
      queries.invalidateQueries({ queryKey: [SCHEDULED] });
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
              <option key={name} value={name}>
                {labelOf(name)}
              </option>
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
      <footer className="row dialog-footer">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={time === '' || schedule.isPending} onClick={() => schedule.mutate()}>
          Schedule
        </Button>
      </footer>
    </Dialog>
  );
}
